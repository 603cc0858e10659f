#include "ntune/study/journal/recorded_study.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/program.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Why a folder is not that of a study with a journal.
std::string no_journal(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return "is not a folder; name the one of 'ntune run … --out'";
  // One whose study kept no journal, one of studies, or one of another kind.
  if (fs::exists(folder / "result.json", error)) {
    return "holds no journal.log; studies with `record: evaluations` or `runs` keep one";
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!fs::is_regular_file(entry.path() / kJournalName, error)) continue;
    return fmt::format(
        "holds no study itself; name one of those in it, such as {}, or see all by "
        "'ntune watch {} --serve 8000'",
        shown_word(entry.path().string()), shown_word(folder.string()));
  }
  return "holds no study; name the folder of 'ntune run … --out'";
}

}  // namespace

std::string journal_name_in(const fs::path& folder) {
  const fs::path path = folder / kJournalName;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path.string();
  throw InputError(fmt::format("{}: {}", path_text(folder), no_journal(folder)));
}

void erase_objective(Json& config) {
  config.erase("objective");
  config.erase("space");
}

Study study_of_config(const Json& config, const std::string& name,
                      std::shared_ptr<const Objective> objective, const fs::path& folder) {
  Json readable = with_recorded_rules(folder.empty() ? config : config_in_folder(config, folder));
  readable.erase("published");
  if (objective != nullptr) erase_objective(readable);
  // A program's folder is named as seen from a study file that is not known here.
  for_each_objective(readable, [](Json& options) {
    if (options.contains("command")) options.erase("directory");
  });
  Study study = read_study(parse_yaml(to_yaml(readable), name), std::move(objective),
                           StudyUse::kRun, SpaceDefaults::kIgnored);
  study.config = config;
  return study;
}

Study read_resumed_study(const YamlNode& file, const fs::path& folder) {
  const fs::path path = folder / kJournalName;
  std::error_code error;
  if (folder.empty() || !fs::is_regular_file(path, error)) return read_study(file);
  const MappedFile journal(path);
  const std::string_view text = journal.text();
  // A header that cannot be read is refused later, by who opens the journal.
  const Json header = parse_json(text.substr(0, text.find('\n')));
  const Json begun = header.is_object() ? header.value("ntune", Json()) : Json();
  const bool with_default = !begun.is_object() || !begun.contains("study") ||
                            !begun["study"].is_object() || begun["study"].contains("default");
  return read_study(file, nullptr, StudyUse::kRun,
                    with_default ? SpaceDefaults::kCompared : SpaceDefaults::kIgnored);
}

RecordedStudy::RecordedStudy(const fs::path& folder, std::shared_ptr<const Objective> objective)
    : folder_(folder), name_(journal_name_in(folder)), file_(name_), text_(file_.text()) {
  if (text_.find('\n') == std::string_view::npos) {
    scan_journal(text_, name_, [](const JournalLine&) {});  // refuses what is no journal
    throw InputError(fmt::format("{}: holds nothing yet", printable(name_, 1000)));
  }
  // One pass finds the end of the whole lines, and checks every point.
  study_ = study_of_config(last_config(text_, name_), name_, std::move(objective), folder);
  const auto refuse_others = [this](const JournalLine& line) {
    if (!line.has_point()) return;
    const SearchSpace& space =
        study_.objectives[study_.objective_of(line.key.cell)].objective->space();
    const bool has_point = is_point_of(space, line.point);
    if (has_point && (line.against.empty() || is_point_of(space, line.against))) return;
    throw InputError(fmt::format("{}:{}: its {} is not in the search space", printable(name_, 1000),
                                 line.number, has_point ? "opponent" : "point"));
  };
  text_ = text_.substr(0, scan(refuse_others));
}

void RecordedStudy::choose_split() { settle_split(study_, text_); }

std::size_t RecordedStudy::scan(const std::function<void(const JournalLine&)>& visit) const {
  LinePlacer placed(study_, name_);
  return scan_journal(text_, name_, [&](const JournalLine& line) { visit(placed(line)); });
}

}  // namespace ntune
