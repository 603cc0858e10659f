#include "apps/ntune/live_studies.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/ntune/fleet/fleet_status.h"
#include "apps/ntune/status_line.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/report/page/board.h"
#include "ntune/report/page/page.h"
#include "ntune/report/page/sections.h"
#include "ntune/study/journal/journal.h"

namespace ntune::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNoteName = "note.md";
constexpr const char* kResultName = "result.json";

/// The studies below a folder, by their paths from there; links are not followed, and neither
/// hidden folders nor those of studies are looked into.
void find_studies(const fs::path& folder, const fs::path& root, int depth,
                  std::vector<fs::path>& found) {
  constexpr std::size_t kMost = 1000;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
    std::error_code ignored;
    if (entry.is_symlink(ignored) || !entry.is_directory(ignored) ||
        entry.path().filename().native().starts_with('.')) {
      continue;
    }
    // A study is not looked into: what is below it is its own.
    if (is_study(entry.path())) {
      if (found.size() < kMost) found.push_back(entry.path().lexically_relative(root));
    } else if (depth > 1) {
      find_studies(entry.path(), root, depth - 1, found);
    }
  }
}

/// The text as a part of the query of a link.
std::string query_text(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace

bool is_study(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kJournalName, error);
}

LiveStudy::LiveStudy(fs::path folder) : folder_(std::move(folder)) {}

std::string LiveStudy::page() {
  const std::scoped_lock lock(mutex_);
  const std::string version = version_of_files();
  // A page takes seconds, so it is kept while the files stay.
  if (page_.empty() || version != version_) {
    page_ = live_page(read_report(folder_, {}), version);
    version_ = version;
  }
  return page_;
}

std::string LiveStudy::state() {
  const std::scoped_lock lock(mutex_);
  const StudyStatus status = watch().look();
  const Json fleet = present_fleet(folder_);
  const std::string workers = fleet_text(fleet);
  return json_line({{"line", status_line(status) + (workers.empty() ? "" : "  " + workers)},
                    {"workers", fleet_lines(fleet)},
                    {"share", status.share()},
                    {"test", status.test ? ratio_bar(*status.test) : ""},
                    {"version", version_of_files()}});
}

StudyRow LiveStudy::row(bool may_begin) {
  const std::scoped_lock lock(mutex_);
  if (!watch_ && !may_begin) {
    return {.title = path_text(folder_.filename()), .state = "to be read"};
  }
  try {
    const StudyStatus status = watch().look();
    StudyRow row = study_row(*watch_, status);
    const std::string workers = fleet_text(present_fleet(folder_));
    if (!workers.empty()) row.budget += ", " + workers;
    return row;
  } catch (const InputError& error) {
    // The next look begins anew, as the study may be readable by then.
    watch_.reset();
    return {.kind = StudyRow::Kind::kNeedsPerson,
            .title = path_text(folder_.filename()),
            .state = "unreadable",
            .finding = error.what()};
  }
}

StudyWatch& LiveStudy::watch() {
  if (!watch_) watch_ = std::make_unique<StudyWatch>(folder_);
  return *watch_;
}

/// Sizes and times of what a page is made from. A test that goes on has its bar in the header.
std::string LiveStudy::version_of_files() const {
  std::string version;
  std::vector<fs::path> files = {folder_ / kJournalName, folder_ / kResultName};
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, none)) {
    const bool is_test = entry.path().filename().native().starts_with("verify-");
    if (is_test && !is_folder_held(entry.path()).value_or(false)) {
      files.push_back(entry.path() / kResultName);
    }
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error) continue;
    version +=
        fmt::format("{} {} ", size, fs::last_write_time(file, error).time_since_epoch().count());
  }
  return version;
}

LiveBoard::LiveBoard(fs::path root) : root_(std::move(root)) {}

std::string LiveBoard::page() const { return board_page(path_text(root_)); }

std::string LiveBoard::rows() {
  constexpr double kPatience = 1.0;
  const Clock::time_point end = seconds_from_now(kPatience);
  std::vector<BoardRow> rows;
  // Studies that were never read wait for the next call once a second is over.
  for (const auto& [key, study] : look()) {
    rows.push_back({.study = study->row(Clock::now() < end),
                    .key = key,
                    .link = "study?of=" + query_text(key)});
  }
  sort_board(rows);
  const std::vector<std::vector<std::string>> cells = board_cells(rows);
  const auto urgent = std::ranges::count_if(
      rows, [](const BoardRow& row) { return row.study.kind == StudyRow::Kind::kNeedsPerson; });
  Json json = {{"counts", board_counts(rows)}, {"urgent", urgent}, {"rows", Json::array()}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    json["rows"].push_back(
        {{"key", rows[i].key}, {"cells", cells[i]}, {"note", note_of(rows[i].key)}});
  }
  return json_line(json);
}

std::string LiveBoard::comparison(const LiveStudy& first, const LiveStudy& second) {
  std::vector<ReportData> studies;
  for (const LiveStudy* study : {&first, &second}) {
    studies.push_back(read_report(study->folder(), {}));
  }
  share_colours(studies);
  return report_page(studies);
}

std::shared_ptr<LiveStudy> LiveBoard::find(const std::string& key) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = studies_.find(key); known != studies_.end()) return known->second;
  }
  // A study that is new since the last look is found by another one.
  const Studies studies = look();
  const auto found = studies.find(key);
  return found == studies.end() ? nullptr : found->second;
}

void LiveBoard::keep_note(const std::string& key, const std::string& text) const {
  const fs::path file = root_ / key / kNoteName;
  if (text.empty()) {
    fs::remove(file);
  } else {
    write_file_atomically(file, text + '\n');
  }
}

LiveBoard::Studies LiveBoard::look() {
  constexpr int kDepth = 4;
  std::vector<fs::path> found;
  find_studies(root_, root_, kDepth, found);
  // Known studies keep their watch, which has read their journal already.
  const std::scoped_lock lock(mutex_);
  Studies studies;
  for (const fs::path& path : found) {
    const auto known = studies_.find(path.string());
    studies[path.string()] =
        known != studies_.end() ? known->second : std::make_shared<LiveStudy>(root_ / path);
  }
  studies_ = studies;
  return studies;
}

std::string LiveBoard::note_of(const std::string& key) const {
  constexpr std::uintmax_t kLargest = 10'000;
  std::error_code error;
  const fs::path file = root_ / key / kNoteName;
  // A file of that name that is too long is no note of ours.
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargest) return {};
  std::string text = read_file(file, kLargest);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace ntune::cli
