#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ntune/core/json_fwd.h"
#include "ntune/study/journal/journal_line.h"

namespace ntune {

/// What is wrong with a line in the middle of a journal, and what to do.
inline constexpr const char* kNoJournalLine =
    "is not a line of a journal: it is torn or was edited; delete it and all lines behind it, and "
    "--resume makes their evaluations again";

/// Reads a journal from its first line on, of this version (README.md) or of 0.2, piece by piece.
class JournalReader {
 public:
  using Visit = std::function<void(const JournalLine&)>;

  /// `name`: of the journal, for messages.
  explicit JournalReader(std::string name) : name_(std::move(name)) {}

  /// Reads the whole lines of a text that stands behind what was read before. Returns their bytes;
  /// a last line that a crash has torn, or that is still being written, is not passed on. Throws
  /// InputError "name:line: …" for lines that are not a journal's.
  std::size_t read(std::string_view text, const Visit& visit);

  /// The form of the lines that follow: 1, of version 0.2, or kJournalFormat.
  [[nodiscard]] int format() const { return format_; }
  /// Evaluations that are handed out at this place.
  [[nodiscard]] const HandedOutEvaluations& handed_out() const { return handed_out_; }
  /// The time that the next line counts from, in microseconds.
  [[nodiscard]] std::int64_t micros() const { return micros_; }

 private:
  [[nodiscard]] bool read_line(std::string_view text);
  [[nodiscard]] bool read_header(std::string_view text);
  [[nodiscard]] bool read_object(std::string_view text);
  [[nodiscard]] bool read_evaluation(std::string_view text);
  [[nodiscard]] bool take_trial();
  /// Lines of version 0.2 (older_lines.cpp).
  [[nodiscard]] bool read_older(std::string_view text);
  [[nodiscard]] bool read_older_fields(std::string_view text);
  [[nodiscard]] bool read_older_record(std::string_view text);
  [[nodiscard]] bool take_older_trial(std::string_view record);
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;

  std::string name_;
  JournalLine line_;
  int format_ = 0;  ///< 0: nothing has been read
  std::int64_t trials_ = 0;
  std::int64_t micros_ = 0;
  HandedOutEvaluations handed_out_;
  /// Why trials failed that version 0.2 had handed out: it wrote the reasons in lines of their own.
  std::unordered_map<std::int64_t, std::string> reasons_;
};

/// The form that lines are written in.
inline constexpr int kJournalFormat = 2;

/// How a header and an extension begin, in either form.
inline constexpr std::string_view kHeaderBegin = R"({"ntune":{"format":)";

/// Reads a whole journal.
std::size_t scan_journal(std::string_view text, const std::string& name,
                         const JournalReader::Visit& visit);

/// The value of `ntune` in a header or an extension: {"format": 2, "version": …, "study": {…}}.
/// Throws InputError "name:line: …" where it is none.
Json journal_header(std::string_view text, const std::string& name, std::size_t line = 1);

/// Reads a journal's file while its study goes on, without a lock.
class JournalTail {
 public:
  explicit JournalTail(const std::string& name) : name_(name), reader_(name) {}

  /// Passes on lines behind those of earlier calls. False where there are none yet; a journal that
  /// is larger than a piece takes several calls. Throws InputError.
  bool read(const JournalReader::Visit& visit);

 private:
  std::string name_;
  JournalReader reader_;
  std::uintmax_t offset_ = 0;
};

}  // namespace ntune
