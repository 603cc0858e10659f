#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/command_objective.h"
#include "ntune/objective/command/command_values.h"
#include "ntune/objective/seated_games.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// What stands behind the name of the objective in messages.
constexpr const char* kOutside =
    "is evaluated from outside: use 'ntune serve' or 'ntune ask' and 'ntune tell'";

/// The options of `objective: {ask_tell: …}`.
struct AskedOptions {
  std::string name = {};  ///< its name in results
  CommandValues values = {};

  void visit(Options& options) {
    options.text("ask_tell", name, "a name for reports; the agent is evaluated from outside");
    values.visit(options);
  }
};

/// The options of the node, with their rules checked at its place.
AskedOptions read_asked_options(const YamlNode& node) {
  auto options = read_options<AskedOptions>(node);
  refuse_at(node, options.values.problem());
  return options;
}

/// An objective that somebody else evaluates, through `ntune serve` or `ntune ask` and `ntune
/// tell`. There is no value from here: each call for one throws an EvaluationError.
class AskedObjective final : public Objective,
                             public OutsideProgram,
                             public Matches,
                             public SeatedGames {
 public:
  AskedObjective(AskedOptions options, SearchSpace space)
      : options_(std::move(options)), space_(std::move(space)) {}

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point&, Rng&) const override {
    throw EvaluationError(kOutside);
  }
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng, const EvaluationId&) const override {
    return {.payoff = evaluate(point, rng)};
  }
  [[nodiscard]] Rehearsal rehearse(const Point&, Rng&, const EvaluationId&) const override {
    return {.text = fmt::format("{} {}\n", description(), kOutside),
            .kind = Rehearsal::Kind::kOutside};
  }
  [[nodiscard]] Outcome play(const Point& first, const Point&, Rng& rng,
                             const EvaluationId&) const override {
    return {.payoff = evaluate(first, rng)};
  }
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] Outcome play_seated(const Seating& seating, Rng& rng,
                                    const EvaluationId&) const override {
    return {.payoff = evaluate(*seating.first, rng)};
  }
  [[nodiscard]] Rehearsal rehearse_seated(const Seating& seating, Rng& rng,
                                          const EvaluationId& id) const override {
    return rehearse(*seating.first, rng, id);
  }
  [[nodiscard]] const SeatedGames* seated_games() const override { return this; }
  [[nodiscard]] std::string description() const override {
    return options_.name.empty() ? "ask_tell" : printable(options_.name);
  }
  [[nodiscard]] Payoffs payoffs() const override {
    return goals_.empty() ? options_.values.payoffs() : payoffs_of(goals_);
  }
  [[nodiscard]] Unit unit() const override {
    return goals_.empty() ? options_.values.unit() : goals_.front().unit;
  }
  [[nodiscard]] std::span<const Goal> goals() const override { return goals_; }
  bool take_goals(std::vector<Goal> goals) override {
    goals_ = std::move(goals);
    return true;
  }

 private:
  AskedOptions options_;
  SearchSpace space_;
  std::vector<Goal> goals_ = {};
};

}  // namespace

ObjectiveEntry asked_entry() {
  return {.kind = "ask_tell",
          .name = {},
          .summary = "an agent of your own, evaluated from outside by ask and tell",
          .make = [](const YamlNode& node, const YamlNode* space) -> std::unique_ptr<Objective> {
            AskedOptions options = read_asked_options(node);
            if (space == nullptr || space->is_null()) {
              node.fail("needs 'space:' beside it, the parameters of the agent");
            }
            return std::make_unique<AskedObjective>(std::move(options), read_space(*space));
          },
          .schema = [] { return options_schema(AskedOptions(), "ask_tell"); },
          .resolved = [](const YamlNode& node) { return options_json(read_asked_options(node)); },
          .needs_budget = true,
          .example = {{"objective", {{"ask_tell", "my agent"}}},
                      {"space", {{"depth", {{"integers", {1, 8}}}}, {"book", {{"boolean", true}}}}},
                      {"iterations", 1000},
                      {"seed", 1}}};
}

}  // namespace ntune
