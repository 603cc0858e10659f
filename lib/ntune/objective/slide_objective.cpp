#include "ntune/objective/slide_objective.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/game/slide_codes.h"
#include "ntune/objective/option_setter.h"
#include "ntune/search/slide_database.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// What follows `objective:`.
struct SlideYaml {
  std::string game = "slide3";
  SlideOptions options = {};

  void visit(Options& visitor) {
    const std::vector<std::string> names = {"slide3"};
    visitor.choice("game", game, names, "the game");
    options.visit(visitor);
  }
};

SlideYaml read(const YamlNode& node) {
  return node.is_scalar() ? SlideYaml() : read_options<SlideYaml>(node);
}

struct Refusal {
  std::string parameter;
  std::string reason;
};

/// The first parameter with a value that the player cannot take, and why.
std::optional<Refusal> refusal_of(const SearchSpace& space) {
  SlidePlayer player;
  for (const Parameter& parameter : space.parameters()) {
    for (const Value& value : parameter.values) {
      std::string reason = set_option(player, parameter.name, value);
      if (!reason.empty()) return Refusal{parameter.name, std::move(reason)};
    }
  }
  return std::nullopt;
}

std::unique_ptr<Objective> make(const YamlNode& node, const YamlNode* space) {
  const SlideYaml yaml = read(node);
  std::optional<SearchSpace> own;
  if (space != nullptr && !space->is_null()) {
    own = read_space(*space);
    if (const auto refusal = refusal_of(*own)) {
      if (const YamlNode* place = space->find(refusal->parameter)) place->fail(refusal->reason);
      space->fail_at(refusal->parameter, refusal->reason);
    }
  }
  try {
    return std::make_unique<SlideObjective>(yaml.options, own,
                                            std::filesystem::path(node.file()).parent_path());
  } catch (const InputError& error) {
    // All else has been checked.
    if (const YamlNode* place = node.find("database")) place->fail(error.what());
    node.fail_at("database", error.what());
  }
}

std::vector<std::uint32_t> starts_of(const SlideOptions& options,
                                     const std::filesystem::path& folder) {
  Parallel parallel;
  const auto database = options.database.empty()
                            ? SlideDatabase<3>::build(parallel)
                            : SlideDatabase<3>::load(folder / options.database);
  std::vector<std::uint32_t> starts = database.positions_at(options.dtw);
  if (starts.empty()) {
    throw InputError(fmt::format("{}: has no position of DTW {}", options.database, options.dtw));
  }
  return starts;
}

}  // namespace

void SlideOptions::visit(Options& visitor) {
  visitor.integer("dtw", dtw, between(1, 26), "moves from the start of a game to Win");
  visitor.integer("moves", moves, between(1, 1'000'000), "a game is lost after so many");
  visitor.choice<Observation>(
      "observation", observation, {{"win", Observation::kWin}, {"moves", Observation::kMoves}},
      "win: +1 for a game won, else -1; moves: as few as possible, all of them in a lost game");
  visitor.text("database", database,
               "file of all distances, seen from the study file's folder; empty: made anew in "
               "about a second");
  player.visit(visitor);
}

/// A search with its table for the time of one game.
class SlideObjective::Loan {
 public:
  explicit Loan(const SlideObjective& owner) : owner_(owner) {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!owner_.idle_.empty()) {
        search_ = std::move(owner_.idle_.back());
        owner_.idle_.pop_back();
      }
    }
    if (!search_) search_ = std::make_shared<SlideSearch>();
  }
  ~Loan() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(search_));
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  [[nodiscard]] const std::shared_ptr<SlideSearch>& search() const { return search_; }

 private:
  const SlideObjective& owner_;
  std::shared_ptr<SlideSearch> search_;
};

SlideObjective::SlideObjective(const SlideOptions& options, const std::optional<SearchSpace>& space,
                               const std::filesystem::path& folder)
    : options_(options), space_(space ? *space : default_slide_space()) {
  if (const auto refusal = refusal_of(space_)) {
    throw InputError(refusal->parameter + ": " + refusal->reason);
  }
  starts_ = starts_of(options_, folder);
}

SlideObjective::~SlideObjective() = default;

DepthPlayer SlideObjective::player_of(const Point& point) const {
  SlidePlayer player = options_.player;
  for (int i = 0; i < space_.dimensions(); ++i) {
    set_option(player, space_[i].name, space_.value(point, i));
  }
  return playable(player.depth_player);
}

double SlideObjective::evaluate(const Point& point, Rng& rng) const {
  const Loan loan(*this);
  DepthAgent agent(player_of(point), false, loan.search());
  const std::uint32_t start = starts_[rng.below(static_cast<std::uint32_t>(starts_.size()))];
  const SlideGame game = play_slide_game(agent, slide_position_at<3>(start), options_.moves, rng);
  if (options_.observation == SlideOptions::Observation::kMoves) return -game.moves;
  return game.won ? 1.0 : -1.0;
}

std::string SlideObjective::description() const {
  const bool win = options_.observation == SlideOptions::Observation::kWin;
  return fmt::format("slide3 (DTW {}, {} moves), {}", options_.dtw, options_.moves,
                     win ? "win or loss" : "moves of a game");
}

Payoffs SlideObjective::payoffs() const {
  if (options_.observation == SlideOptions::Observation::kWin) {
    return {.low = -1.0, .high = 1.0, .two_valued = true};
  }
  const double most = options_.moves;
  return {.low = -most, .high = -std::min<double>(most, options_.dtw)};
}

double SlideObjective::value_of(double mean_payoff) const {
  return options_.observation == SlideOptions::Observation::kWin ? (mean_payoff + 1.0) / 2.0
                                                                 : -mean_payoff;
}

ObjectiveEntry slide_entry() {
  return {.kind = "game",
          .name = "slide3",
          .summary = "a sliding puzzle played by a depth-t search; its evaluation is tuned",
          .make = make,
          .schema =
              [] {
                Json schema = options_schema(SlideYaml());
                schema["required"] = Json::array({"game"});
                return schema;
              },
          .resolved = [](const YamlNode& node) { return options_json(read(node)); }};
}

}  // namespace ntune
