#include "apps/amazons/results.h"

#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

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

std::optional<std::pair<std::string, CaseResult>> read_line(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  CaseResult result;
  if (fields.size() != 8 || (fields[3] != "0" && fields[3] != "1") ||
      !read(fields[6], result.nodes) || !read(fields[7], result.seconds)) {
    return std::nullopt;
  }
  result.is_finished = fields[3] == "1";
  result.value = {parse_dyadic("mean", fields[4]), parse_dyadic("temperature", fields[5])};
  return std::pair(fields[0], result);
}

}  // namespace

ResultFile::ResultFile(std::string path) {
  if (path.empty()) return;
  constexpr std::uintmax_t kLimit = 1'000'000'000;
  std::string content;
  if (std::filesystem::exists(path)) content = read_file(path, kLimit);
  content.erase(content.find_last_of('\n') + 1);  // what was cut off
  std::istringstream in(content);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const auto fail = [&](const char* what) {
      throw InputError(fmt::format("{}:{}: {}", printable(path, 1000), number, what));
    };
    if (++number == 1) {
      if (line != kHeader) fail("no results of amazons");
      continue;
    }
    std::optional<std::pair<std::string, CaseResult>> entry;
    try {
      entry = read_line(line);
    } catch (const InputError&) {
    }
    if (!entry) fail("damaged; delete the line to have the search done again");
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
