#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/core/object_pool.h"
#include "ntune/core/process.h"
#include "ntune/core/program_guard.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/command_attempt.h"
#include "ntune/objective/command/command_line.h"
#include "ntune/objective/command/command_options.h"
#include "ntune/objective/objective_entry.h"

namespace ntune {

/// Processes that stay for many evaluations. Each takes a request (a JSON object with `id`) as a
/// line on standard input. It gives its answer, with the same `id`, as a line on standard output.
/// There are as many as there are requests at the same time. What is wrong with a worker ends it,
/// and the next request starts a new one. One that has answered before and ends without a word to
/// the next request may have been at its end already: a new one is asked in its place.
class WorkerPool {
 public:
  /// The limits are those of each request.
  WorkerPool(Program program, const AttemptLimits& limits);
  /// Closes their input, waits for 2 s altogether and kills what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Answers have a number for each of these from now on; they outlive the workers.
  void set_goals(std::span<const Goal> goals) { goals_ = goals; }

  struct Request {
    std::int64_t id;
    const std::string& line;
    const std::atomic<bool>* stop;
    double cap;              ///< as in EvaluationId
    bool rehearsed = false;  ///< as in CommandCall
  };
  /// Any number of threads. Throws ProcessError if no worker starts.
  CommandAttempt ask(const Request& request);

 private:
  /// One that has answered before; nullptr if there is none.
  std::unique_ptr<Process> take_idle();
  /// Asks this worker, and takes it back if all is well. `is_new`: it is asked for the first time.
  CommandAttempt ask(std::unique_ptr<Process> worker, const Request& request, bool is_new);
  /// Waits until a new worker reads its request; kOutput: it has. `begin` is set to when it did.
  Process::Event wait_for_start(Process& worker, const Request& request,
                                Clock::time_point& begin) const;
  [[nodiscard]] bool read_result(std::int64_t id, double seconds, CommandAttempt& attempt) const;

  Program program_;
  AttemptLimits limits_;
  std::span<const Goal> goals_ = {};
  ObjectPool<Process> idle_;
};

/// A program that is started for every evaluation, or once for many of them (protocol: worker).
/// Where its command names the opponent, an evaluation is a match against the default point.
class CommandObjective final : public Objective,
                               public OutsideProgram,
                               public Matches,
                               public SeatedGames {
 public:
  /// `directory` is seen from this folder. Throws InputError.
  CommandObjective(CommandOptions options, SearchSpace space,
                   const std::filesystem::path& folder = {},
                   const CommandPlaces& places = CommandPlaces(nullptr));

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng,
                                const EvaluationId& id) const override;
  [[nodiscard]] Rehearsal rehearse(const Point& point, Rng& rng,
                                   const EvaluationId& id) const override;
  void check_instances(std::span<const Instance> instances, const YamlNode& options) const override;
  [[nodiscard]] std::vector<std::string> unused_parameters() const override {
    return line_.unused(space_);
  }
  [[nodiscard]] bool uses_instance() const override { return line_.uses_instance(); }
  [[nodiscard]] std::string doubt() const override;
  [[nodiscard]] std::string switch_of(int parameter) const override {
    return line_.switch_of(parameter, space_[parameter].name);
  }
  [[nodiscard]] bool costs_time() const override { return limits_.are_of_result(); }
  [[nodiscard]] double cutoff() const override {
    return options_.cutoff.value_or(OutsideProgram::cutoff());
  }
  [[nodiscard]] std::optional<double> penalty() const override { return options_.penalty_value(); }
  [[nodiscard]] const Matches* matches() const override { return opponent_ ? this : nullptr; }
  [[nodiscard]] std::optional<Point> opponent() const override { return opponent_; }
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  [[nodiscard]] const SeatedGames* seated_games() const override { return this; }
  [[nodiscard]] Outcome play_seated(const Seating& seating, Rng& rng,
                                    const EvaluationId& id) const override;
  [[nodiscard]] Rehearsal rehearse_seated(const Seating& seating, Rng& rng,
                                          const EvaluationId& id) const override;
  [[nodiscard]] std::string problem_with(int players) const override;
  [[nodiscard]] bool needs_seats() const override { return line_.names_seats(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override {
    return goals_.empty() ? values_.unit() : goals_.front().unit;
  }
  [[nodiscard]] std::span<const Goal> goals() const override { return goals_; }
  bool take_goals(std::vector<Goal> goals) override;

 private:
  [[nodiscard]] CommandCall make_call(const Point& point, Rng& rng, const EvaluationId& id,
                                      const std::optional<Seating>& seating = {}) const;
  /// Attempts a call until it succeeds or another attempt is not worth it.
  [[nodiscard]] Outcome carry_out_call(const CommandCall& call) const;
  /// Further attempts that the study allows after this one.
  [[nodiscard]] int retries_after(const CommandAttempt& attempt) const;
  /// The command line is made for failures, or where it is to be shown.
  [[nodiscard]] CommandAttempt attempt_once(CommandCall call, bool show) const;
  [[nodiscard]] CommandAttempt ask_worker(const CommandCall& call) const;
  void run(const CommandCall& call, CommandAttempt& attempt) const;
  void read_result(const ProcessResult& result, const CommandCall& call,
                   CommandAttempt& attempt) const;
  void count_unsolved(CommandAttempt& attempt) const;
  void check_answer(const CommandCall& call, CommandAttempt& attempt) const;
  static void end_with_us(CommandAttempt& attempt, const std::atomic<bool>* stop);
  void judge(ParsedResult& result, const CommandCall& call) const;
  [[nodiscard]] Rehearsal rehearse(CommandCall call) const;
  [[nodiscard]] std::string exchange_text(const CommandAttempt& attempt,
                                          const CommandCall& call) const;
  [[nodiscard]] std::string understood_text(const CommandAttempt& attempt) const;
  [[nodiscard]] Outcome outcome_of(const CommandAttempt& attempt) const;
  [[nodiscard]] std::string failure_text(const CommandAttempt& attempt, int attempts) const;

  CommandOptions options_;
  SearchSpace space_;
  CommandLine line_;
  CommandValues values_;
  AttemptLimits limits_;
  ResultParser parser_;
  std::vector<Goal> goals_ = {};   ///< empty: `values_` says what the one number is
  std::optional<Point> opponent_;  ///< the default, where the command names the opponent
  /// Kills all programs that the objective has started when this process ends.
  std::shared_ptr<ProgramGuard> guard_ = std::make_shared<ProgramGuard>();
  std::unique_ptr<WorkerPool> workers_;
  mutable std::atomic<std::int64_t> requests_ = 0;
};

/// The line of the table.
ObjectiveEntry command_entry();

/// The line of the table of objectives for `ask_tell`, which somebody else evaluates.
ObjectiveEntry asked_entry();

}  // namespace ntune
