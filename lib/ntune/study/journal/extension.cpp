#include "ntune/study/journal/extension.h"

#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/budget/split_advice.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/recorded_objects.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_keys.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Passes on the whole lines of a journal that begin so, with their numbers. The others, which are
/// many, are not read.
template <class Visit>
void for_each_beginning(std::string_view text, std::string_view begin, const Visit& visit) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;  // the last line is torn
    ++number;
    if (text.substr(at).starts_with(begin)) visit(number, text.substr(at, end - at));
    at = end + 1;
  }
}

/// The fields of the last line that names a split, or null. Lines of version 0.2 have them within
/// the value of "ntune".
Json chosen_split(std::string_view journal) {
  Json chosen;
  for_each_beginning(journal, "{", [&](std::size_t, std::string_view line) {
    if (!line.starts_with(R"({"split":)") && !line.starts_with(R"({"ntune":{"split":)")) return;
    const Json json = parse_json(line);
    if (json.is_object()) chosen = json.value("ntune", json).value("split", Json());
  });
  return chosen;
}

/// A study that is given to the one that a journal holds.
class Extender {
 public:
  /// `journal`: the text of the file of that name.
  Extender(std::string name, std::string_view journal, Json recorded, Study& study)
      : name_(std::move(name)), journal_(journal), config_(std::move(recorded)), study_(study) {}

  void extend() {
    // The recorded study, as this version reads it, with the plan that it was carried out by.
    recorded_ = study_of_config(config_, name_, given_objective(), fs::path(name_).parent_path());
    keep_chosen_split();
    keep_hold_out();
    check_plans();
    // Nothing may be less than it was; the space may only be wider.
    const bool widened = config_.value("space", Json()) != study_.config.value("space", Json());
    check_space(widened);
    std::vector<EarlierStage> stages = recorded_stages();
    if (!widened && !grows_) {
      // Files are named as the study at hand sees them, and its name and its rule for failures may
      // be others.
      Json config = config_;
      for (const char* key :
           {"objective", "objectives", "published", "prior", "fail", "max_failure_rate", "name"}) {
        if (study_.config.contains(key)) config[key] = study_.config[key];
      }
      if (!study_.config.contains("name")) config.erase("name");
      study_.config = std::move(config);
    } else {
      stages.push_back(as_earlier_stage(recorded_, widened));
      inherit_spaces(stages);
      study_.config["extended_from"] = earlier_stages_json(stages);
    }
    study_.earlier = std::move(stages);
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) const {
    throw InputError(fmt::format("{}: {}", printable(name_, 1000),
                                 fmt::format(text, std::forward<Parts>(parts)...)));
  }

  /// That of a program which brings it; null where the study names its own.
  [[nodiscard]] std::shared_ptr<const Objective> given_objective() const {
    const bool given = study_.objectives[0].options.contains("program");
    return given ? study_.objectives[0].objective : nullptr;
  }

  /// A split that was chosen stays: its runs are what has been recorded.
  void keep_chosen_split() {
    settle_split(recorded_, journal_);
    if (study_.advise_budget == 0) return;
    if (is_same_study(config_, study_.config)) {
      study_.plans = recorded_.plans;
      study_.advise_budget = 0;
      return;
    }
    // The budget is divided anew among as many runs as there were.
    Json config = study_.config;
    config.erase("split");
    config["runs"] = recorded_.plans[0].runs;
    const auto given = given_objective();
    if (given != nullptr) erase_objective(config);
    const YamlNode node = parse_yaml(to_yaml(config), (study_.folder / kStudyName).string());
    const int threads = study_.execution.threads;
    study_ = read_study(node, given);
    study_.execution.threads = threads;
  }

  /// Earlier versions kept less of a budget for the hold-out beside a default. Where that leaves
  /// the searches less than they had, everything beside them stays as it was.
  void keep_hold_out() {
    if (!study_.budget || study_.plans.size() != 1 || recorded_.plans.size() != 1) return;
    // What the budget has beyond the recorded study goes to the searches.
    const RunPlan& had = recorded_.plans[0];
    RunPlan& has = study_.plans[0];
    const std::int64_t left = *study_.budget - total_evaluations(recorded_);
    if (has.runs != had.runs || has.iterations >= had.iterations || has.hold_out <= had.hold_out ||
        left < 0 || !recorded_.holds_out_incumbent()) {
      return;
    }
    has = had;
    has.iterations += left / had.runs;
    study_.config["iterations"] = has.iterations;
    study_.config["hold_out"] = has.hold_out;
    if (study_.config["re_evaluation"].is_object()) {
      study_.config["re_evaluation"]["evaluations"] = has.re_evaluation;
    }
  }

  /// Refuses less than there was, and notes whether there is more.
  void check_plans() {
    if (recorded_.plans.size() != study_.plans.size()) {
      refuse("holds a study of {} splits, this one has {}", recorded_.plans.size(),
             study_.plans.size());
    }
    check("repeats", recorded_.repeats, study_.repeats);
    check_budget();
    for (std::size_t i = 0; i < study_.plans.size(); ++i) {
      const RunPlan& had = recorded_.plans[i];
      const RunPlan& has = study_.plans[i];
      if (had.adaptive != has.adaptive) refuse("holds a study with another kind of split");
      check("runs", had.runs, has.runs);
      check("iterations", had.iterations, has.iterations);
      check("hold_out", had.hold_out, has.hold_out);
      if (had.re_evaluation != has.re_evaluation) grows_ = true;
    }
  }

  /// A budget was divided: its parts are not what the file says.
  void check_budget() const {
    const std::int64_t had = total_evaluations(recorded_);
    if (!study_.budget || total_evaluations(study_) >= had) return;
    refuse("holds a study of {}, 'budget' is {}; a study goes on with as many or more",
           counted(had, "evaluation"), count_text(*study_.budget));
  }

  void check(const char* what, std::int64_t had, std::int64_t has) {
    if (has < had) {
      refuse("holds a study with {} {}, this one has {}; a study goes on with as many or more",
             what, count_text(had), count_text(has));
    }
    if (has > had) grows_ = true;
  }

  /// Refuses a space in which a value of before is missing.
  void check_space(bool widened) const {
    if (!widened) return;
    try {
      check_opponents(WidenedSpace(recorded_.objectives[0].objective->space(),
                                   study_.objectives[0].objective->space()));
    } catch (const InputError& error) {
      refuse("{}", error.what());
    }
  }

  /// Who is a fixed opponent is not recorded with each match.
  void check_opponents(const WidenedSpace& widen) const {
    // Every opponent of before must be one of today, as seen from the wider space.
    const Objective& had = *recorded_.objectives[0].objective;
    const Objective& has = *study_.objectives[0].objective;
    if (!are_duels(had) || !are_duels(has)) return;
    const auto opponents = has.matches()->anchors();
    for (const Point& anchor : had.matches()->anchors()) {
      if (std::ranges::find(opponents, widen(anchor)) != opponents.end()) continue;
      throw InputError(fmt::format(
          "its matches were against {}, which is no opponent here; a study of matches goes on "
          "with the same default",
          printable(had.space().text(anchor), 1000)));
    }
  }

  /// The stages that the recorded study had behind it already.
  [[nodiscard]] std::vector<EarlierStage> recorded_stages() const {
    if (stages_of_config(config_) == 0) return {};
    return read_earlier_stages(parse_yaml(to_yaml(config_["extended_from"]), name_), study_);
  }

  std::string name_;
  std::string_view journal_;
  Json config_;  ///< recorded
  Study& study_;
  Study recorded_;
  bool grows_ = false;
};

/// A study that an older version has begun goes on by its rules: without telling its searches of
/// failures or penalties, without blocks of instances, without regard to costs, with unseen
/// tuples worth 0, or with a k of 3. `begun`: what the journal's first line says, which no later
/// version has completed.
void keep_rules(const Json& begun, const Json& written, Study& study) {
  // Each rule stands in the value that the searches use, and in the configuration that is recorded.
  keep_search_rules(begun, study);
  const Json recorded = with_recorded_rules(written);
  if (!recorded.value("learn_from_failures", true)) {
    study.execution.on_failure.learn = false;
    study.config["learn_from_failures"] = false;
  }
  if (!recorded.value("instance_blocks", true)) {
    study.instances.blocks = false;
    study.config["instance_blocks"] = false;
  }
  if (!recorded.value("learn_from_penalties", true)) {
    study.learn_from_penalties = false;
    if (study.limited) study.limited->request.compares_leaders = false;
    study.config["learn_from_penalties"] = false;
  }
  if (lacks_cost_exponent(written) && study.limits.cost) {
    study.cost_exponent = 0.0;
    study.config["budget"]["cost_exponent"] = 0.0;
  }
}

/// A budget is divided as it was when the study began, whatever this version would do.
void keep_split_of(const Json& recorded, Study& study) {
  if (!study.budget || study.plans.size() != 1 || study.unit != SampleUnit::kPicks) return;
  // The numbers of the journal, as far as it names all of them.
  const Json re_evaluation = recorded.value("re_evaluation", Json());
  RunPlan plan = study.plans.front();
  const auto read = [](const Json& from, const char* key, std::int64_t& value) {
    const bool known = from.is_object() && from.contains(key) && from[key].is_number_integer();
    if (known) value = from[key];
    return known;
  };
  const bool known = read(recorded, "runs", plan.runs) &&
                     read(recorded, "iterations", plan.iterations) &&
                     read(recorded, "hold_out", plan.hold_out) &&
                     read(re_evaluation, "evaluations", plan.re_evaluation);
  if (!known || plan.adaptive || study.advise_budget > 0) return;
  // They are of this budget if they leave less of it than a rounding, and this version does not
  // simply have more of each: else it has grown.
  const RunPlan& now = study.plans.front();
  const bool has_all = now.runs >= plan.runs && now.iterations >= plan.iterations &&
                       now.hold_out >= plan.hold_out && now.re_evaluation >= plan.re_evaluation;
  if (has_all && evaluations_of(study, now) > evaluations_of(study, plan)) return;
  const std::int64_t unused = *study.budget - evaluations_of(study, plan);
  if (unused < 0 || unused >= study.points_held_out(plan) + plan.runs) return;
  study.plans.front() = plan;
  study.config["runs"] = plan.runs;
  study.config["iterations"] = plan.iterations;
  study.config["hold_out"] = plan.hold_out;
  study.config["re_evaluation"]["evaluations"] = plan.re_evaluation;
}

}  // namespace

bool take_chosen_split(Study& study, const RunPlan& split) {
  if (study.advise_budget == 0) return false;
  // The hold-out stays as the file has it: only the rest was divided.
  RunPlan& plan = study.plans.front();
  plan.runs = split.runs;
  plan.iterations = split.iterations;
  plan.re_evaluation = split.re_evaluation;
  study.plans.resize(1);
  study.advise_budget = 0;
  return true;
}

void settle_split(Study& study, std::string_view journal) {
  if (study.advise_budget == 0) return;
  // What was chosen stays, whatever this version would choose.
  JournalLine line;
  if (read_recorded_object("split", chosen_split(journal), line)) {
    take_chosen_split(study, line.split);
    return;
  }
  StudyProgress progress;
  advise_split(study, progress);
}

Json last_config(std::string_view text, const std::string& name) {
  Json last = journal_header(text.substr(0, text.find('\n')), name)["study"];
  const auto take = [&](std::size_t number, std::string_view line) {
    if (number > 1 && !parse_json(line).is_discarded())
      last = journal_header(line, name, number)["study"];
  };
  for_each_beginning(text, kHeaderBegin, take);
  return last;
}

void go_on_from(const fs::path& folder, Study& study) {
  const fs::path path = folder / kJournalName;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return;
  const MappedFile file(path);
  // Rules come from the first line, the study from the last header.
  if (file.text().find('\n') == std::string_view::npos) return;  // its first line is torn
  const Json written = last_config(file.text(), path.string());
  const Json recorded = with_recorded_rules(written);
  study.earlier.clear();
  study.config.erase("extended_from");
  const std::string_view first = file.text().substr(0, file.text().find('\n'));
  keep_rules(journal_header(first, path.string())["study"], written, study);
  // Limits may grow by themselves: what has been decided under others is decided again.
  if (study.limits.any() || has_limits(recorded)) return;
  keep_split_of(recorded, study);
  if (!is_same_study_but_for_size(recorded, study.config)) return;
  Extender(path.string(), file.text(), recorded, study).extend();
}

void LinePlacer::enter(std::size_t stage) {
  space_ = stage < study_.earlier.size() ? study_.earlier[stage].space.get() : nullptr;
  widen_.reset();
  if (space_ != nullptr) widen_.emplace(*space_, study_.objectives[0].objective->space());
}

const JournalLine& LinePlacer::operator()(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  if (line.kind == Kind::kHeader || line.kind == Kind::kExtension) {
    enter(stages_of_config(*line.study));
    return line;
  }
  // Lines of a narrower space are copied, with their points moved; the others pass through.
  if (!widen_ || !line.has_point()) {
    check(line);
    return line;
  }
  placed_ = line;
  place(placed_.point);
  place(placed_.against);
  check(placed_);
  return placed_;
}

void LinePlacer::check(const JournalLine& line) const {
  using Kind = JournalLine::Kind;
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format("{}:{}: {}", printable(name_, 1000), line.number, what));
  };
  // Any line may name a cell; only what was offered may come from outside.
  const bool planned = line.kind == Kind::kPlanned;
  if (!line.has_point() && !planned && line.kind != Kind::kState) return;
  const std::uint32_t cell = planned ? line.planned.key.cell : line.key.cell;
  if (cell >= study_.cells()) {
    refuse(fmt::format("is of cell {}, the study has cells 0 to {}", cell, study_.cells() - 1));
  }
  if (line.kind != Kind::kOffered) return;
  const auto& space = study_.objectives[study_.objective_of(cell)].objective->space();
  if (!is_point_of(space, line.point)) refuse("its point is not in the search space");
  const auto& instance = line.instance;
  if (instance && *instance >= study_.instances.train.size()) {
    refuse(fmt::format("is of instance {}, the study has {}", *instance,
                       study_.instances.train.size()));
  }
}

/// What is no point of the narrower space stays as it is.
void LinePlacer::place(std::vector<std::uint16_t>& indices) const {
  if (!is_point_of(*space_, indices)) return;
  const Point point = (*widen_)(Point(indices));
  indices.assign(point.indices().begin(), point.indices().end());
}

}  // namespace ntune
