#include <httplib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <ostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/ntune/event_streams.h"
#include "apps/ntune/live_studies.h"
#include "apps/ntune/show_commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLoopback = "127.0.0.1";

/// A page of another site cannot read this one by a name that it makes point here.
bool names_this_host(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  return std::ranges::any_of(
      std::initializer_list<const char*>{kLoopback, "localhost"}, [&](const char* name) {
        return host == fmt::format("{}:{}", name, port) || (port == 80 && host == name);
      });
}

using Request = httplib::Request;
using Response = httplib::Response;

/// Answers with what `make` returns, or with its error in words.
template <class Make>
void answer(Response& response, const char* type, const Make& make) {
  try {
    response.set_content(make(), type);
  } catch (const std::exception& error) {
    response.status = 500;
    response.set_content(std::string(error.what()) + "\n", "text/plain; charset=utf-8");
  }
}

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kJson = "application/json";

/// Answers requests of this machine alone, and lets nothing be cached.
void refuse_strangers(httplib::Server& server, const int& port) {
  server.set_pre_routing_handler([&port](const Request& request, Response& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    if (names_this_host(request, port)) return httplib::Server::HandlerResponse::Unhandled;
    // What is refused says why in words.
    response.status = 403;
    response.set_content("This page is for this machine alone.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
}

/// The page of a study and the line on its state, once and as events.
void add_study_routes(httplib::Server& server, LiveStudy& live, EventStreams& streams) {
  server.Get("/", [&live](const Request&, Response& response) {
    answer(response, kHtml, [&] { return live.page(); });
  });
  server.Get("/state", [&live](const Request&, Response& response) {
    answer(response, kJson, [&] { return live.state(); });
  });
  server.Get("/events", [&live, &streams](const Request&, Response& response) {
    streams.open(response, [&live] { return live.state(); });
  });
}

/// The board, its rows, and the pages of the studies on it.
void add_board_routes(httplib::Server& server, LiveBoard& board, EventStreams& streams) {
  server.Get("/", [&board](const Request&, Response& response) {
    answer(response, kHtml, [&] { return board.page(); });
  });
  server.Get("/rows", [&board](const Request&, Response& response) {
    answer(response, kJson, [&] { return board.rows(); });
  });
  // Of a study that the board has found; a request never names a path.
  const auto of_study = [&board](const Request& request, Response& response, const char* type,
                                 const auto& make) {
    if (const auto study = board.find(request.get_param_value("of"))) {
      return answer(response, type, [&] { return make(*study); });
    }
    response.status = 404;
  };
  server.Get("/study", [of_study](const Request& request, Response& response) {
    of_study(request, response, kHtml, [](LiveStudy& study) { return study.page(); });
  });
  server.Get("/state", [of_study](const Request& request, Response& response) {
    of_study(request, response, kJson, [](LiveStudy& study) { return study.state(); });
  });
  server.Get("/events", [&board, &streams](const Request& request, Response& response) {
    if (!request.has_param("of")) return streams.open(response, [&board] { return board.rows(); });
    if (auto study = board.find(request.get_param_value("of"))) {
      return streams.open(response, [study = std::move(study)] { return study->state(); });
    }
    response.status = 404;
  });
  server.Get("/compare", [&board](const Request& request, Response& response) {
    const auto first = board.find(request.get_param_value("of", 0));
    const auto second = board.find(request.get_param_value("of", 1));
    if (!first || !second) {
      response.status = 404;
      return;
    }
    answer(response, kHtml, [&] { return LiveBoard::comparison(*first, *second); });
  });
  // A page of another site cannot set the header without asking first, which is not answered.
  server.Post("/note", [&board](const Request& request, Response& response) {
    const std::string key = request.get_param_value("of");
    if (request.get_header_value("X-Ntune") != "note" || !board.find(key)) {
      response.status = 404;
      return;
    }
    answer(response, "text/plain", [&] {
      board.keep_note(key, request.body);
      return std::string();
    });
  });
}

/// The threads of the server share one heap: each of its own would keep what a long study took
/// once.
void share_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace

int serve_page(const WatchArguments& arguments, const Terminal& terminal) {
  share_heap();
  const std::string& folder = arguments.folders[0];
  LiveStudy live(folder);
  LiveBoard board(folder);
  EventStreams streams(arguments.interval);
  httplib::Server server;
  constexpr std::size_t kLongestNote = 10'000;
  server.set_payload_max_length(kLongestNote);
  // A connection that waits for another request would hold a thread, also at the end.
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(1);
  int port = *arguments.port;
  refuse_strangers(server, port);
  // A study has a page, any other folder a board.
  if (is_study(folder)) {
    add_study_routes(server, live, streams);
  } else if (std::error_code error; fs::is_directory(folder, error)) {
    add_board_routes(server, board, streams);
  } else {
    throw InputError(printable(folder, 1000) + ": is not a folder");
  }
  // Port 0 takes any that is free; another port must be free itself.
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
  // The server listens on a thread of its own until Ctrl-C.
  std::thread listener([&server] { server.listen_after_bind(); });
  while (wait(arguments.interval, terminal) && terminal.out) {
  }
  streams.end();
  server.stop();
  listener.join();
  return kInterrupted;
}

}  // namespace ntune::cli
