#include "apps/ntune/resident.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <istream>
#include <sstream>
#include <streambuf>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/ntune/served_study.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/core/local_socket.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
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

/// The requests of one process after the other as one stream of lines. Before the next one is read,
/// the answer to the last one is safe on the disk and sent, and the folder is left to others.
class Visitors final : public std::streambuf {
 public:
  Visitors(Journal& journal, LocalListener& listener) : journal_(journal), listener_(listener) {}

  /// Where the study writes its answers.
  std::ostream& answers() { return answers_; }

  /// Sends what the study has answered to the visitor who waits for it.
  void send_answer() {
    if (visitor_) (void)visitor_->write_line(lines_of(answers_.str()));
    visitor_.reset();
    answers_.str({});
  }

 private:
  static std::string lines_of(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  int_type underflow() override {
    journal_.leave();
    send_answer();
    std::optional<std::string> request = next_request();
    if (!request) return traits_type::eof();
    if (!journal_.enter(kPatienceWithOthers)) {
      answers_ << Json{{"stale", true}}.dump();
      send_answer();
      return traits_type::eof();
    }
    line_ = *std::move(request) + '\n';
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_[0]);
  }

  /// Nothing when nobody has come for long, or nobody can come any more.
  std::optional<std::string> next_request() {
    const auto end = Clock::now() + kIdle;
    while (Clock::now() < end && listener_.is_reachable()) {
      visitor_ = listener_.accept(kWait);
      if (!visitor_) continue;
      if (auto line = visitor_->read_line(kWait)) return line;
      visitor_.reset();
    }
    return std::nullopt;
  }

  Journal& journal_;
  LocalListener& listener_;
  std::optional<LocalConnection> visitor_;
  std::ostringstream answers_;
  std::string line_;
};

/// The program that runs, if it is ntune itself.
std::string own_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return !error && program.filename() == "ntune" ? program.string() : std::string();
}

}  // namespace

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
  Visitors visitors(journal, listener);
  std::istream requests(&visitors);
  const ServeOptions options{.again = false, .finished = [&](const StudyResult& result) {
                               write_finished(folder, study, result);
                             }};
  try {
    serve_study(study, &journal, requests, visitors.answers(), options);
  } catch (...) {
    visitors.send_answer();
    throw;
  }
  return kDone;
}

}  // namespace ntune::cli
