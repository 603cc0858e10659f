#include "ntune/study/export/export_settings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/space/nested_values.h"

namespace ntune {

std::string settings_text(const SearchSpace& space, const Point& point, ExportTarget target) {
  if (target == ExportTarget::kTag) return nested_json(point, space).dump(2) + '\n';
  std::string text;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!space.is_active(point, i)) continue;
    const std::string& name = space[i].name;
    const std::string value = value_text(space.value(point, i));
    if ((name + value).find_first_of("\n\r") != std::string::npos) {
      throw InputError(
          fmt::format("parameter '{}': its name or value has several lines, which an "
                      "option of UCI cannot have",
                      printable(name, 60)));
    }
    if (target == ExportTarget::kUci) {
      text += fmt::format("setoption name {} value {}\n", name, value);
    } else {
      text += fmt::format("{}{}", text.empty() ? "" : " ",
                          shell_word(fmt::format("option.{}={}", name, value)));
    }
  }
  return target == ExportTarget::kUci ? text : text + '\n';
}

}  // namespace ntune
