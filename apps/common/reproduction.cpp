#include "apps/common/reproduction.h"

#include <fmt/format.h>

#include "apps/common/claims.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/plot/picture.h"

namespace ntune::cli {

void ReproduceArguments::visit_experiment(Flags& flags, const std::vector<std::string>& names) {
  flags.value("experiment", experiment, "NAME", list_text(names)).one_of(names);
  flags.flag("--list", list,
             "what the papers claim, what was measured of it, and the command and time that it "
             "takes");
}

void ReproduceArguments::visit_output(Flags& flags) { flags.plot(plot).output(output); }

std::string reproduction_text(const Reproduction& reproduction) {
  return fmt::format("{}\n{}\n{}{}{}{}", reproduction.title, reproduction.setup,
                     reproduction.table.text(), reproduction.more,
                     reproduction.remarks.empty() ? "" : "\n", reproduction.remarks);
}

Reproduced reproduced(const std::string& experiment, const Reproduction& reproduction,
                      const Json& setting) {
  Json json = {{"experiment", experiment}, {"title", reproduction.title}};
  json.update(setting);
  json["rows"] = reproduction.table.rows();
  if (!reproduction.summary.is_null()) json["summary"] = reproduction.summary;
  return {json, reproduction.table.rows(), reproduction_text(reproduction), {}};
}

int reproduce(const char* laboratory, const std::vector<std::string>& names,
              const ReproduceArguments& arguments, const Terminal& terminal,
              const std::function<Reproduced()>& carry_out) {
  if (arguments.list && !arguments.experiment.empty()) {
    throw InputError("--list: does not go with an experiment; it shows the claims of all");
  }
  if (arguments.list) return list_claims(laboratory, arguments.output.format, terminal);
  if (arguments.experiment.empty()) {
    throw InputError(
        fmt::format("an experiment is missing: {}; --list shows what they decide, and the time",
                    list_text(names)));
  }
  if (!arguments.plot.empty()) check_picture(arguments.plot);
  const Reproduced reproduced = carry_out();
  print_result(terminal.out, arguments.output.format, reproduced.json, reproduced.rows,
               reproduced.text);
  if (!arguments.plot.empty()) write_picture(arguments.plot, reproduced.figure(), kPictureWidth);
  return kDone;
}

}  // namespace ntune::cli
