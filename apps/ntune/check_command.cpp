#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/published.h"
#include "ntune/study/report_text.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

int check_command(const std::vector<std::string>& studies, const Terminal& terminal) {
  int code = kDone;
  for (const std::string& path : studies) {
    try {
      const Study study = read_study(read_yaml(path));
      if (!study.published_file.empty()) {
        check_published(study, read_published(study.published_file));
      }
      terminal.out << path << ": ok\n" << plan_text(study);
    } catch (const InputError& error) {
      terminal.err << error.what() << '\n';
      code = kWrongInput;
    }
  }
  return code;
}

}  // namespace ntune::cli
