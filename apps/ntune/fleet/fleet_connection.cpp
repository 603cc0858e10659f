#include "apps/ntune/fleet/fleet_connection.h"

#include <arpa/inet.h>
#include <httplib.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <list>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "apps/ntune/fleet/openssl_objects.h"
#include "ntune/core/error.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

constexpr const char* kType = "application/json";
constexpr int kUnauthorised = 401;  // the status of a request without the token

/// A place in the network.
struct Endpoint {
  std::string host;
  int port = 0;

  [[nodiscard]] bool is_loopback() const {
    in_addr address{};
    return host == "localhost" || host == "::1" ||
           (host.starts_with("127.") && ::inet_pton(AF_INET, host.c_str(), &address) == 1);
  }
  /// Of any address of this machine: by its name.
  [[nodiscard]] std::string url() const {
    const bool is_any = host == "0.0.0.0" || host == "::";
    const std::string name = is_any ? host_name() : host;
    const bool has_colons = name.find(':') != std::string::npos;
    return fmt::format("{}://{}{}{}:{}", is_loopback() ? "http" : "https", has_colons ? "[" : "",
                       name, has_colons ? "]" : "", port);
  }
};

/// Of HOST:PORT, or [HOST]:PORT for a host with colons. Throws InputError.
Endpoint endpoint_of(std::string_view text, const char* option) {
  Endpoint endpoint;
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  constexpr int kLast = 65'535;
  if (colon == std::string_view::npos || host.empty() ||
      !read_number(text.substr(colon + 1), endpoint.port) || endpoint.port < 0 ||
      endpoint.port > kLast) {
    throw InputError(fmt::format("{}: is '{}', ADDRESS:PORT such as 127.0.0.1:8765 is allowed",
                                 option, printable(text)));
  }
  endpoint.host = host;
  return endpoint;
}

openssl::Memory memory_of(const std::string& text) {
  return openssl::Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

openssl::Certificate read_certificate(const std::string& text) {
  return openssl::Certificate(PEM_read_bio_X509(memory_of(text).get(), nullptr, nullptr, nullptr));
}

openssl::Key read_key(const std::string& text) {
  return openssl::Key(PEM_read_bio_PrivateKey(memory_of(text).get(), nullptr, nullptr, nullptr));
}

/// Whether a task was taken, as newer versions of the library want to know; nothing in older ones.
using Taken = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));

/// A thread for each connection, as each waits most of the time.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  Taken enqueue(std::function<void()> serve) override {
    constexpr std::size_t kMost = 4096;
    constexpr auto kPause = std::chrono::milliseconds(20);
    for (reap(); threads_.size() >= kMost; reap()) std::this_thread::sleep_for(kPause);
    Connection& connection = threads_.emplace_back();
    try {
      connection.thread = std::thread([&connection, serve] {
        serve();
        connection.is_over = true;
      });
    } catch (const std::system_error&) {  // no more threads: all others wait for this one
      threads_.pop_back();
      serve();
    }
    return static_cast<Taken>(true);
  }
  void shutdown() override {
    for (Connection& connection : threads_) connection.thread.join();
    threads_.clear();
  }

 private:
  struct Connection {
    std::thread thread = {};
    std::atomic<bool> is_over = false;
  };

  void reap() {
    std::erase_if(threads_, [](Connection& connection) {
      if (!connection.is_over) return false;
      connection.thread.join();
      return true;
    });
  }

  std::list<Connection> threads_;
};

bool is_token(const std::string& given, const std::string& token) {
  return given.size() == token.size() &&
         CRYPTO_memcmp(given.data(), token.data(), token.size()) == 0;
}

}  // namespace

class FleetServer::Listener {
 public:
  Listener(const std::string& address, const FleetSecret& secret,
           std::function<Json(const Json&)> answer)
      : answer_(std::move(answer)), expected_("Bearer " + secret.token) {
    Endpoint endpoint = endpoint_of(address, "--listen");
    make_server(endpoint, secret);
    set_up();
    if (endpoint.port == 0) {
      endpoint.port = server_->bind_to_any_port(endpoint.host);
    } else if (!server_->bind_to_port(endpoint.host, endpoint.port)) {
      endpoint.port = -1;
    }
    if (endpoint.port < 0) {
      throw InputError(fmt::format(
          "--listen: {} cannot be used, by a server that runs or because the address is none of "
          "this machine; port 0 takes a free one",
          printable(address)));
    }
    // The library lets five connections wait, and all workers may come at once.
    (void)::listen(socket_, SOMAXCONN);
    url_ = endpoint.url();
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~Listener() {
    is_ending_ = true;
    server_->stop();
    thread_.join();
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  void make_server(const Endpoint& endpoint, const FleetSecret& secret) {
    if (endpoint.is_loopback()) {
      server_ = std::make_unique<httplib::Server>();
      return;
    }
    const auto certificate = read_certificate(secret.certificate);
    const auto key = read_key(secret.key);
    if (!certificate || !key) {
      throw InputError(
          "--token: the file has no certificate, or FILE.key no key, which an address that is not "
          "of this machine alone needs; name a file that does not exist, and it is made");
    }
    server_ = std::make_unique<httplib::SSLServer>(certificate.get(), key.get());
  }

  void set_up() {
    constexpr std::size_t kLongest = 64'000'000;
    constexpr int kIdle = 1;  // seconds that a connection without a request stays, also at the end
    server_->new_task_queue = [] { return new ConnectionThreads(); };
    // The library would let two servers share a port.
    server_->set_socket_options([this](socket_t socket) {
      socket_ = socket;
      const int yes = 1;
      (void)::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_->set_payload_max_length(kLongest);
    server_->set_tcp_nodelay(true);
    server_->set_keep_alive_max_count(1'000'000'000);
    server_->set_keep_alive_timeout(kIdle);
    // Before the body is read, which may be long.
    server_->set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          if (is_token(request.get_header_value("Authorization"), expected_)) {
            return httplib::Server::HandlerResponse::Unhandled;
          }
          response.status = kUnauthorised;
          response.set_header("Connection", "close");
          return httplib::Server::HandlerResponse::Handled;
        });
    server_->Post("/", [this](const httplib::Request& request, httplib::Response& response) {
      const Json message = parse_json(request.body);
      const Json answer =
          message.is_object() ? answer_(message) : Json{{"error", "no JSON object"}};
      // A worker that asks at once again would keep its connection, and newer versions of the
      // library serve it for as long as it does.
      if (is_ending_) response.set_header("Connection", "close");
      response.set_content(json_line(answer), kType);
    });
  }

  std::function<Json(const Json&)> answer_;
  std::string expected_;
  std::string url_;
  std::unique_ptr<httplib::Server> server_;
  std::atomic<bool> is_ending_ = false;
  socket_t socket_ = INVALID_SOCKET;
  std::thread thread_;
};

FleetServer::FleetServer(const std::string& address, const FleetSecret& secret,
                         std::function<Json(const Json&)> answer)
    : listener_(std::make_unique<Listener>(address, secret, std::move(answer))) {}

FleetServer::~FleetServer() = default;

const std::string& FleetServer::url() const { return listener_->url(); }

class FleetClient::Connection {
 public:
  Connection(const std::string& url, const FleetSecret& secret)
      : url_(url), certificate_(read_certificate(secret.certificate)) {
    std::string_view rest = url;
    while (rest.ends_with('/')) rest.remove_suffix(1);
    const bool is_safe = rest.starts_with("https://");
    if (!is_safe && !rest.starts_with("http://")) {
      throw InputError(
          fmt::format("'{}' is no URL; ntune serve prints it, such as "
                      "https://192.0.2.7:8765",
                      printable(url)));
    }
    rest.remove_prefix(rest.find("//") + 2);
    const Endpoint endpoint = endpoint_of(rest, "URL");
    if (is_safe) {
      make_safe(endpoint);
    } else if (endpoint.is_loopback()) {
      client_ = std::make_unique<httplib::ClientImpl>(endpoint.host, endpoint.port);
    } else {
      throw InputError(fmt::format("'{}' would send the token for all to read; https:// is allowed",
                                   printable(url)));
    }
    constexpr int kPatience = 20;  // seconds; the server answers within ten
    client_->set_connection_timeout(kPatience);
    client_->set_read_timeout(kPatience);
    client_->set_keep_alive(true);
    client_->set_tcp_nodelay(true);
    client_->set_bearer_token_auth(secret.token);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  std::optional<Json> post(const Json& message) {
    const httplib::Result result = client_->Post("/", json_line(message), kType);
    if (is_other_) {
      throw InputError(fmt::format(
          "{}: the server has another certificate than that of the token file", printable(url_)));
    }
    if (!result) return std::nullopt;
    if (result->status == kUnauthorised) {
      throw InputError(fmt::format("{}: the server has another token", printable(url_)));
    }
    Json answer = parse_json(result->body);
    if (answer.is_object()) return answer;
    throw InputError(fmt::format("{}: what answers there is no ntune serve", printable(url_)));
  }

  void close() { client_->stop(); }

 private:
  /// The server is known by its certificate alone.
  void make_safe(const Endpoint& endpoint) {
    if (!certificate_) throw InputError("--token: the file has no certificate, which https needs");
    auto client = std::make_unique<httplib::SSLClient>(endpoint.host, endpoint.port);
    client->enable_server_certificate_verification(false);  // by names and authorities
    SSL_CTX_set_verify(client->ssl_context(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(
        client->ssl_context(),
        [](X509_STORE_CTX* context, void* object) {
          auto& self = *static_cast<Connection*>(object);
          X509* shown = X509_STORE_CTX_get0_cert(context);
          self.is_other_ = shown == nullptr || X509_cmp(shown, self.certificate_.get()) != 0;
          return self.is_other_ ? 0 : 1;
        },
        this);
    client_ = std::move(client);
  }

  std::string url_;
  openssl::Certificate certificate_;
  std::unique_ptr<httplib::ClientImpl> client_;
  bool is_other_ = false;  ///< the server is another one
};

FleetClient::FleetClient(const std::string& url, const FleetSecret& secret)
    : connection_(std::make_unique<Connection>(url, secret)) {}

FleetClient::~FleetClient() = default;
FleetClient::FleetClient(FleetClient&&) noexcept = default;

std::optional<Json> FleetClient::post(const Json& message) { return connection_->post(message); }

void FleetClient::rest(double seconds) {
  constexpr double kLong = 0.5;
  if (seconds >= kLong) connection_->close();
}

}  // namespace ntune::cli
