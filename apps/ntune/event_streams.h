#pragma once

#include <httplib.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace ntune::cli {

/// The streams of server-sent events of open pages. Each holds a thread of the server and one of
/// the six connections that a browser opens to it, so that there are four. A page that finds none
/// free is told once, and its browser comes again after the interval.
class EventStreams {
 public:
  /// Looks for news every so many seconds.
  explicit EventStreams(double interval) : interval_(interval) {}

  /// Answers with the line that `make` returns, and then with each that differs from the one
  /// before.
  void open(httplib::Response& response, std::function<std::string()> make);
  /// Ends all streams at once.
  void end();

 private:
  bool take_place();
  void give_place_back();
  bool wait();

  double interval_;
  std::mutex mutex_;
  std::condition_variable ending_;
  int places_taken_ = 0;
  bool is_ending_ = false;
};

}  // namespace ntune::cli
