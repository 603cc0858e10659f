
#include <fmt/format.h>

#include "apps/bao/reproduce.h"
#include "apps/common/laboratory_figures.h"

namespace ntune::bao {

Figure draw_tournament(const std::string& title, const std::vector<Json>& rows) {
  cli::MatrixFigure about{.title = title,
                          .unit = "games of 100 that South won",
                          .row_label = "South",
                          .column_label = "North",
                          .rows = {},
                          .columns = {}};
  for (const Json& row : rows) {
    cli::place_of(about.rows, row["south"].get<std::string>());
    cli::place_of(about.columns, row["north"].get<std::string>());
  }
  const std::vector<std::vector<std::optional<double>>> empty(
      about.rows.size(), std::vector<std::optional<double>>(about.columns.size()));
  std::vector<cli::MatrixPanel> panels = {{"published", empty}, {"ours", empty}};
  std::vector<std::vector<std::string>> tip(about.rows.size(),
                                            std::vector<std::string>(about.columns.size()));
  for (const Json& row : rows) {
    const std::size_t r = cli::place_of(about.rows, row["south"].get<std::string>());
    const std::size_t c = cli::place_of(about.columns, row["north"].get<std::string>());
    panels[0].value[r][c] = row["published"].get<double>();
    panels[1].value[r][c] = row["ours"].get<double>();
    tip[r][c] =
        fmt::format("{} against {}: ours {:.1f} [{:.1f}, {:.1f}], published {}", about.rows[r],
                    about.columns[c], row["ours"].get<double>(), row["ours_low"].get<double>(),
                    row["ours_high"].get<double>(), row["published"].get<int>());
  }
  return cli::matrix_figure(about, panels, tip);
}

Figure draw_numbers(const std::string& title, const std::vector<Json>& rows) {
  return cli::agreement_figure(
      {.title = title, .unit = "number", .name = {"player", "south", "tournament"}}, rows);
}

}  // namespace ntune::bao
