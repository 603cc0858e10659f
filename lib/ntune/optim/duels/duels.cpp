#include "ntune/optim/duels/duels.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <vector>

#include "ntune/core/normal.h"
#include "ntune/core/options.h"

namespace ntune {

namespace {

/// This value of `fitted_` asks for another fit.
constexpr std::int64_t kNever = -1;

/// Returns a lead as what it says of scores. A deviation of strengths becomes one of scores by the
/// slope of the score, which is `variance`. Ends of the interval are mapped exactly.
Certainty certainty_of(const LeadConfirmation::Lead& lead, const DrawModel& draws) {
  const auto score = [&](double g) { return 0.5 + draws.excess(g); };
  return {
      .sd = lead.sd * draws.variance(lead.mean),
      .claim = Claim{.mean = score(lead.mean), .low = score(lead.low), .high = score(lead.high)}};
}

}  // namespace

void DuelsOptions::visit(Options& options) {
  // Files of version 0.2 say so.
  options.choice("pairing", pairing, {{"expected_gain", DuelPairing::kExpectedGain}},
                 "which two points meet: the duel after which most is gained");
  options.number(
      "default_share", default_share, between(0.0, 0.9),
      "share of the matches that the incumbent plays against each fixed opponent, in all "
      "at most half");
  options.flag("cliffs", cliffs, "look for values whose players lose nearly every game");
  options.number("confirmation", confirmation, between(0.0, 0.9),
                 "share of the matches, the last ones, that the recommendation plays against the "
                 "default");
}

Duels::Duels(const DuelsOptions& options, const OptimiserContext& context)
    : MatchSearch(context),
      options_(options),
      budget_(context.budget),
      process_(*context.space, reference_),
      losing_(*context.space, reference_),
      incumbent_(start_) {
  // A process learns from few matches where players fail together.
  failures_.foretell_by_process();
  anchors_.assign(context.anchors.begin(), context.anchors.end());
  weights_.assign(context.anchor_weights.begin(), context.anchor_weights.end());
  // A declared default or opponent is known to work; the middle of the space is only a place to
  // begin.
  trusts_anchors_ = context.incumbent || !anchors_.empty();
  if (anchors_.empty()) anchors_ = {reference_};
  // A confirmation plays the default, so it needs a default that is among the opponents.
  confirms_ = context.incumbent && std::ranges::find(anchors_, reference_) != anchors_.end();
  weights_.resize(anchors_.size(), 1.0);
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight /= sum;
  dues_.assign(anchors_.size(), 0.0);
  // Two fixed opponents can meet if one of them is a point of the space, as the first player of a
  // proposal has to be.
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool can_meet = space_->is_allowed(anchors_[i]) || space_->is_allowed(anchors_[j]);
      if (can_meet && anchors_[i] != anchors_[j])
        anchor_pairs_.emplace_back(anchors_[i], anchors_[j]);
    }
  }
}

/// Every opponent gains its weight, and the one with the most due plays for 1. So each has played
/// its share at any time, without a random number.
const Point& Duels::next_anchor() {
  std::size_t next = 0;
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    dues_[i] += weights_[i];
    if (dues_[i] > dues_[next]) next = i;
  }
  dues_[next] -= 1.0;
  return anchors_[next];
}

/// Matches between fixed opponents tie their strengths to each other. Without them these are known
/// only through the incumbent.
std::optional<std::pair<Point, Point>> Duels::next_anchors() {
  constexpr std::size_t kThird = 3;
  const std::size_t count = anchor_matches_++;
  if (anchor_pairs_.empty() || count % kThird != kThird - 1) return std::nullopt;
  return anchor_pairs_[count / kThird % anchor_pairs_.size()];
}

void Duels::adopt(const Point& /*point*/, Rng& /*rng*/) { ++asked_; }

/// Returns the number of matches at the end of the budget that confirm the recommendation.
std::int64_t Duels::last_matches() const {
  return static_cast<std::int64_t>(options_.confirmation * static_cast<double>(budget_));
}

/// Returns the number of matches that the next plan is for. It is a share of those told, at least
/// 1, and no more than the budget has left.
std::int64_t Duels::planned_matches() const {
  constexpr double kMore = 0.04;
  constexpr double kManyMore = 0.1;
  const double share = is_late() ? kManyMore : kMore;
  const auto length = static_cast<std::int64_t>(share * static_cast<double>(told_));
  return std::clamp<std::int64_t>(length, 1, std::max<std::int64_t>(1, budget_ - asked_));
}

/// Late plans hold for hundreds of matches. A duel tells of one direction, however often it is
/// played, so there is one for each parameter.
std::size_t Duels::planned_duels() const {
  constexpr std::size_t kMostDuels = 4;
  constexpr std::size_t kFewDuels = 2;
  constexpr std::size_t kManyRows = 400;
  if (is_late()) return std::max(kFewDuels, process_.kernel().axes());
  return process_.duels().size() < kManyRows ? kMostDuels : kFewDuels;
}

/// Tells whether a fit has become so dear that plans are longer and have more duels.
bool Duels::is_late() const {
  constexpr std::int64_t kMany = 5000;
  return told_ >= kMany;
}

/// Brings the process and the incumbent up to all matches told. Hyperparameters, which cost several
/// fits, are learned again when half as many matches more are known.
void Duels::update() {
  constexpr double kOften = 1.5;
  constexpr int kSteps = 8;
  if (fitted_ == told_) return;
  fitted_ = told_;
  // New cliffs are looked for first, because the games on them would bend the fit.
  if (options_.cliffs && losing_.find(process_.duels(), process_.points())) {
    process_.leave_out([this](const Point& point) { return losing_.contains(point); });
  }
  if (process_.matches() >= next_learning_) {
    process_.learn(kSteps);
    next_learning_ = kOften * process_.matches();
  } else {
    process_.fit();
  }
  incumbent_ = find_incumbent(process_, incumbent_);
}

/// Returns the point of the highest mean among local maxima that are allowed and reliable. Climbs
/// start at the last incumbent, at the strongest points that have played, and at two random ones.
Point Duels::find_incumbent(const DuelProcess& process, const Point& last) const {
  constexpr std::size_t kStrongest = 3;
  constexpr int kAnywhere = 2;
  if (process.duels().empty()) return last;
  std::vector<Point> starts = process.strongest(kStrongest);
  starts.insert(starts.begin(), last);
  // The stream depends on the number of matches alone, as a look at a recommendation must not
  // change the search.
  Rng rng = Rng(1).stream("starts", static_cast<std::uint64_t>(told_));
  for (int i = 0; i < kAnywhere; ++i) starts.push_back(space_->sample(rng));
  Point best = last;
  double most = process.mean(last);
  for (const Point& start : starts) {
    // A default off the grid is no point of the space, so its climb starts from the nearest one.
    const auto from = space_->is_allowed(start) ? start : space_->nearest_on_grid(start);
    if (!from) continue;
    const Point point = losing_.before(process.climb(*from));
    if (!space_->is_allowed(point) || !is_reliable(point)) continue;
    const double mean = process.mean(point);
    if (mean <= most && is_reliable(best)) continue;
    most = mean;
    best = point;
  }
  if (is_reliable(best)) return best;
  // All maxima are likely to fail. The strongest reliable point that has played is taken instead.
  for (const Point& point : process.strongest(process.points().size())) {
    if (space_->is_allowed(point) && is_reliable(point)) return point;
  }
  return best;
}

/// Tells whether a point may be recommended. A default off the grid always may: failures are
/// counted for points of the space alone.
bool Duels::is_reliable(const Point& point) const {
  if (losing_.contains(point)) return false;
  return !space_->is_allowed(point) || failures_.reliable(point);
}

/// Returns what Failures::risk says of a point; 0 for fixed opponents, which are never to blame.
double Duels::risk(const Point& point) const {
  return !failures_.any() || is_trusted(point) ? 0.0 : failures_.risk(point);
}

bool Duels::is_hopeless(const Point& point) const {
  constexpr double kHopeless = 0.6;  // a new point that has failed once is none, one that has twice
  return losing_.contains(point) || risk(point) > kHopeless;
}

bool Duels::is_trusted(const Point& point) const {
  if (!space_->is_allowed(point)) return true;
  return trusts_anchors_ && std::ranges::find(anchors_, point) != anchors_.end();
}

/// Tells whether a confirmation is under way whose point has not become likely to fail.
bool Duels::is_confirming() const { return confirmation_ && is_reliable(confirmation_->point); }

/// Fills the queue with a few duels that promise most, in turn, and among them the matches that
/// fixed opponents are due.
void Duels::plan(Rng& rng) {
  constexpr double kUsualGames = 2.0;
  update();
  const std::int64_t length = planned_matches();
  const std::size_t wanted = std::min(planned_duels(), static_cast<std::size_t>(length));
  // A duel is valued as all of its matches of this plan together, of as many games as matches have
  // had.
  const double matches = static_cast<double>(length) / static_cast<double>(wanted);
  const double games =
      process_.matches() > 0.0 ? process_.games() / process_.matches() : kUsualGames;
  DuelTask task = {
      .incumbent = incumbent_, .reference = reference_, .wanted = wanted, .games = games * matches};
  // Without failures and cliffs both functions stay empty, which costs no look at a model.
  if (losing_.any() || failures_.any()) {
    task.usable = [this](const Point& point) { return !is_hopeless(point); };
  }
  if (failures_.any()) task.success = [this](const Point& point) { return 1.0 - risk(point); };
  const auto duels = choose_duels(process_, task, rng);
  // Each fixed opponent adds its share to the debt, and a debt of 1 is a match with one of them.
  constexpr double kMostShare = 0.5;
  const double share =
      std::min(kMostShare, options_.default_share * static_cast<double>(anchors_.size()));
  for (std::int64_t i = 0; i < length; ++i) {
    anchor_debt_ += share;
    std::optional<std::pair<Point, Point>> match;
    if (anchor_debt_ >= 1.0) {
      anchor_debt_ -= 1.0;
      match = next_anchors();
      if (!match) match = {incumbent_, next_anchor()};
    }
    // Where the incumbent is itself the opponent that is due, its turn passes to a duel.
    if (match && match->first != match->second) {
      queue_.push_back(*match);
    } else if (duels.empty()) {
      // There is no candidate duel, as in a space of a single point, so a random point plays.
      queue_.emplace_back(failures_.draw(rng), incumbent_);
    } else {
      queue_.push_back(duels[static_cast<std::size_t>(i) % duels.size()]);
    }
  }
  anchor_debt_ = std::min(anchor_debt_, 1.0);
}

/// Starts the fresh matches of the incumbent against the default, unless the default is the
/// incumbent. The belief of the point that looks best of all is surer than its errors allow, so it
/// counts with twice its variance (benchmarks/results/duels.md).
void Duels::begin_confirmation() {
  update();
  if (confirmation_ && !is_confirming()) confirmation_.reset();
  if (incumbent_ == reference_ || (confirmation_ && confirmation_->point == incumbent_)) return;
  // What was planned before is dropped, as the matches from now on are for this point.
  queue_.clear();
  Belief belief = DuelClaims(process_).lead(incumbent_, reference_);
  *belief.sd *= std::numbers::sqrt2;
  confirmation_ = Confirmation{
      .point = incumbent_, .first = asked_, .lead = LeadConfirmation(belief, process_.draws())};
}

/// Whether the fresh matches have shown that the default is rather the better one, or that the
/// point fails. Then it is time for what is now believed to be best, if that is another point.
bool Duels::is_refuted() const {
  constexpr double kFewest = 8.0;
  if (confirmation_ && !is_confirming()) return true;
  return confirmation_ && confirmation_->lead.matches() >= kFewest && fitted_ != told_ &&
         confirmation_->lead.mean(process_.dispersion()) <= 0.0;
}

/// The default, but for every fourth match where there are other fixed opponents.
const Point& Duels::confirming_opponent() {
  constexpr std::int64_t kFourth = 4;
  if ((asked_ - confirmation_->first) % kFourth != kFourth - 1) return reference_;
  const Point& next = next_anchor();
  return next == confirmation_->point ? reference_ : next;
}

Proposal Duels::ask(Rng& rng) {
  constexpr int kTries = 20;
  // A confirmation begins at its share of the budget, or with the first plan after it.
  const std::int64_t begin = budget_ - last_matches();
  const bool is_due = confirms_ && !confirmation_ && told_ > 0 &&
                      (asked_ == begin || (asked_ > begin && queue_.empty()));
  if (is_due || is_refuted()) begin_confirmation();
  if (confirmation_) {
    const Point& opponent = confirming_opponent();
    ++asked_;
    return {.point = confirmation_->point, .opponent = opponent};
  }
  for (int tries = 0;; ++tries) {
    if (queue_.empty()) plan(rng);
    auto [first, second] = queue_.front();
    queue_.pop_front();
    // A queued player may have become hopeless since the plan. After 20 such duels a random point
    // plays the reference.
    if (is_hopeless(first) || is_hopeless(second)) {
      if (tries < kTries) continue;
      first = failures_.draw(rng);
      second = reference_;
    }
    // The first is always a point of the space; the default may lie off it.
    if (!space_->is_allowed(first)) std::swap(first, second);
    ++asked_;
    return {.point = first, .opponent = second};
  }
}

void Duels::tell(const Proposal& asked, const Report& report) {
  MatchSearch::tell(asked, report);
  ++answered_;
  // A failure is no match, so it starts no fit by itself. It asks for one where the incumbent has
  // become likely to fail.
  if (report.failed && told_ > 0 && !is_reliable(incumbent_)) fitted_ = kNever;
}

void Duels::learn(const Point& point, const Point& opponent, const MatchResult& result) {
  // Answers come in the order of the asks, so these are matches asked for since the confirmation
  // began.
  if (confirmation_ && answered_ >= confirmation_->first && opponent == reference_) {
    confirmation_->lead.add(result.score, result.weight());
  }
  ++told_;
  // Players on known cliffs stay out of the model.
  if (!losing_.contains(point) && !losing_.contains(opponent)) {
    process_.record(point, opponent, result);
  }
  count_match(point, opponent, result.score);
}

/// Adds a score against the default.
void Duels::learn_alone(const Point& point, double score) {
  ++told_;
  process_.record(point, reference_, {.score = std::clamp(score, 0.0, 1.0)});
  count(point, score);
}

/// Returns what is recommended and by which fit. It is made in a copy of the process, so that a
/// look at a search does not change how it goes on. The copy is kept until another answer is told.
const Duels::View& Duels::view() const {
  if (view_ && view_->answered == answered_) return *view_;
  view_ = std::make_unique<View>(
      View{.answered = answered_, .process = process_, .incumbent = incumbent_});
  if (is_confirming()) {
    // During a confirmation its point is recommended, or the default once the lead is at most 0.
    if (fitted_ != told_) view_->process.fit();
    view_->incumbent = confirmation_->point;
    if (confirmation_->lead.mean(process_.dispersion()) <= 0.0) view_->incumbent = reference_;
  } else if (fitted_ != told_) {
    view_->process.fit();
    view_->incumbent = find_incumbent(view_->process, incumbent_);
  }
  return *view_;
}

const Duels::View& Duels::view_with_claims() const {
  (void)view();
  if (view_->claims.empty()) view_->claims = DuelClaims(view_->process);
  return *view_;
}

Recommendation Duels::recommend() const {
  const View& now = view();
  const double estimate = is_confirming() && now.incumbent != reference_
                              ? confirmed().claim->mean
                              : 0.5 + now.process.draws().excess(
                                          now.process.difference(now.incumbent, reference_).mean);
  return {
      .point = now.incumbent, .estimate = estimate, .evaluations = points_.at(now.incumbent).count};
}

/// Returns the claim that the fresh matches allow.
Certainty Duels::confirmed() const {
  return certainty_of(confirmation_->lead.lead(process_.dispersion()), confirmation_->lead.draws());
}

std::optional<Certainty> Duels::certainty() const {
  if (told_ == 0) return std::nullopt;
  // The default scores 1/2 against itself, which is certain.
  if (view().incumbent == reference_) {
    return Certainty{.claim = Claim{.mean = 0.5, .low = 0.5, .high = 0.5}};
  }
  if (is_confirming()) return confirmed();
  const View& now = view_with_claims();
  const auto [mean, sd] = now.claims.lead(now.incumbent, reference_);
  return certainty_of(
      {.mean = mean, .low = mean - kNormal95 * *sd, .high = mean + kNormal95 * *sd, .sd = *sd},
      now.process.draws());
}

std::optional<Belief> Duels::belief(const Point& point) const {
  if (told_ == 0) return std::nullopt;
  const View& now = view_with_claims();
  const Belief lead = now.claims.lead(point, reference_);
  const DrawModel& draws = now.process.draws();
  return Belief{.mean = 0.5 + draws.excess(lead.mean), .sd = *lead.sd * draws.variance(lead.mean)};
}

}  // namespace ntune
