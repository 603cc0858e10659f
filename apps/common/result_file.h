#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/append_file.h"
#include "ntune/core/csv.h"

namespace ntune::cli {

/// A key that stands for everything that a result depends on, which `text` names.
std::string result_key(const std::string& text);

struct ResultFileForm {
  const char* header;   ///< its first line; the first column is the key
  const char* program;  ///< that writes it: "bao reproduce"
  const char* again;    ///< what is done where a line is missing: "the match played"
};

/// The lines of a file of results, read at the beginning and added to.
class ResultLines {
 public:
  /// take(fields): whether the line is whole. An empty path: there is no file. Throws InputError
  /// "path:line: …" where it is damaged; a last line without an end was cut off and does not count.
  ResultLines(const std::string& path, const ResultFileForm& form,
              const std::function<bool(const std::vector<CsvField>&)>& take);
  void add(const std::string& line);

 private:
  std::unique_ptr<AppendFile> file_;
};

/// Results in a CSV file, found by their keys. A line is added for each, so that a long computation
/// can be broken off. Not for several threads at once.
template <class Result>
class ResultFile {
 public:
  using Read = std::optional<Result> (*)(const std::vector<CsvField>& fields);

  /// `read` may throw InputError or return nothing for a damaged line.
  ResultFile(const std::string& path, const ResultFileForm& form, Read read)
      : lines_(path, form, [&](const std::vector<CsvField>& fields) {
          const std::optional<Result> result = read(fields);
          if (result) results_[fields[0].text] = *result;
          return result.has_value();
        }) {}

  [[nodiscard]] const Result* find(const std::string& key) const {
    const auto found = results_.find(key);
    return found == results_.end() ? nullptr : &found->second;
  }
  /// `line`: all columns but the key.
  void add(const std::string& key, const Result& result, const std::string& line) {
    results_[key] = result;
    lines_.add(key + ',' + line);
  }

 private:
  std::map<std::string, Result> results_;
  ResultLines lines_;
};

}  // namespace ntune::cli
