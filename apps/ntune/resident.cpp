#include "apps/ntune/resident.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/ntune/served_study.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/local_socket.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/serve/serve.h"
#include "ntune/version.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

constexpr auto kPatienceWithOthers = std::chrono::seconds(30);
constexpr auto kIdle = std::chrono::minutes(10);
constexpr auto kWait = std::chrono::seconds(1);

/// Programs of different versions do not talk to each other.
std::string socket_name() { return fmt::format(".resident-{}", kVersion); }

/// A process that has a request, and waits for the answer.
struct Visitor {
  LocalConnection connection;
  std::string request;
};

/// The next one; nothing when nobody has come for long, or nobody can come any more.
std::optional<Visitor> next_visitor(LocalListener& listener) {
  const auto end = Clock::now() + kIdle;
  while (Clock::now() < end && listener.is_reachable()) {
    std::optional<LocalConnection> connection = listener.accept(kWait);
    if (!connection) continue;
    if (auto line = connection->read_line(kWait)) return Visitor{*std::move(connection), *line};
  }
  return std::nullopt;
}

}  // namespace

std::string own_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return !error && program.filename() == "ntune" ? program.string() : std::string();
}

std::optional<Json> ask_resident(const fs::path& folder, const Json& request) {
  auto resident = connect_locally(folder, socket_name());
  if (!resident || !resident->write_line(request.dump())) return std::nullopt;
  // A resident that has just begun answers as soon as it has read the journal.
  const auto line = resident->read_line(std::chrono::hours(1));
  if (!line) return std::nullopt;
  Json answer = parse_json(*line);
  if (!answer.is_object() || answer.contains("stale")) return std::nullopt;
  return answer;
}

void begin_resident(const fs::path& folder) {
  const std::string program = own_program();
  if (program.empty()) return;
  std::string name = fs::absolute(folder).string();
  std::string command = "resident";
  std::string own_name = "ntune";
  char* const arguments[] = {own_name.data(), command.data(), name.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (::posix_spawn_file_actions_init(&files) != 0) return;
  if (::posix_spawnattr_init(&attributes) == 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      (void)::posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    }
    // It must not hold what the caller has open, such as a lock or a pipe, nor its folder.
    (void)::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    (void)::posix_spawn_file_actions_addchdir_np(&files, "/");
    (void)::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    pid_t process = 0;
    // Without a resident everything works all the same, only slower.
    (void)::posix_spawn(&process, program.c_str(), &files, &attributes, arguments, environ);
    (void)::posix_spawnattr_destroy(&attributes);
  }
  (void)::posix_spawn_file_actions_destroy(&files);
}

int resident_command(const ResidentArguments& arguments, const Terminal&) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  const fs::path folder = arguments.folder;
  if (connect_locally(folder, socket_name())) return kDone;  // there is one
  // Visitors may come while the journal is read, and wait.
  LocalListener listener(folder, socket_name());
  const Study study = read_held_study(folder);
  Journal journal(folder, study, Journal::Open::kResume, kPatienceWithOthers);
  journal.count_waiting();
  StudySession session(study, &journal,
                       {.again = false, .finished = [&](const StudyResult& result) {
                          write_finished(folder, study, result);
                        }});
  // Before an answer is sent it is safe on the disk, and the folder is left to others.
  journal.leave();
  while (!session.ended()) {
    std::optional<Visitor> visitor = next_visitor(listener);
    if (!visitor) break;
    if (!journal.enter(kPatienceWithOthers)) {
      (void)visitor->connection.write_line(Json{{"stale", true}}.dump());
      break;
    }
    const Json answer = answer_line(session, visitor->request);
    journal.leave();
    (void)visitor->connection.write_line(json_line(answer));
  }
  session.check();
  return kDone;
}

}  // namespace ntune::cli
