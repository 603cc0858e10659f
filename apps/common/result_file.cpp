#include "apps/common/result_file.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"

namespace ntune::cli {

std::string result_key(const std::string& text) {
  return fmt::format("{:016x}", Rng(0).stream(std::string_view(text)).key());
}

ResultLines::ResultLines(const std::string& path, const ResultFileForm& form,
                         const std::function<bool(const std::vector<CsvField>&)>& take) {
  if (path.empty()) return;
  constexpr std::uintmax_t kLimit = 1'000'000'000;
  std::string content;
  if (std::filesystem::exists(path)) content = read_file(path, kLimit);
  content.erase(content.find_last_of('\n') + 1);  // what was cut off
  CsvReader reader(content, printable(path, 1000));
  if (reader.next() && reader.text() != form.header) {
    reader.fail(fmt::format("no results of {}", form.program));
  }
  while (reader.next()) {
    bool is_whole = false;
    try {
      is_whole = take(reader.fields());
    } catch (const InputError&) {
    }
    if (!is_whole)
      reader.fail(fmt::format("damaged; delete the line to have {} again", form.again));
  }
  file_ = std::make_unique<AppendFile>(path, content.size());
  if (content.empty()) file_->append(std::string(form.header) + '\n');
}

void ResultLines::add(const std::string& line) {
  if (file_) file_->append(line + '\n');
}

}  // namespace ntune::cli
