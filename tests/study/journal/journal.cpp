#include "ntune/study/journal/journal.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/study/export/export.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/version.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/file_size_limit.h"
#include "support/spaces.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::content_of;
using test::study_of;

namespace {

constexpr StudyLog::Time kNow{std::chrono::seconds(1'700'000'000)};

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::istringstream stream(content_of(path));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Parameters whose names and texts need quoting in JSON, and one that may be inactive.
SearchSpace nasty_space() {
  std::vector<Parameter> parameters = {
      make_choices("a \"quoted\" \\ name", {std::string("x\ny"), std::string("\t\"z\"\\"), true}),
      make_choices("\u00fc\u65e5\U0001f600",
                   {std::string(), std::string("\u00e9"), std::int64_t{5}}),
      make_choices("a,b:{c}[d]", {-1e300, 5e-324, 0.1, std::int64_t{1} << 53}),
      make_integers("from -5", -5, 9, 7),
      make_range("reals", -0.75, 1e-3, 4),
      make_log_range("logs", 1e-7, 1e9, 5),
      make_fixed("fixed", std::string("line\u2028end")),
      make_boolean("inner"),
  };
  parameters[7].when = {{.parameter = 0, .values = {1, 2}}};
  return SearchSpace(std::move(parameters));
}

std::shared_ptr<const Objective> nasty_objective() {
  return std::make_shared<LambdaObjective>(nasty_space(),
                                           [](const Point&, Rng& rng) { return rng.normal(); });
}

/// Any finite double, by its bits; special ones now and then.
double any_double(Rng& rng) {
  const std::vector<double> special = {0.0,
                                       -0.0,
                                       1e-300,
                                       5e-324,
                                       -5e-324,
                                       0.1,
                                       1.0,
                                       -1e308,
                                       std::numeric_limits<double>::max(),
                                       std::numeric_limits<double>::min(),
                                       9007199254740993.0};
  if (rng.below(3) == 0) return special[rng.below(static_cast<std::uint32_t>(special.size()))];
  while (true) {
    const auto value = std::bit_cast<double>(rng());
    if (std::isfinite(value)) return value;
  }
}

/// Up to half of the most evaluations that a study may have.
std::int64_t any_index(Rng& rng) {
  return static_cast<std::int64_t>(rng() >> (15 + rng.below(48)));
}

EvaluationKey any_key(Rng& rng, std::uint32_t cells) {
  return {.cell = rng.below(cells),
          .stage = static_cast<Stage>(rng.below(3)),
          .repeat = any_index(rng),
          .run = any_index(rng) - 1,
          .index = any_index(rng) % 1'000'000};
}

Outcome any_outcome(Rng& rng) {
  const std::optional<double> cost =
      rng.bernoulli(0.3) ? std::optional(std::abs(any_double(rng))) : std::nullopt;
  if (rng.below(4) == 0) {
    return {.failure = "a\nb \"c\" \x01 \xff \u00e9", .attempts = 3, .cost = cost};
  }
  Outcome outcome{.payoff = any_double(rng), .cost = cost};
  outcome.ending = static_cast<Ending>(rng.below(3));
  const std::vector<std::uint32_t> counts = {0, 0, 1, 2, 300};
  for (std::uint32_t i = counts[rng.below(5)]; i > 0; --i) {
    outcome.observations.push_back(any_double(rng));
  }
  if (!outcome.observations.empty()) outcome.payoff = outcome.observations[0];
  for (std::uint32_t i = rng.below(3); i > 0; --i) outcome.games.add(pair_of_games(1.0, 0.5));
  if (rng.below(3) == 0) outcome.games.add(single_game(0.0));
  if (rng.below(3) == 0) {
    GameCounts late = single_game(rng.below(2) == 0 ? 0.0 : 1.0);
    late.forfeits.add(Forfeits::Cause::kTime, late.games.losses == 1);
    outcome.games.add(late);
  }
  return outcome;
}

std::vector<double> payoffs_of(const Outcome& outcome) {
  return outcome.observations.empty() ? std::vector<double>{outcome.payoff} : outcome.observations;
}

/// Equal to the last bit, -0.0 and 0.0 apart.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

std::string run_opened(const fs::path& folder, const Study& study, Journal::Open open) {
  Journal journal(folder, study, open);
  return test::outputs(study, test::run(study, &journal));
}

std::string open_error(const fs::path& folder, const Study& study,
                       Journal::Open open = Journal::Open::kResume) {
  return test::input_error([&] { const Journal journal(folder, study, open); });
}

const std::string kSmallJournal =
    "runs: 2, iterations: 6, re_evaluation: 4, hold_out: 3, threads: 1, record: evaluations";

/// The lines of the export for Optuna's JournalStorage.
std::vector<std::string> exported_lines(const fs::path& folder,
                                        const std::shared_ptr<const Objective>& objective) {
  std::stringstream text;
  export_text(RecordedStudy(folder, objective), {.target = ExportTarget::kOptunaJournal},
              [&](std::string_view piece) { text << piece; });
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Study small_study(const std::string& more = "") {
  return study_of("{" + kSmallJournal + more + "}", test::coins({0.2, 0.5, 0.7}));
}

}  // namespace

TEST_CASE("every evaluation in a journal is read back to the last bit") {
  const test::TemporaryFolder folder;
  const auto objective = nasty_objective();
  const Study study =
      study_of("{optimisers: [ntbea, random, rmhc], record: evaluations}", objective);
  Rng rng(1);
  std::vector<test::MemoryLog::Entry> entries;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    for (int i = 0; i < 600; ++i) {
      const EvaluationKey key = any_key(rng, 3);
      entries.push_back({key, objective->space().sample(rng), any_outcome(rng)});
      const auto& entry = entries.back();
      journal.append(
          {.key = entry.key, .objective = objective.get(), .point = &entry.point, .stream = Rng(0)},
          entry.outcome, kNow, kNow);
    }
  }
  const Journal journal(folder.path(), study, Journal::Open::kResume);
  CHECK(journal.known() == entries.size());
  for (const auto& entry : entries) {
    const std::optional<Outcome> found = journal.find(entry.key, entry.point, nullptr);
    REQUIRE(found.has_value());
    REQUIRE(found->failure.empty() == entry.outcome.failure.empty());
    REQUIRE(found->cost == entry.outcome.cost);
    REQUIRE(found->ending == entry.outcome.ending);
    if (found->failure.empty()) {
      REQUIRE(same_bits(payoffs_of(*found), payoffs_of(entry.outcome)));
      REQUIRE(found->games == entry.outcome.games);
    }
    EvaluationKey other = entry.key;
    other.index += 1;
    REQUIRE_FALSE(journal.find(other, entry.point, nullptr).has_value());
  }
}

TEST_CASE("every evaluation of a journal is exported as a trial of Optuna") {
  const test::TemporaryFolder folder;
  const auto objective = nasty_objective();
  const SearchSpace& space = objective->space();
  const Study study = study_of("{record: evaluations, name: \"n\\\"a\\nm\\\\e\"}", objective);
  Rng rng(2);
  std::vector<test::MemoryLog::Entry> entries;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    for (int i = 0; i < 200; ++i) {
      const EvaluationKey key = any_key(rng, 1);
      entries.push_back({key, space.sample(rng), any_outcome(rng)});
      entries.back().outcome.observations.clear();  // it is their mean that is exported
      const auto& entry = entries.back();
      journal.append(
          {.key = key, .objective = objective.get(), .point = &entry.point, .stream = Rng(0)},
          entry.outcome, kNow, kNow + std::chrono::milliseconds(1500));
    }
  }
  const Json begin = Json::parse(lines_of(folder / kJournalName)[0])["ntune"];
  CHECK(begin["format"] == 2);
  CHECK(begin["version"] == kVersion);
  CHECK(begin["study"] == study.config);
  const auto exported = exported_lines(folder.path(), objective);
  REQUIRE(exported.size() >= entries.size());
  const Json header = Json::parse(exported[0]);
  CHECK(header["op_code"] == 0);
  CHECK(header["study_name"] == "n\"a\nm\\e");
  CHECK(header["directions"].dump() == "[2]");
  const std::vector<std::string> lines(exported.end() - std::ssize(entries) - 1, exported.end());
  int inactive = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Json line = Json::parse(lines[i + 1]);
    const auto& [key, point, outcome] = entries[i];
    const bool failed = !outcome.failure.empty();
    REQUIRE(line["op_code"] == 4);
    REQUIRE(line["study_id"] == 0);
    const bool capped = !failed && outcome.ending == Ending::kCapped;
    REQUIRE(line["state"] == (failed ? 3 : capped ? 2 : 1));
    REQUIRE(line["value"].is_null() == (failed || capped));
    if (!failed && !capped) {
      REQUIRE(line["value"].is_number_float());
      REQUIRE(line["value"] == outcome.payoff);
    }
    REQUIRE(line["datetime_start"].get<std::string>().size() == 26);
    REQUIRE(line["datetime_start"] < line["datetime_complete"]);
    const Json& attributes = line["user_attrs"];
    REQUIRE(attributes["stage"] == stage_name(key.stage));
    REQUIRE(attributes["run"] == key.run);
    REQUIRE(attributes["evaluation"] == key.index);
    REQUIRE(attributes["seconds"] == 1.5);
    REQUIRE(attributes.contains("failure") == failed);
    REQUIRE(attributes.contains("attempts") == failed);
    if (failed) REQUIRE(attributes["failure"] == "a\\nb \"c\" \\x01 \\xff \u00e9");
    for (int p = 0; p < space.dimensions(); ++p) {
      const std::string& name = space[p].name;
      const bool active = space.is_active(point, p);
      if (!active) ++inactive;
      REQUIRE(line["params"].contains(name) == active);
      REQUIRE(line["distributions"].contains(name) == active);
      if (!active) continue;
      const Json distribution = Json::parse(line["distributions"][name].get<std::string>());
      const Json& attributes_of = distribution["attributes"];
      const Value& value = space.value(point, p);
      REQUIRE(line["params"][name].is_number_float());
      const auto internal = line["params"][name].get<double>();
      if (distribution["name"] == "CategoricalDistribution") {
        REQUIRE(attributes_of["choices"][static_cast<std::size_t>(internal)] == value_json(value));
      } else {
        REQUIRE(internal == value_number(value));
        REQUIRE(attributes_of["low"].get<double>() <= internal);
        REQUIRE(internal <= attributes_of["high"].get<double>());
      }
    }
  }
  CHECK(inactive > 20);
}

TEST_CASE("every run in a journal is read back to the last bit") {
  const test::TemporaryFolder folder;
  const auto objective = nasty_objective();
  const Study study = study_of("{optimisers: [ntbea, random, rmhc], record: runs}", objective);
  Rng rng(3);
  std::vector<std::pair<std::uint32_t, RunRecord>> runs;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    for (int i = 0; i < 300; ++i) {
      RunRecord record{.finished = true,
                       .repeat = any_index(rng),
                       .run = any_index(rng),
                       .evaluations = any_index(rng),
                       .failures = any_index(rng),
                       .point = objective->space().sample(rng),
                       .estimate = any_double(rng),
                       .point_evaluations = any_index(rng)};
      if (rng.bernoulli(0.5)) {
        record.hold_out.payoffs = RunningStats({.count = 1 + any_index(rng),
                                                .mean = any_double(rng),
                                                .squares = std::abs(any_double(rng)),
                                                .min = any_double(rng),
                                                .max = any_double(rng)});
        record.hold_out.evaluations = any_index(rng);
        record.score = record.hold_out.payoffs.mean();
      }
      if (rng.bernoulli(0.5)) {
        record.certainty = {.sd = std::abs(any_double(rng)), .best_probability = rng.uniform()};
        if (rng.bernoulli(0.5)) record.certainty->best_probability.reset();
        if (rng.bernoulli(0.5)) record.certainty->claim = Claim{.mean = any_double(rng)};
      }
      const std::uint32_t cell = rng.below(3);
      runs.emplace_back(cell, record);
      journal.append_run(cell, record);
    }
  }
  for (const std::string& line : lines_of(folder / kJournalName)) {
    REQUIRE(Json::accept(line));
  }
  const Journal journal(folder.path(), study, Journal::Open::kResume);
  CHECK(journal.known() == runs.size());
  for (const auto& [cell, run] : runs) {
    const std::optional<RunRecord> found = journal.find_run(cell, run.repeat, run.run);
    REQUIRE(found.has_value());
    REQUIRE(found->finished);
    REQUIRE(found->repeat == run.repeat);
    REQUIRE(found->run == run.run);
    REQUIRE(found->evaluations == run.evaluations);
    REQUIRE(found->failures == run.failures);
    REQUIRE(found->point == run.point);
    REQUIRE(same_bits({found->estimate}, {run.estimate}));
    REQUIRE(found->point_evaluations == run.point_evaluations);
    REQUIRE(found->hold_out.evaluations == run.hold_out.evaluations);
    const auto& a = found->hold_out.payoffs.state();
    const auto& b = run.hold_out.payoffs.state();
    REQUIRE(a.count == b.count);
    REQUIRE(same_bits({a.mean, a.squares, a.min, a.max}, {b.mean, b.squares, b.min, b.max}));
    REQUIRE(found->certainty.has_value() == run.certainty.has_value());
    if (run.certainty) {
      REQUIRE(found->certainty->best_probability.has_value() ==
              run.certainty->best_probability.has_value());
      REQUIRE(found->certainty->claim.has_value() == run.certainty->claim.has_value());
      REQUIRE(run_record_json(*found)["certainty"] == run_record_json(run)["certainty"]);
    }
    REQUIRE(found->score == run.score);
    REQUIRE_FALSE(journal.find_run(cell, run.repeat, run.run + 1).has_value());
  }
}

TEST_CASE("evaluations that are handed out are told under their trial's number") {
  const test::TemporaryFolder folder;
  const auto objective = nasty_objective();
  const Study study = study_of("{record: evaluations}", objective);
  Rng rng(4);
  std::vector<test::MemoryLog::Entry> entries;
  for (int i = 0; i < 40; ++i) {
    const EvaluationKey key = any_key(rng, 1);
    entries.push_back({key, objective->space().sample(rng), any_outcome(rng)});
  }
  const auto request = [&](const test::MemoryLog::Entry& entry) {
    return Request{
        .key = entry.key, .objective = objective.get(), .point = &entry.point, .stream = Rng(0)};
  };
  const auto kind = [](std::size_t i) { return i % 4; };  // 0: at once, 1 and 2: later, 3: never
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (kind(i) == 0) continue;
      CHECK(journal.append_asked(request(entries[i]), kNow) ==
            static_cast<std::int64_t>(i - i / 4 - 1));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (kind(i) == 1) journal.append(request(entries[i]), entries[i].outcome, kNow, kNow);
    }
  }
  {
    // Those handed out before are known by their numbers, and told in another process.
    Journal journal(folder.path(), study, Journal::Open::kResume);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool waiting = kind(i) == 2 || kind(i) == 3;
      CHECK(journal.asked_trial(entries[i].key) ==
            (waiting ? static_cast<std::int64_t>(i - i / 4 - 1) : -1));
      if (kind(i) == 2 || kind(i) == 0) {
        journal.append(request(entries[i]), entries[i].outcome, kNow, kNow);
      }
    }
  }
  const Journal journal(folder.path(), study, Journal::Open::kResume);
  CHECK(journal.known() == 30);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto found = journal.find(entries[i].key, entries[i].point, nullptr);
    CHECK(found.has_value() == (kind(i) != 3));
    CHECK((journal.asked_trial(entries[i].key) >= 0) == (kind(i) == 3));
    if (found && found->failure.empty()) {
      CHECK(same_bits(payoffs_of(*found), payoffs_of(entries[i].outcome)));
    }
  }
  std::map<std::int64_t, int> finished;
  (void)scan_journal(content_of(folder / kJournalName), "j", [&](const JournalLine& line) {
    if (line.was_asked) ++finished[line.trial];
  });
  CHECK(finished.size() == 20);
  for (const auto& [trial, times] : finished) CHECK(times == 1);
}

TEST_CASE("a journal keeps what its study asks for") {
  const test::TemporaryFolder folder;
  const Study runs = study_of("{runs: 3, iterations: 20, record: runs}", test::coins({0.2, 0.7}));
  run_opened(folder / "runs", runs, Journal::Open::kNew);
  CHECK(lines_of(folder / "runs" / kJournalName).size() == 1 + 3);
  const Study all = small_study();
  StudyResult result;
  {
    Journal journal(folder / "all", all, Journal::Open::kNew);
    result = test::run(all, &journal);
  }
  CHECK(static_cast<std::int64_t>(lines_of(folder / "all" / kJournalName).size()) ==
        1 + result.evaluations());
}

TEST_CASE("a study with a cost is one that Optuna minimises") {
  const test::TemporaryFolder folder;
  class Cost final : public Objective {
   public:
    [[nodiscard]] const SearchSpace& space() const override { return space_; }
    [[nodiscard]] double evaluate(const Point& point, Rng&) const override { return -point[0]; }
    [[nodiscard]] std::string description() const override { return "cost"; }
    [[nodiscard]] Unit unit() const override { return {.zero = 10.0, .slope = -2.0}; }

   private:
    SearchSpace space_ = test::grid_space({4});
  };
  const auto objective = std::make_shared<Cost>();
  run_opened(folder.path(), study_of("{" + kSmallJournal + "}", objective), Journal::Open::kNew);
  const auto lines = exported_lines(folder.path(), objective);
  CHECK(Json::parse(lines[0])["directions"].dump() == "[1]");
  for (const std::string& text : lines) {
    const Json line = Json::parse(text);
    if (line["op_code"] == 4)
      CHECK(line["value"].get<double>() == 10.0 + 2.0 * line["params"]["p0"].get<double>());
  }
}

TEST_CASE("a journal that is there is only gone on with where that is asked for") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const std::string expected = run_opened(folder.path(), study, Journal::Open::kNew);
  const std::string before = content_of(folder / kJournalName);
  CHECK_THAT(
      open_error(folder.path(), study, Journal::Open::kNew),
      StartsWith(folder.path().string() + ": holds ") &&
          EndsWith(" evaluations of this study; add --resume to go on with them, or name another "
                   "folder"));
  CHECK((content_of(folder / kJournalName) == before));
  CHECK((run_opened(folder.path(), study, Journal::Open::kResume) == expected));
  CHECK((content_of(folder / kJournalName) == before));
  // Nothing to go on with is a new study.
  CHECK((run_opened(folder / "new", study, Journal::Open::kResume) == expected));
}

TEST_CASE("an empty journal is begun") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const std::string expected = run_opened(folder / "whole", study, Journal::Open::kNew);
  for (const auto open : {Journal::Open::kNew, Journal::Open::kResume}) {
    (void)folder.file("journal.log", "");
    CHECK((run_opened(folder.path(), study, open) == expected));
    CHECK(lines_of(folder / kJournalName).size() ==
          lines_of(folder / "whole" / kJournalName).size());
  }
}

TEST_CASE("what a crash has torn behind the last whole line is cut off") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const std::string expected = run_opened(folder.path(), study, Journal::Open::kNew);
  const std::string whole = content_of(folder / kJournalName);
  for (const std::string& tail :
       {std::string("{"), std::string("s0.1 0 0."), std::string(5000, '\0'),
        std::string("\0\0\n", 3), std::string("garbage\n"), std::string("\n"),
        std::string("\xff")}) {
    (void)folder.file("journal.log", whole + tail);
    CHECK((run_opened(folder.path(), study, Journal::Open::kResume) == expected));
    CHECK((content_of(folder / kJournalName) == whole));
  }
}

TEST_CASE("blank lines in a journal are passed over") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const auto expected = run_opened(folder.path(), study, Journal::Open::kNew);
  const std::string whole = content_of(folder / kJournalName);
  std::string text;
  for (const std::string& line : lines_of(folder / kJournalName)) text += line + "\n \r\n\n";
  (void)folder.file("journal.log", text);
  CHECK((run_opened(folder.path(), study, Journal::Open::kResume) == expected));
  text.resize(text.find_last_not_of(" \r\n") + 2);
  CHECK((content_of(folder / kJournalName) == text));
}

TEST_CASE("a journal that is wrong in the middle is refused with its line") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  run_opened(folder.path(), study, Journal::Open::kNew);
  const auto lines = lines_of(folder / kJournalName);
  for (const std::string& garbage :
       {std::string("garbage"), std::string("{}"), std::string("[1]"), std::string("null"),
        std::string(10, '\0'), std::string("s0.0"), std::string("s0.0 1 1e999 5/5"),
        std::string("s0.0 1 1 5/5 z"),
        std::string(R"({"ntune":["e",0,0,0,0,0,[1],[1]],"op_code":4,"state":1})")}) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 4 ? garbage : lines[i]) + "\n";
    const std::string path = folder.file("journal.log", text);
    CAPTURE(garbage);
    CHECK(open_error(folder.path(), study) == path + ":5: " + kNoJournalLine);
    CHECK((content_of(path) == text));
  }
}

TEST_CASE("files that are no journal of a study are refused") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const std::string path = (folder / kJournalName).string();
  const std::vector<std::pair<std::string, std::string>> files = {
      {"some text\n", ":1: is not the journal of an ntune study"},
      {R"({"op_code":0,"worker_id":"x","study_name":"other","directions":[2]})"
       "\n",
       ":1: is not the journal of an ntune study"},
      {R"({"ntune":["e",0,0,0,0,0,[1],[1]],"op_code":4,"x":1})"
       "\n",
       ":1: is not the journal of an ntune study"},
      {R"({"ntune":{"format":3,"shape":"new"}})"
       "\n",
       ":1: is a journal of format 3, this program reads formats 1 and 2"},
      {R"({"ntune":{"format":"x\ny"},"op_code":0})"
       "\n",
       ":1: is a journal of format \"x\\ny\", this program reads formats 1 and 2"},
      {R"({"ntune":{"format":1},"op_code":0})"
       "\n",
       ":1: is not the journal of an ntune study"},
      {R"({"ntune":{"format":1,"version":"1","study":5},"op_code":0})"
       "\n",
       ":1: is not the journal of an ntune study"},
      {R"({"ntune":{"format":1,"version":1,"study":{}},"op_code":0})"
       "\n",
       ":1: is not the journal of an ntune study"},
  };
  for (const auto& [text, error] : files) {
    CAPTURE(text);
    (void)folder.file("journal.log", text);
    CHECK(open_error(folder.path(), study) == path + error);
    CHECK(content_of(path) == text);
  }
  fs::remove(path);
  fs::create_directory(path);
  CHECK(open_error(folder.path(), study) == path + ": cannot read it: Invalid argument");
}

TEST_CASE("the journal of another study is refused by naming the difference") {
  const test::TemporaryFolder folder;
  run_opened(folder.path(), small_study(), Journal::Open::kNew);
  const std::string begin =
      (folder / kJournalName).string() + ":1: is the journal of another study: ";
  CHECK(open_error(folder.path(), small_study(", seed: 2")) == begin + "'seed' is 1 there, 2 here");
  CHECK(open_error(folder.path(), small_study(", fail: {value: 0}")) ==
        begin + R"('fail' is "abort or skip" there, {"value":0.0} here)");
  CHECK(open_error(folder.path(), small_study(", parallel_evaluations: 3")) ==
        begin + "'parallel_evaluations' is 1 there, 3 here");
  CHECK(open_error(folder.path(), small_study(", optimiser: {k: 2}")) ==
        begin + R"('optimiser.algorithm' is "auto" there, "ntbea" here)");
  CHECK(open_error(folder.path(), study_of("{objective: hartmann3}")) ==
        begin + R"('objective.function' is missing there, "hartmann3" here)");
  // Threads do not change a result.
  Study study = small_study();
  study.execution.threads = 5;
  CHECK(open_error(folder.path(), study) == "no error");
  std::string text = content_of(folder / kJournalName);
  const std::string seed = R"("seed":1,)";
  text.erase(text.find(seed), seed.size());
  (void)folder.file("journal.log", text);
  CHECK(open_error(folder.path(), small_study()) == begin + "'seed' is missing there, 1 here");
}

TEST_CASE("an evaluation of another point is refused with its line") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  run_opened(folder.path(), study, Journal::Open::kNew);
  auto lines = lines_of(folder / kJournalName);
  const std::string key = "s1.2 ";
  std::string text;
  std::size_t number = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with(key)) {
      number = i + 1;
      lines[i][key.size()] = lines[i][key.size()] == '0' ? '1' : '0';
    }
    text += lines[i] + "\n";
  }
  REQUIRE(number > 0);
  const std::string path = folder.file("journal.log", text);
  CHECK(test::input_error([&] { run_opened(folder.path(), study, Journal::Open::kResume); }) ==
        fmt::format("{}:{}: evaluation 2 of run 1 was of another point than this program asks for; "
                    "the journal was begun by version {}, this is {}; finish it with that one, or "
                    "begin a study in another folder with this one as its `prior:`",
                    path, number, kVersion, kVersion));
}

TEST_CASE("a run that recommends no point of the space is refused with its line") {
  const test::TemporaryFolder folder;
  const Study study =
      study_of("{runs: 2, iterations: 20, record: runs, threads: 1}", test::coins({0.2, 0.5, 0.7}));
  run_opened(folder.path(), study, Journal::Open::kNew);
  const std::string whole = content_of(folder / kJournalName);
  const std::size_t line = whole.find(R"("run":1,)");
  REQUIRE(line != std::string::npos);
  const std::size_t point = whole.find('[', line);
  for (const char* other : {"[3]", "[0,0]", "[]"}) {
    std::string text = whole;
    text.replace(point, 3, other);
    const std::string path = folder.file("journal.log", text);
    CHECK(test::input_error([&] { run_opened(folder.path(), study, Journal::Open::kResume); }) ==
          path + ":3: the point of run 1 is not in the search space");
  }
}

TEST_CASE("a folder is worked on by one process at a time") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  {
    const Journal journal(folder.path(), study, Journal::Open::kNew);
    for (const auto open : {Journal::Open::kNew, Journal::Open::kResume}) {
      CHECK_THAT(
          open_error(folder.path(), study, open),
          StartsWith(fmt::format("{}: process {} on ", folder.path().string(), ::getpid())) &&
              EndsWith(" works on this folder; wait for it or end it"));
    }
  }
  CHECK(open_error(folder.path(), study) == "no error");
}

TEST_CASE("folders that cannot hold a journal") {
  const test::TemporaryFolder folder;
  const Study study = small_study();
  const std::string regular = folder.file("regular", "");
  CHECK_THAT(open_error(regular, study), StartsWith(regular + ": cannot "));
  CHECK_THAT(open_error(regular + "/below", study), StartsWith(regular + "/below: cannot "));
  CHECK_THAT(open_error("/proc/ntune-test", study), StartsWith("/proc/ntune-test: cannot "));
  fs::create_symlink("/dev/full", folder / kJournalName);
  CHECK(open_error(folder.path(), study) ==
        (folder / kJournalName).string() + ": cannot read it: Invalid argument");
}

TEST_CASE("a full disk ends a study, and what it holds is gone on with") {
  const test::TemporaryFolder folder;
  const std::string fault = (folder / kJournalName).string() + ": cannot write it: File too large";
  for (const char* record : {"evaluations", "runs"}) {
    const Study study = study_of(
        fmt::format("{{runs: 40, iterations: 10, re_evaluation: 30, hold_out: 10, record: {}}}",
                    record),
        test::coins({0.2, 0.5, 0.7}));
    const std::string expected = run_opened(folder / "whole", study, Journal::Open::kNew);
    const auto size = fs::file_size(folder / "whole" / kJournalName);
    for (const std::uintmax_t limit : {size / 3, size / 2, size * 9 / 10}) {
      std::string error;
      {
        const test::FileSizeLimit full(limit);
        error = test::input_error([&] {
          Journal journal(folder.path(), study, Journal::Open::kNew);
          test::run(study, &journal);
          journal.sync();
        });
      }
      CHECK(error == fault);
      const std::string left = content_of(folder / kJournalName);
      CHECK(left.size() <= limit);
      CHECK(left.ends_with("\n"));
      CHECK((run_opened(folder.path(), study, Journal::Open::kResume) == expected));
      fs::remove(folder / kJournalName);
    }
    {
      // Not even the header fits.
      const test::FileSizeLimit full(100);
      CHECK(open_error(folder.path(), study) == fault);
    }
    fs::remove_all(folder / "whole");
    fs::remove(folder / kJournalName);
  }
}

}  // namespace ntune
