#include "apps/ntune/iterate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/ntune/served_study.h"
#include "ntune/core/json.h"
#include "ntune/core/text_table.h"
#include "ntune/optim/rivals/spsa_duels.h"
#include "ntune/report/data/run_log.h"
#include "ntune/report/data/study_folder.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune::cli {

namespace {

/// Writes down where the iterate of an SPSA is.
class WatchedSpsa final : public Optimiser {
 public:
  WatchedSpsa(const SpsaDuels& spsa, std::vector<double>& iterate)
      : spsa_(spsa), iterate_(&iterate) {
    *iterate_ = spsa_.iterate();
  }

  Proposal ask(Rng& rng) override { return spsa_.ask(rng); }
  void adopt(const Point& point, Rng& rng) override { spsa_.adopt(point, rng); }
  void tell(const Proposal& asked, const Report& report) override {
    spsa_.tell(asked, report);
    *iterate_ = spsa_.iterate();
  }
  [[nodiscard]] Recommendation recommend() const override { return spsa_.recommend(); }

 private:
  SpsaDuels spsa_;
  std::vector<double>* iterate_;
};

/// What stands at an index between two values.
double value_between(const Parameter& parameter, double index) {
  const double below = std::floor(index);
  const auto at = [&](double i) {
    const auto last = static_cast<double>(parameter.cardinality() - 1);
    return value_number(parameter.values[static_cast<std::size_t>(std::min(i, last))]);
  };
  return at(below) + (index - below) * (at(below + 1.0) - at(below));
}

/// The journal's evaluations of a run.
RunLog log_of_run(const RecordedStudy& journal, std::int64_t run) {
  using Kind = JournalLine::Kind;
  RunLog log;
  auto offered = std::make_shared<OfferedObservations>();
  const auto is_of_run = [run](const EvaluationKey& key) {
    return key.stage == Stage::kSearch && key.cell == 0 && key.repeat == 0 && key.run == run;
  };
  journal.scan([&](const JournalLine& line) {
    if (line.kind == Kind::kRetry) log.forget_failures();
    if (line.kind == Kind::kOffered) offered->push_back(offered_of(line));
    if (line.kind == Kind::kPlanned && is_of_run(line.planned.key)) log.plan(line.planned);
    if (line.has_outcome() && is_of_run(line.key)) log.add(line);
  });
  log.set_offered(offered);
  return log;
}

}  // namespace

bool has_iterate(const Study& study) {
  return study.optimisers.front().algorithm() == "spsa_duels";
}

Iterate recorded_iterate(const std::filesystem::path& folder) {
  // The journal is read for SPSA alone, as that takes time.
  std::error_code error;
  if (!std::filesystem::exists(folder / kStudyName, error)) return {};
  if (!has_iterate(read_held_file(folder))) return {};
  const StudyFolder held(folder);
  Study study = held.study;
  if (study.is_comparison() || held.is_merged() || !held.journal) return {};
  const bool has_run = held.result && held.result->recommendation;
  const std::int64_t run = has_run ? held.result->recommendation->run : 0;
  RunLog log = log_of_run(*held.journal, run);
  if (log.size() == 0) return {};
  std::vector<double> indices;
  for (OptimiserPlan& plan : study.optimisers.front().plans) {
    plan.make = [make = plan.make, &indices](const OptimiserContext& context) {
      std::unique_ptr<Optimiser> made = make(context);
      const auto* spsa = dynamic_cast<const SpsaDuels*>(made.get());
      if (spsa != nullptr) made = std::make_unique<WatchedSpsa>(*spsa, indices);
      return made;
    };
  }
  (void)trace_recorded_run(study, 0, 0, run, log);
  Iterate iterate;
  const SearchSpace& space = held.objective(0).space();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Parameter& parameter = space[static_cast<int>(i)];
    // Of unordered values, and of one alone, nothing lies between.
    if (!parameter.ordered || parameter.cardinality() < 2) continue;
    iterate.emplace_back(parameter.name, value_between(parameter, indices[i]));
  }
  return iterate;
}

std::string iterate_text(double value) { return fmt::format("{:.8g}", value); }

std::string iterate_lines(const Iterate& iterate) {
  if (iterate.empty()) return {};
  TextTable table({"<Iterate of spsa_duels", "not rounded to the grid"});
  for (const auto& [name, value] : iterate) table.add_row({name, iterate_text(value)});
  return table.text();
}

Json iterate_json(const Iterate& iterate) {
  Json json = Json::object();
  for (const auto& [name, value] : iterate) json[name] = std::stod(iterate_text(value));
  return json;
}

}  // namespace ntune::cli
