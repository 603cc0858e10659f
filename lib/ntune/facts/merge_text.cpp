#include "ntune/facts/merge_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/fact.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_json.h"

namespace ntune {

namespace {

/// Merged studies that recommend a point have one objective.
const Objective& objective_of(const Merge& merge) { return *merge.study.objectives[0].objective; }

/// "1, 2 and 3", or how many there are.
std::string seeds_text(const std::vector<std::uint64_t>& seeds) {
  constexpr std::size_t kMostNamed = 8;
  if (seeds.size() > kMostNamed) {
    return fmt::format("{} from {} to {}", seeds.size(), seeds.front(), seeds.back());
  }
  std::vector<std::string> words;
  for (const std::uint64_t seed : seeds) words.push_back(fmt::format("{}", seed));
  return list_text(words, "and");
}

/// In the reported unit, where it is measured or known.
std::optional<double> value_of(const Objective& objective, const MergedPick& pick) {
  if (!pick.known && pick.payoffs.count() == 0) return std::nullopt;
  if (pick.aggregate) return pick.aggregate;
  return objective.unit().value_of(pick.known.value_or(pick.sample().mean.mean()));
}

/// A pick's text and value, "-" where it has none.
Fact pick_fact(const Objective& objective, const MergedPick& pick) {
  Fact fact{.key = "pick", .label = objective.space().text(pick.point), .value = "-"};
  if (const auto value = value_of(objective, pick)) fact.value = *value;
  fact.interval = pick.interval;
  return fact;
}

/// The table of picks, the best first; of many the first ones.
std::string picks_text(const Merge& merge) {
  constexpr std::size_t kMostRows = 20;
  const Objective& objective = objective_of(merge);
  TextTable table({"value", "95 % interval", "n", "best", "<seeds", "<pick"});
  const std::size_t rows = std::min(kMostRows, merge.picks.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const MergedPick& pick = merge.picks[i];
    // What is known by definition has neither an interval nor a count.
    const Fact fact = pick_fact(objective, pick);
    table.add_row({text_of(fact), fact.interval ? ends_text(fact) : "-",
                   pick.known ? "-" : count_text(pick.payoffs.count()),
                   pick.standing ? fmt::format("{:.3f}", pick.standing->best_probability) : "-",
                   seeds_text(pick.seeds), printable(fact.label, 100)});
  }
  std::string text = "Picks by value, each taken by itself, and how likely it is the best\n\n" +
                     table.text_within();
  if (rows < merge.picks.size()) text += fmt::format("and {} more\n", merge.picks.size() - rows);
  return text;
}

/// How far the value of the winner can be trusted.
std::string choice_text(const Merge& merge) {
  if (merge.picks.size() < 2) return {};
  if (merge.picks.front().known) {
    return "The default is worth 1/2 by definition, and no other pick has shown a better value.";
  }
  if (merge.measured_afresh) {
    return "The winner's value is from evaluations of its own, made after the choice.";
  }
  // The more picks are compared by the same evaluations, the luckier the best of them.
  if (merge.rivals < 2) {
    return "No hold-out evaluations to compare the picks by, so none is known to be the best with "
           "some probability; --evaluate N makes some.";
  }
  if (merge.picks.front().aggregate) {
    return fmt::format(
        "The best of {} picks by the same evaluations is also the luckiest: expect less than its "
        "value. A merge has intervals of means alone, and the study's `aggregate` is none.",
        merge.rivals);
  }
  return fmt::format(
      "The best of {} picks by the same evaluations is also the luckiest: expect less than its "
      "value. Its interval above allows for that choice (Bonferroni, confidence 1 - 0.05 / {}); "
      "--evaluate N measures it afresh. The probability of being best takes them as independent: "
      "other seeds are other random streams, so that nothing is paired before --evaluate.",
      merge.rivals, merge.rivals);
}

/// The picks as they are saved.
std::vector<SavedPick> saved_picks(const Merge& merge) {
  const Objective& objective = objective_of(merge);
  std::vector<SavedPick> saved;
  for (const MergedPick& pick : merge.picks) {
    saved.push_back({.seeds = pick.seeds,
                     .point = pick.point,
                     .value = value_of(objective, pick),
                     .interval = pick.interval,
                     .n = pick.payoffs.count(),
                     .true_value = true_value_of(objective, pick.point)});
    if (pick.standing) saved.back().best_probability = pick.standing->best_probability;
  }
  return saved;
}

/// Names the seed of each pick.
void add_seeds(std::vector<SavedCell>& cells, const Merge& merge) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells[c].picks) continue;
    const std::vector<Pick>& picks = merge.result.cells[c].picks;
    auto saved = cells[c].picks->begin();
    for (std::size_t i = 0; i < picks.size(); ++i) {
      if (!picks[i].finished) continue;
      // Picks are in the order of the seeds, as many for each.
      saved->seed = merge.seeds[i * merge.seeds.size() / picks.size()];
      saved->repeat = picks[i].repeat;
      ++saved;
    }
  }
}

}  // namespace

Facts merge_facts(const Merge& merge) {
  Facts facts;
  for (const MergedPick& pick : merge.picks) facts.push_back(pick_fact(objective_of(merge), pick));
  return facts;
}

std::string merge_text(const Merge& merge) {
  std::string text = fmt::format("{} merged: {}\n\n", merge.seeds.size() == 1 ? "Seed" : "Seeds",
                                 seeds_text(merge.seeds));
  text += result_text(merge.study, merge.result, summarise(merge.study, merge.result));
  if (merge.picks.size() > 1)
    text += "\n" + picks_text(merge) + "\n" + wrapped(choice_text(merge), 0) + "\n";
  return text;
}

Json merge_json(const Merge& merge) {
  SavedResult saved = saved_result(merge.study, merge.result, summarise(merge.study, merge.result));
  // Several seeds stand in place of one.
  saved.seed.reset();
  saved.seeds = merge.seeds;
  saved.budget.total = merge.budget;
  if (saved.cells) {
    add_seeds(*saved.cells, merge);
  } else {
    saved.picks = saved_picks(merge);
  }
  if (saved.recommendation) {
    saved.recommendation->seed = merge.picks.front().seeds.front();
    saved.recommendation->rivals = merge.rivals;
  }
  return to_json(std::move(saved), merge.study);
}

std::string merged_runs_csv(const Merge& merge) {
  std::vector<std::uint64_t> seeds;  // of the finished runs, in the order of the table
  for (std::size_t c = 0; c < merge.result.cells.size(); ++c) {
    const std::vector<RunRecord>& runs = merge.result.cells[c].runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].finished) seeds.push_back(merge.run_seeds[c][i]);
    }
  }
  // The seed of its study stands in front of each row.
  const std::string runs = runs_csv(merge.study, merge.result);
  CsvReader reader(runs, "runs.csv");
  reader.next();
  std::string csv = fmt::format("seed,{}\n", reader.text());
  for (std::size_t row = 0; reader.next(); ++row) {
    csv += fmt::format("{},{}\n", seeds[row], reader.text());
  }
  return csv;
}

void write_merge(const std::filesystem::path& folder, const Merge& merge) {
  const FolderLock lock(folder);
  write_file_atomically(folder / "runs.csv", merged_runs_csv(merge));
  write_file_atomically(folder / "result.json", merge_json(merge).dump(2) + "\n");
}

}  // namespace ntune
