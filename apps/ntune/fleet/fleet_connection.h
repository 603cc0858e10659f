#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "apps/ntune/fleet/fleet_secret.h"
#include "ntune/core/json.h"

// The connection of workers with their server: messages of JSON by POST, over TLS; within one
// machine without. The library of HTTP is seen by no other source.

namespace ntune::cli {

/// Answers messages from its beginning to its end, on threads of its own.
class FleetServer {
 public:
  /// `address`: ADDRESS:PORT, where port 0 takes a free one. `answer` is called from several
  /// threads at once. Throws InputError where it cannot listen there.
  FleetServer(const std::string& address, const FleetSecret& secret,
              std::function<Json(const Json&)> answer);
  ~FleetServer();
  FleetServer(const FleetServer&) = delete;
  FleetServer& operator=(const FleetServer&) = delete;

  /// "https://192.0.2.7:8765"
  [[nodiscard]] const std::string& url() const;

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

/// A worker's side, for one thread.
class FleetClient {
 public:
  /// Throws InputError for a URL that is none, or not safe.
  FleetClient(const std::string& url, const FleetSecret& secret);
  ~FleetClient();
  FleetClient(FleetClient&&) noexcept;
  FleetClient& operator=(FleetClient&&) = delete;

  /// The answer to a message; nothing where the server does not answer. Throws InputError where it
  /// is another server, or refuses the token.
  std::optional<Json> post(const Json& message);
  /// Closes the connection until the next message, which is to come so many seconds later. The
  /// server looks a hundred times a second at one that stays: after half a second that has cost
  /// more than a new one.
  void rest(double seconds);

 private:
  class Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace ntune::cli
