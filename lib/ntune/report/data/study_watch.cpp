#include "ntune/report/data/study_watch.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/facts/front_text.h"
#include "ntune/report/data/study_folder.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/run/search_trace.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr double kSilentAfter = 60.0;
constexpr const char* kResultName = "result.json";
constexpr std::uintmax_t kLargestResult = 1'000'000'000;

/// The whole first line of a journal. Throws InputError where it is not there yet.
std::string first_line(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!file || !std::getline(file, line) || file.eof()) {
    throw InputError(fmt::format("{}: holds nothing yet", path_text(path)));
  }
  return line;
}

/// "5 optimisers on 3 objectives", "5 splits, 200 repeats".
std::string comparison_of(const Study& study) {
  std::string text;
  if (study.optimisers.size() > 1) text = counted(std::ssize(study.optimisers), "optimiser");
  if (study.plans.size() > 1) {
    text += (text.empty() ? "" : " with ") + counted(std::ssize(study.plans), "split");
  }
  if (study.objectives.size() > 1) {
    text += (text.empty() ? "" : " on ") + counted(std::ssize(study.objectives), "objective");
  }
  if (study.repeats > 1) {
    text += (text.empty() ? "" : ", ") + counted(study.repeats, "repeat");
  }
  return text;
}

}  // namespace

double StudyStatus::share() const {
  if (state == State::kDone) return 1.0;
  double share = 0.0;
  const auto take = [&](double part, double whole) {
    if (whole > 0.0) share = std::max(share, part / whole);
  };
  take(static_cast<double>(evaluations), static_cast<double>(total_evaluations));
  take(seconds_used.value_or(0.0), limits.seconds.value_or(0.0));
  take(cost_used, limits.cost.value_or(0.0));
  return std::min(1.0, share);
}

std::optional<double> StudyStatus::seconds_left() const {
  if (state != State::kRunning) return std::nullopt;
  if (limits.seconds) {
    return std::max(0.0, *limits.seconds - seconds_used.value_or(0.0) - silent);
  }
  if (!rate || *rate <= 0.0 || total_evaluations == 0) return std::nullopt;
  return std::max(0.0, static_cast<double>(total_evaluations - evaluations)) / *rate;
}

bool has_result_alone(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / kResultName, error) &&
         !fs::is_regular_file(folder / kJournalName, error);
}

StudyWatch::StudyWatch(const fs::path& folder)
    : folder_(folder),
      is_alone_(has_result_alone(folder)),
      name_(is_alone_ ? (folder / kResultName).string() : journal_name_in(folder)) {
  if (!is_alone_) (void)journal_header(first_line(name_), name_);
  begin_anew();
}

/// Begins with the journal, or with the result alone, as it is now.
void StudyWatch::begin_anew() {
  if (is_alone_) {
    const Json result = parse_json(read_file(name_, kLargestResult));
    if (const std::string fault = fault_of_result(result, name_); !fault.empty()) {
      throw InputError(fault);
    }
    begin(result["study"]);
    seen_.status.runs = seen_.status.total_runs;
    return;
  }
  const MappedFile file(name_);
  begin(last_config(file.text(), name_));
}

/// Begins with the first line, for the study that the last one is of.
void StudyWatch::begin(const Json& config) {
  config_ = config;
  study_ = study_of_config(config, name_, nullptr, folder_);
  placer_.emplace(study_, name_);
  if (!is_alone_) tail_.emplace(name_);
  title_ = study_.name.empty() ? fs::absolute(folder_).lexically_normal().filename().string()
                               : study_.name;
  if (title_.empty()) title_ = fs::absolute(folder_).parent_path().filename().string();
  seen_ = {};
  count_totals();
}

void StudyWatch::count_totals() {
  seen_.status.total_evaluations = total_evaluations(study_);
  seen_.status.limits = study_.limits;
  seen_.status.total_runs = 0;
  for (std::size_t cell = 0; cell < study_.cells(); ++cell) {
    seen_.status.total_runs += study_.repeats * study_.plans[study_.plan_of(cell)].runs;
  }
}

StudyStatus StudyWatch::look() {
  const std::uintmax_t size = size_of_journal();
  // A journal that is shorter than it was is another one.
  if (size < seen_.size || (seen_.released && *seen_.released != size)) begin_anew();
  seen_.size = size;
  const bool is_new = !seen_.released && read_news();
  StudyStatus status = seen_.status;
  // The rate is by the times of the journal, the silence by the clock.
  if (seen_.first_time && seen_.last_time) {
    const std::chrono::duration<double> passed = *seen_.last_time - *seen_.first_time;
    const double busy = passed.count() - seen_.paused;
    // A first match of the default with itself takes no time, and tells no rate.
    constexpr double kMoment = 0.1;
    const double least = status.evaluations > 1 ? 0.0 : kMoment;
    if (busy > least) status.rate = static_cast<double>(status.evaluations) / busy;
  }
  std::error_code error;
  const auto written = fs::last_write_time(name_, error);
  if (!error) {
    status.silent =
        std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
  }
  if (!read_result(status)) status.state = state_without_result(status);
  status.fault = seen_.result_fault;
  if (study_.is_comparison()) {
    status.comparison = comparison_of(study_);
    if (status.state == StudyStatus::State::kDone) release(size);
    return status;
  }
  // Telling an optimiser again takes time, so it is done for news alone.
  seen_.has_news = seen_.has_news || is_new;
  if (seen_.has_news) seen_.leader = leader();
  if (seen_.leader) status.course = seen_.leader->course;
  if (status.recommendation.empty() && status.front.empty()) recommend(status);
  if (status.state == StudyStatus::State::kDone) release(size);
  return status;
}

std::uintmax_t StudyWatch::size_of_journal() const {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(name_, error);
  return error ? 0 : size;
}

/// Of a study that has ended no more is kept than is shown, until its journal grows.
void StudyWatch::release(std::uintmax_t size) {
  if (seen_.released) return;
  seen_.released = size;
  seen_.has_news = false;
  seen_.counted = {};
  seen_.offered = std::make_shared<OfferedObservations>();
  seen_.active.clear();
  seen_.ended.clear();
  seen_.games = {};
}

/// A process that works on a folder holds its lock, unless it is one of many that each tell a
/// result: then only the time tells.
StudyStatus::State StudyWatch::state_without_result(const StudyStatus& status) const {
  using State = StudyStatus::State;
  const std::optional<bool> held = is_folder_held(folder_);
  if (held && *held) return State::kRunning;
  if (held && seen_.handed_out == 0) return State::kStopped;
  return status.silent < kSilentAfter ? State::kRunning : State::kSilent;
}

/// False if the journal has not grown.
bool StudyWatch::read_news() {
  if (!tail_) return false;
  bool is_new = false;
  std::shared_ptr<const Json> given;
  const auto take_line = [&](const JournalLine& line) {
    is_new = true;
    if (line.kind == JournalLine::Kind::kExtension) {
      given = line.study;
      seen_.stage = stages_of_config(*given);
    }
    take((*placer_)(line));
  };
  // The reader stops where the study was given more, and begins anew for the larger study.
  while (tail_->read(take_line)) {
    if (!given || stages_of_config(*given) <= stages_of_config(config_)) continue;
    begin(*given);  // the study has been given more while it was watched
    given = nullptr;
  }
  return is_new;
}

void StudyWatch::take(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  // Lines that are no evaluations: a chosen split, failures tried again, a plan within limits.
  if (line.kind == Kind::kSplit) {
    if (take_chosen_split(study_, line.split)) count_totals();
    return;
  }
  if (line.kind == Kind::kRetry) {
    seen_.counted.forget_failures();
    return show_counts();
  }
  if (line.kind == Kind::kPlanned) {
    const EvaluationKey& key = line.planned.key;
    if (key.stage != Stage::kSearch) return;
    const RunName name{key.cell, key.repeat, key.run};
    seen_.active[name].plan(line.planned);
    if (line.planned.horizon == 0) end_run(name);
    return;
  }
  // A line of another version may name a point that is none of the space.
  if (!line.has_point()) return;
  const std::size_t objective = study_.objective_of(line.key.cell);
  if (!is_point_of(study_.objectives[objective].objective->space(), line.point)) return;
  if (line.used) seen_.status.seconds_used = line.used;
  seen_.status.cost_used += line.cost.value_or(0.0);
  seen_.status.cut_off += line.ending == Ending::kCutOff ? 1 : 0;
  take_time(line);
  // Whole runs, points that are handed out and offered payoffs are counted otherwise.
  if (line.kind == Kind::kRun) return take_run(line);
  if (line.kind == Kind::kAsked) {
    ++seen_.handed_out;
    return;
  }
  if (line.kind == Kind::kOffered) {
    seen_.offered->push_back(offered_of(line));
    return;
  }
  // What is left is an evaluation or a failure. A hold-out of what the study was before it was
  // given more is no part of it.
  if (line.key.stage != Stage::kSearch && seen_.stage < study_.earlier.size()) return;
  const bool failed = line.kind == Kind::kFailure;
  count(line.key, {.evaluations = std::max<std::int64_t>(1, std::ssize(line.payoffs)),
                   .failures = failed ? 1 : 0});
  if (failed) {
    seen_.status.last_failure = failed_call_line(
        line.failure, study_.objectives[objective].objective->space().text(Point(line.point)));
  }
  if (!line.games.empty()) seen_.games[Point(line.point)].add(line.games);
  seen_.status.all_games += line.games.games.games();
  seen_.status.forfeits += line.games.forfeits.games();
  if (line.key.stage == Stage::kSearch) take_search(line);
}

void StudyWatch::take_search(const JournalLine& line) {
  const RunName name{line.key.cell, line.key.repeat, line.key.run};
  RunLog& log = seen_.active[name];
  log.set_offered(seen_.offered);
  log.add(line);
  const RunPlan& plan = study_.plans[study_.plan_of(line.key.cell)];
  if (std::ssize(line.payoffs) > 1 || line.key.index + 1 < plan.iterations) return;
  if (!study_.limited) end_run(name);
}

/// Takes what a run recommends whose search has ended.
void StudyWatch::end_run(const RunName& name) {
  const auto& [cell, repeat, run] = name;
  if (seen_.ended.insert(name).second) ++seen_.status.runs;
  const RunTrace trace = trace_recorded_run(study_, cell, repeat, run, seen_.active[name]);
  // Of runs without estimates to compare the last one that ended leads.
  if (!trace.checkpoints.empty()) {
    seen_.best = Leader{trace.checkpoints.back(), cell, course_of(trace.checkpoints)};
  }
  seen_.active.erase(name);
}

void StudyWatch::take_run(const JournalLine& line) {
  const std::size_t plan = study_.plan_of(line.key.cell);
  for (std::size_t s = seen_.stage; s < study_.earlier.size(); ++s) {
    // It has been made again since, with more.
    if (study_.earlier[s].plans[plan].iterations != study_.plans[plan].iterations) return;
  }
  if (seen_.ended.insert({line.key.cell, line.key.repeat, line.key.run}).second) {
    ++seen_.status.runs;
  }
  EvaluationKey whole = line.key;
  whole.index = 0;
  count(whole, {.evaluations = line.run.evaluations + line.run.hold_out.evaluations,
                .failures = line.run.failures});
  seen_.status.cut_off += line.run.endings.cut_off;
  const Objective& objective = *study_.objectives[study_.objective_of(line.key.cell)].objective;
  const double sign = objective.unit().direction();
  // The best run is that with the best estimate of its cell.
  if (seen_.best && seen_.best->cell == line.key.cell &&
      sign * seen_.best->checkpoint.estimate >= sign * line.run.estimate) {
    return;
  }
  seen_.best = Leader{.checkpoint = {.evaluations = line.run.evaluations,
                                     .estimate = line.run.estimate,
                                     .point = Point(line.point)},
                      .cell = line.key.cell};
  if (const auto trace = SearchTrace::unpacked(line.run.trace, objective.space())) {
    seen_.best->course = course_of(trace->checkpoints());
  }
}

void StudyWatch::count(const EvaluationKey& key, const CountedEvaluations::Count& made) {
  seen_.counted.add(key, made);
  show_counts();
}

void StudyWatch::show_counts() {
  seen_.status.evaluations = seen_.counted.all().evaluations;
  seen_.status.failures = seen_.counted.all().failures;
}

void StudyWatch::take_time(const JournalLine& line) {
  if (!seen_.first_time) seen_.first_time = line.start;
  // A study that went on later has not been slow. Of evaluations that are handed out nobody knows.
  if (line.start && seen_.last_time && seen_.handed_out == 0) {
    const std::chrono::duration<double> nothing = *line.start - *seen_.last_time;
    if (nothing.count() > kSilentAfter) seen_.paused += nothing.count();
  }
  if (line.end && line.kind != JournalLine::Kind::kAsked) seen_.last_time = line.end;
}

/// Telling a run again would hold up every look, as there may be many studies: it waits until a
/// thousand times as long has passed, or the run has grown by a quarter.
bool StudyWatch::is_told_enough(const RunName& run, std::size_t evaluations) const {
  const auto& told = seen_.told;
  return seen_.leader && told.run == run && 4 * evaluations < 5 * told.evaluations &&
         seconds_since(told.end) < 1000.0 * told.seconds;
}

/// What the run under way that has come furthest prefers, or else the best of the runs that have
/// ended.
std::optional<StudyWatch::Leader> StudyWatch::leader() {
  constexpr std::size_t kLargest = 100'000;
  const auto furthest = std::ranges::max_element(
      seen_.active, {}, [](const auto& entry) { return entry.second.size(); });
  seen_.has_news = false;
  if (furthest == seen_.active.end() || furthest->second.size() > kLargest) return seen_.best;
  const auto& [cell, repeat, run] = furthest->first;
  const std::size_t evaluations = furthest->second.size();
  seen_.has_news = is_told_enough(furthest->first, evaluations);
  if (seen_.has_news) return seen_.leader;
  const Clock::time_point begin = Clock::now();
  const RunTrace trace = trace_recorded_run(study_, cell, repeat, run, furthest->second);
  seen_.told = {furthest->first, evaluations, seconds_since(begin), Clock::now()};
  // A run that has measured nothing yet leads nothing.
  if (trace.checkpoints.empty()) return seen_.best;
  return Leader{trace.checkpoints.back(), cell, course_of(trace.checkpoints)};
}

void StudyWatch::recommend(StudyStatus& status) const {
  if (!seen_.leader) return;
  const Objective& objective =
      *study_.objectives[study_.objective_of(seen_.leader->cell)].objective;
  const Point& point = seen_.leader->checkpoint.point;
  status.recommendation = objective.space().text(point);
  status.parameters = point_json(point, objective.space());
  status.estimate = seen_.leader->checkpoint.estimate;
  // Games of the leading point in all stages so far.
  if (const auto played = seen_.games.find(point); played != seen_.games.end()) {
    status.games = played->second;
  }
}

/// Reads result.json if it has changed, and keeps it if it is of this study.
void StudyWatch::read_result_file() {
  std::error_code error;
  const fs::path path = folder_ / kResultName;
  const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  const auto time = fs::last_write_time(path, error);
  if (error) {
    seen_.result.reset();
    seen_.result_fault.clear();
    seen_.result_version = {};
    return;
  }
  if (seen_.result_version == std::pair(size, time)) return;
  seen_.result.reset();
  seen_.story.reset();
  // A file of another study, or of what this one was before, does not count.
  const Json json = parse_json(read_file(path, kLargestResult));
  seen_.result_version = {size, time};
  seen_.result_fault = fault_of_result(json, path);
  if (!seen_.result_fault.empty() || !is_same_study(json["study"], config_)) return;
  seen_.result = read_saved_result(json, study_);
  if (study_.is_comparison()) return;
  seen_.story = story_of(study_, *seen_.result, path_text(folder_), seen_.status.evaluations);
}

/// False if there is no result of a study that has ended.
bool StudyWatch::read_result(StudyStatus& status) {
  read_result_file();
  if (!seen_.result) return false;
  const SavedResult& result = *seen_.result;
  // A study that was interrupted may be going on again.
  if (!result.is_done() && is_folder_held(folder_).value_or(false)) return false;
  status.state = result.is_done() ? StudyStatus::State::kDone : StudyStatus::State::kInterrupted;
  status.evaluations =
      result.is_done() ? result.evaluations : std::max(status.evaluations, result.evaluations);
  // What was measured before the study was given more may count in the result again.
  if (result.is_done()) {
    status.failures = result.failures.count;
    status.cut_off = result.endings.cut_off;
  }
  status.story = seen_.story;
  if (result.front) {
    status.front = front_sentence(study_, *result.front);
    if (result.front->chosen) {
      status.chosen = chosen_json(*result.front, study_.objectives.front().objective->space());
      status.parameters = status.chosen["params"];
    }
  }
  if (result.is_done()) status.verdict = verdict_json(result, study_);
  if (!result.recommendation) return true;
  // The status of what has ended is that of its recommendation.
  const SavedRecommendation& pick = *result.recommendation;
  const auto tests = verifications_of(folder_, study_, pick.point, true);
  if (!tests.empty()) status.test = tests.front();
  const SearchSpace& space = study_.objectives.front().objective->space();
  status.recommendation = space.text(pick.point);
  status.parameters = point_json(pick.point, space);
  status.estimate = pick.estimate;
  status.value = pick.fresh.value;
  status.interval = pick.fresh.interval;
  status.run = pick.run;
  status.elo = result.elo;
  // Until a study is done the games of its recommendation are those of the search.
  status.games = GameCounts();
  if (result.elo) {
    status.games = result.elo->games;
  } else if (const auto played = seen_.games.find(pick.point);
             !result.is_done() && played != seen_.games.end()) {
    status.games = played->second;
  }
  return true;
}

}  // namespace ntune
