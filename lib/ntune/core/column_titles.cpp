#include "ntune/core/column_titles.h"

#include <algorithm>
#include <array>

#include "ntune/core/text.h"

namespace ntune {

namespace {

bool has_prefix(const std::string& name) {
  constexpr std::array kPrefixes = {kParameterPrefix, kGoalPrefix, kOpponentPrefix,
                                    kReturnedPrefix};
  return std::ranges::any_of(kPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

ColumnTitles::ColumnTitles(const std::vector<std::string>& columns)
    : taken_(columns.begin(), columns.end()) {}

ColumnTitles::ColumnTitles(std::string_view columns) {
  for (const std::string_view column : split(columns, ',')) taken_.emplace(column);
}

bool ColumnTitles::is_taken(const std::string& title,
                            const std::vector<std::string>& endings) const {
  return std::ranges::any_of(
      endings, [&](const std::string& ending) { return taken_.contains(title + ending); });
}

std::string ColumnTitles::of(std::string_view prefix, const std::string& name,
                             const std::vector<std::string>& endings) const {
  std::string title = has_prefix(name) ? std::string(prefix) + name : name;
  while (is_taken(title, endings)) title.insert(0, prefix);
  return title;
}

std::string ColumnTitles::add(std::string_view prefix, const std::string& name,
                              const std::vector<std::string>& endings) {
  std::string title = of(prefix, name, endings);
  for (const std::string& ending : endings) taken_.insert(title + ending);
  return title;
}

std::string parameter_of_title(const std::string& title) {
  return title.starts_with(kParameterPrefix) ? title.substr(kParameterPrefix.size()) : title;
}

}  // namespace ntune
