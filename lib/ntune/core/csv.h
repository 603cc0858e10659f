#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ntune {

/// A field for a CSV file (RFC 4180), in quotes if it holds a comma, a quote or a line end.
std::string csv_field(std::string_view text);
/// The text as a CSV field that is in quotes in any case.
std::string csv_quoted(std::string_view text);

/// A field of a CSV record without its quotes.
struct CsvField {
  std::string text;
  bool quoted = false;

  friend bool operator==(const CsvField&, const CsvField&) = default;
};

/// Which liberties beside RFC 4180 a CSV file may take.
struct CsvStyle {
  enum class Comments { kNone, kBeforeHeader, kEverywhere };

  Comments comments = Comments::kNone;  ///< which lines that begin with # are comments
  bool trim = false;                    ///< blanks and tabs around a field do not belong to it
  bool line_ends = true;                ///< a quoted field may hold line ends
  bool whole = false;                   ///< a last line without its line end is refused
};

/// Reads the records of a CSV text one by one. Quoted fields may hold commas, quotes in pairs and
/// line ends. Lines end with \n or \r\n. Blank lines and a byte order mark do not count.
class CsvReader {
 public:
  /// The text must outlive the reader. Messages begin with `name`, as it is.
  CsvReader(std::string_view text, std::string name, CsvStyle style = {});

  /// Goes to the next record; false at the end. Throws InputError "name:line: …" for a quote that
  /// is not closed and for text behind a closing quote.
  bool next();

  [[nodiscard]] const std::vector<CsvField>& fields() const { return fields_; }
  /// The record as the file has it, without the line end.
  [[nodiscard]] std::string_view text() const { return record_; }
  /// Line of the file on which the record begins, from 1.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// The comments before the first record, each with its #.
  [[nodiscard]] const std::vector<std::string_view>& comments() const { return comments_; }

  /// Throws InputError "name:line: message".
  [[noreturn]] void fail(const std::string& message) const;

 private:
  [[nodiscard]] bool is_comment(std::string_view line) const;
  [[nodiscard]] bool at_field_end() const;
  [[nodiscard]] std::string_view up_to_field_end();
  void read_record();
  void read_field();
  [[nodiscard]] std::string read_quoted();

  std::string_view text_;
  std::string name_;
  CsvStyle style_;
  std::size_t at_ = 0;
  std::size_t next_line_ = 1;
  std::size_t line_ = 0;
  bool has_record_ = false;
  std::string_view record_;
  std::vector<CsvField> fields_;
  std::vector<std::string_view> comments_;
};

/// The place of a column in a header; empty if there is none of this name.
std::optional<std::size_t> find_column(std::span<const CsvField> header, std::string_view name);

}  // namespace ntune
