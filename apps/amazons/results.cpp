#include "apps/amazons/results.h"

#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/option_json.h"
#include "ntune/core/options.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

namespace {

constexpr const char* kHeader = "key,variant,board,finished,mean,temperature,nodes,seconds";

template <class Number>
bool read(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

std::optional<std::pair<std::string, CaseResult>> read_record(const std::vector<CsvField>& fields) {
  CaseResult result;
  if (fields.size() != 8 || (fields[3].text != "0" && fields[3].text != "1") ||
      !read(fields[6].text, result.nodes) || !read(fields[7].text, result.seconds)) {
    return std::nullopt;
  }
  result.is_finished = fields[3].text == "1";
  result.value = {parse_dyadic("mean", fields[4].text),
                  parse_dyadic("temperature", fields[5].text)};
  return std::pair(fields[0].text, result);
}

}  // namespace

ResultFile::ResultFile(std::string path) {
  if (path.empty()) return;
  constexpr std::uintmax_t kLimit = 1'000'000'000;
  std::string content;
  if (std::filesystem::exists(path)) content = read_file(path, kLimit);
  content.erase(content.find_last_of('\n') + 1);  // what was cut off
  CsvReader reader(content, printable(path, 1000));
  if (reader.next() && reader.text() != kHeader) reader.fail("no results of amazons");
  while (reader.next()) {
    std::optional<std::pair<std::string, CaseResult>> entry;
    try {
      entry = read_record(reader.fields());
    } catch (const InputError&) {
    }
    if (!entry) reader.fail("damaged; delete the line to have the search done again");
    results_.insert(*entry);
  }
  file_ = std::make_unique<AppendFile>(path, content.size());
  if (content.empty()) file_->append(std::string(kHeader) + '\n');
}

std::string ResultFile::key(const TdsOptions& options, const Case& one) {
  const std::string text = options_json(options).dump() + ' ' + one.board;
  return fmt::format("{:016x}", Rng(0).stream(std::string_view(text)).key());
}

const CaseResult* ResultFile::find(const std::string& key) const {
  const auto found = results_.find(key);
  return found == results_.end() ? nullptr : &found->second;
}

void ResultFile::add(const std::string& key, const TdsOptions& options, const Case& one,
                     const CaseResult& result) {
  results_[key] = result;
  if (!file_) return;
  file_->append(fmt::format(
      "{},{},{},{},{},{},{},{}\n", key, tds_variant_text(options.enhancements), one.board,
      result.is_finished ? 1 : 0, dyadic_text(result.value.mean),
      dyadic_text(result.value.temperature), result.nodes, number_text(result.seconds)));
}

}  // namespace ntune::amazons
