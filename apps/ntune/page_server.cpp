#include "apps/ntune/page_server.h"

#include <httplib.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <ostream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/ntune/status_line.h"
#include "ntune/core/error.h"
#include "ntune/report/page/page.h"

namespace ntune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLoopback = "127.0.0.1";

/// Asks for the state and shows its line. Loads the page again when the study has gone on, after
/// ten intervals or more. Where the reader was and which sections were open stays as it was.
constexpr const char* kLiveScript = R"(<p id="live" role="status" style="position: fixed; bottom: 0;
  left: 0; right: 0; z-index: 3; margin: 0; padding: 0.3rem 1rem; background: #1b5fc1; color: #fff;
  font-size: 0.9rem; white-space: pre-wrap"></p>
<style>body { padding-bottom: 5rem; }</style>
<script>
{
  const line = document.getElementById("live"), key = "ntune " + location.host;
  const sections = () => Array.from(document.querySelectorAll("details"));
  const kept = JSON.parse(sessionStorage.getItem(key) || "null");
  if (kept) {
    sections().forEach((section, i) => { if (i in kept.open) section.open = kept.open[i]; });
    scrollTo(0, kept.y);
  }
  let looks = 0;
  const look = async () => {
    try {
      const state = await (await fetch("state")).json();
      line.textContent = state.line;
      if (++looks >= 10 && state.version !== "VERSION") {
        sessionStorage.setItem(key, JSON.stringify({y: scrollY, open: sections().map(section => section.open)}));
        location.reload();
        return;
      }
    } catch (error) {
      line.textContent = "ntune watch has ended; this page stays as it is.";
    }
    setTimeout(look, INTERVAL);
  };
  look();
}
</script>
)";

/// The page of a folder as it is now, made again when its files have changed.
class LivePage {
 public:
  LivePage(const std::string& folder, double interval)
      : folder_(folder), watch_(folder), interval_(interval) {}

  std::string page() {
    const std::scoped_lock lock(mutex_);
    const std::string version = version_of_files();
    if (page_.empty() || version != version_) {
      std::vector<ReportData> studies;
      studies.push_back(read_report(folder_, {}));
      page_ = report_page(studies);
      version_ = version;
    }
    return with_script(page_);
  }

  std::string state() {
    const std::scoped_lock lock(mutex_);
    return Json{{"line", status_line(watch_.look())}, {"version", version_of_files()}}.dump();
  }

 private:
  /// Sizes and times of what a page is made from.
  [[nodiscard]] std::string version_of_files() const {
    std::string version;
    for (const char* name : {"journal.log", "result.json"}) {
      std::error_code error;
      const fs::path file = fs::path(folder_) / name;
      const auto size = fs::file_size(file, error);
      if (error) continue;
      version +=
          fmt::format("{} {} ", size, fs::last_write_time(file, error).time_since_epoch().count());
    }
    return version;
  }

  [[nodiscard]] std::string with_script(std::string page) const {
    std::string script = kLiveScript;
    const auto fill_in = [&script](std::string_view name, const std::string& value) {
      script.replace(script.find(name), name.size(), value);
    };
    fill_in("INTERVAL", fmt::format("{:.0f}", 1000.0 * interval_));
    fill_in("VERSION", version_);
    page.insert(page.rfind("</body>"), script);
    page.insert(page.find("</head>"), "<link rel=\"icon\" href=\"data:,\">\n");
    return page;
  }

  std::mutex mutex_;
  std::string folder_;
  StudyWatch watch_;
  double interval_;
  std::string page_;
  std::string version_;
};

/// A page of another site cannot read this one by a name that it makes point here.
bool names_this_host(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  return std::ranges::any_of(
      std::initializer_list<const char*>{kLoopback, "localhost"}, [&](const char* name) {
        return host == fmt::format("{}:{}", name, port) || (port == 80 && host == name);
      });
}

void add_routes(httplib::Server& server, LivePage& live, const int& port) {
  server.set_pre_routing_handler(
      [&port](const httplib::Request& request, httplib::Response& response) {
        response.set_header("Cache-Control", "no-store");
        response.set_header("X-Content-Type-Options", "nosniff");
        if (names_this_host(request, port)) return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content("This page is for this machine alone.\n", "text/plain");
        return httplib::Server::HandlerResponse::Handled;
      });
  const auto answer = [](httplib::Response& response, const char* type, const auto& make) {
    try {
      response.set_content(make(), type);
    } catch (const std::exception& error) {
      response.status = 500;
      response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
    }
  };
  server.Get("/", [&live, answer](const httplib::Request&, httplib::Response& response) {
    answer(response, "text/html; charset=utf-8", [&] { return live.page(); });
  });
  server.Get("/state", [&live, answer](const httplib::Request&, httplib::Response& response) {
    answer(response, "application/json", [&] { return live.state(); });
  });
}

}  // namespace

int serve_page(const WatchArguments& arguments, const Terminal& terminal) {
  LivePage live(arguments.folders[0], arguments.interval);
  httplib::Server server;
  int port = *arguments.port;
  add_routes(server, live, port);
  if (port == 0) {
    port = server.bind_to_any_port(kLoopback);
  } else if (!server.bind_to_port(kLoopback, port)) {
    port = -1;
  }
  if (port < 0) {
    throw InputError(
        fmt::format("--serve: port {} cannot be used; 0 takes a free one", *arguments.port));
  }
  terminal.out << fmt::format("http://{}:{}/ until Ctrl-C", kLoopback, port) << std::endl;
  std::thread listener([&server] { server.listen_after_bind(); });
  while (wait(arguments.interval, terminal) && terminal.out) {
  }
  server.stop();
  listener.join();
  return kInterrupted;
}

}  // namespace ntune::cli
