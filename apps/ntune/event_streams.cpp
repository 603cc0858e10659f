#include "apps/ntune/event_streams.h"

#include <chrono>
#include <cstddef>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/json.h"

namespace ntune::cli {

void EventStreams::open(httplib::Response& response, std::function<std::string()> make) {
  const bool stays = take_place();
  const auto tell = [this, stays, make = std::move(make), told = std::string()](
                        std::size_t, httplib::DataSink& sink) mutable {
    if (!told.empty() && !wait()) {
      sink.done();
      return true;
    }
    std::string line;
    try {
      line = make();
    } catch (const std::exception& error) {
      line = json_line({{"problem", error.what()}});
    }
    // Without news it is seen whether the page is still there.
    if (line == told) return sink.is_writable();
    told = std::move(line);
    const std::string event = fmt::format("retry: {:.0f}\ndata: {}\n\n", 1000.0 * interval_, told);
    const bool is_sent = sink.write(event.data(), event.size());
    if (is_sent && !stays) sink.done();
    return is_sent;
  };
  response.set_chunked_content_provider("text/event-stream", tell, [this, stays](bool) {
    if (stays) give_place_back();
  });
}

void EventStreams::end() {
  const std::scoped_lock lock(mutex_);
  is_ending_ = true;
  ending_.notify_all();
}

/// False: all are taken.
bool EventStreams::take_place() {
  constexpr int kMost = 4;
  const std::scoped_lock lock(mutex_);
  if (places_taken_ == kMost) return false;
  ++places_taken_;
  return true;
}

void EventStreams::give_place_back() {
  const std::scoped_lock lock(mutex_);
  --places_taken_;
}

/// Until the next look; false: the server ends.
bool EventStreams::wait() {
  std::unique_lock lock(mutex_);
  return !ending_.wait_for(lock, std::chrono::duration<double>(interval_),
                           [this] { return is_ending_; });
}

}  // namespace ntune::cli
