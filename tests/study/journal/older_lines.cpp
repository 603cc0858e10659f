// The reader of journals of version 0.2 beside a slow one that parses every line as JSON.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/study/journal/journal_reader.h"
#include "support/error_text.h"

namespace ntune {

using Kind = JournalLine::Kind;

namespace {

const std::string kOlderHeader =
    R"({"ntune":{"format":1,"version":"1","study":{}},"op_code":0,"study_name":"s"})";

std::string any_older_number(Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return fmt::format("{}", rng.below(3));
    case 1:
      return fmt::format("{}", rng.normal());
    case 2:
      return fmt::format("{}", rng.normal() * 1e-300);
    case 3:
      return "-1e+17";
    default:
      return fmt::format("{}", static_cast<double>(rng()));
  }
}

template <class Make>
std::string any_list(Rng& rng, std::uint32_t fewest, std::uint32_t most, const Make& make) {
  std::vector<std::string> words;
  for (std::uint32_t i = fewest + rng.below(most - fewest + 1); i > 0; --i) {
    words.push_back(make());
  }
  return fmt::format("[{}]", fmt::join(words, ","));
}

/// Up to half of the most evaluations that a study may have.
std::string any_count(Rng& rng) { return fmt::format("{}", rng() >> (15 + rng.below(46))); }

std::string any_older_point(Rng& rng) {
  return any_list(rng, 0, 6, [&] { return fmt::format("{}", rng.below(65536)); });
}

/// Wins and draws, perhaps in pairs of one each.
std::string any_games(Rng& rng) {
  const std::uint32_t count = 1 + rng.below(1000);
  const std::string pairs = fmt::format(",0,0,0,{},0", count);
  return fmt::format(R"(,["games",{},{},0{}])", count, count, rng.bernoulli(0.5) ? pairs : "");
}

/// A line with our fields; `trials` is the number of trials before it.
std::string any_line(Rng& rng, std::int64_t trials) {
  const bool end = trials > 0 && rng.bernoulli(0.3);
  std::string text = R"({"ntune":[)";
  const std::uint32_t kind = end ? rng.below(2) : rng.below(4);
  if (kind == 3) {
    text += fmt::format("\"r\",{},{},{},{},{},{},{},{},{},{},{},{},{},{}", rng.below(9),
                        any_count(rng), any_count(rng), any_count(rng), any_count(rng),
                        any_count(rng), any_count(rng), any_older_number(rng), any_count(rng),
                        any_older_number(rng), any_older_number(rng), any_older_number(rng),
                        any_older_number(rng), any_older_point(rng));
  } else {
    text += fmt::format("\"{}\",{},{},{},{},{},{}", "efa"[kind], rng.below(1000), rng.below(3),
                        any_count(rng), rng.bernoulli(0.2) ? "-1" : any_count(rng),
                        rng.below(1'000'000), any_older_point(rng));
    if (kind == 0) text += "," + any_list(rng, 1, 9, [&] { return any_older_number(rng); });
    if (kind == 0 && rng.bernoulli(0.3)) text += any_games(rng);
    if (kind == 0 && rng.bernoulli(0.3)) {
      text += rng.bernoulli(0.5) ? R"(,["cut_off"])" : R"(,["capped"])";
    }
    if (kind < 2 && rng.bernoulli(0.3)) {
      text += fmt::format(R"(,["cost",{}])", std::abs(std::stod(any_older_number(rng))));
    }
  }
  if (end) {
    text += fmt::format(R"(],"op_code":6,"trial_id":{},"state":1)",
                        rng.below(static_cast<std::uint32_t>(trials)));
  } else {
    text += R"(],"op_code":4,"state":1)";
  }
  return text + R"(,"user_attrs":{"a":"\"}{[\\"}})";
}

std::string any_foreign(Rng& rng) {
  static const std::vector<std::string> kLines = {
      R"({"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null})",
      R"( {"worker_id" : "w", "op_code" : 4 , "study_id":0} )",
      R"({"op_code":2,"worker_id":"w","user_attr":{"a":{"b":[1,2,{"op_code":4}]}}})",
      R"({"worker_id":"w","op_code":9,"system_attr":{"\u00e9\n":null}})",
      R"({"ntune":{"objective":1},"op_code":0})",
      R"({"op_code":0,"study_name":"x"})",
      R"({"ntune": ["e",0,0,0,0,0,[1],[1]],"op_code":4})",
  };
  return kLines[rng.below(static_cast<std::uint32_t>(kLines.size()))];
}

/// The list among the fields that begins with this name; null: there is none.
Json named_field(const Json& list, const char* name) {
  for (const Json& field : list) {
    if (field.is_array() && !field.empty() && field[0] == name) return field;
  }
  return {};
}

/// Compares a line of the fast reader with the line as JSON.
void check_line(const JournalLine& line, const std::string& text, std::int64_t trials) {
  const Json json = Json::parse(text);
  if (!text.starts_with(R"({"ntune":[)")) {
    REQUIRE(line.kind == (line.number == 1 ? Kind::kHeader : Kind::kForeign));
    REQUIRE(line.trial == (json["op_code"] == 4 ? trials : -1));
    return;
  }
  const Json& list = json["ntune"];
  const std::string letter = list[0];
  REQUIRE(line.trial == (json["op_code"] == 4 ? trials : json["trial_id"].get<std::int64_t>()));
  REQUIRE(line.key.cell == list[1].get<std::uint32_t>());
  if (letter == "r") {
    const RunRecord& run = line.run;
    REQUIRE(line.kind == Kind::kRun);
    REQUIRE(run.finished);
    const std::vector<std::int64_t> counts = {run.repeat,
                                              run.run,
                                              run.evaluations,
                                              run.failures,
                                              run.point_evaluations,
                                              run.hold_out.evaluations};
    for (std::size_t i = 0; i < counts.size(); ++i) REQUIRE(counts[i] == list[i + 2]);
    REQUIRE(run.estimate == list[8]);
    const RunningStats::State& state = run.hold_out.payoffs.state();
    REQUIRE(state.count == list[9]);
    REQUIRE(state.mean == list[10]);
    REQUIRE(state.squares == list[11]);
    REQUIRE(state.min == list[12]);
    REQUIRE(state.max == list[13]);
    REQUIRE(line.point == list[14].get<std::vector<std::uint16_t>>());
    REQUIRE(line.key.repeat == run.repeat);
    REQUIRE(line.key.run == run.run);
    REQUIRE(line.key.index == 0);
    return;
  }
  REQUIRE(line.kind == (letter == "e"   ? Kind::kEvaluation
                        : letter == "f" ? Kind::kFailure
                                        : Kind::kAsked));
  REQUIRE(static_cast<int>(line.key.stage) == list[2]);
  REQUIRE(line.key.repeat == list[3]);
  REQUIRE(line.key.run == list[4]);
  REQUIRE(line.key.index == list[5]);
  REQUIRE(line.point == list[6].get<std::vector<std::uint16_t>>());
  REQUIRE(line.payoffs ==
          (letter == "e" ? list[7].get<std::vector<double>>() : std::vector<double>()));
  const Json games = named_field(list, "games");
  REQUIRE(line.games.empty() == games.is_null());
  REQUIRE((line.ending == Ending::kCutOff) == !named_field(list, "cut_off").is_null());
  REQUIRE((line.ending == Ending::kCapped) == !named_field(list, "capped").is_null());
  const Json cost = named_field(list, "cost");
  REQUIRE(line.cost.has_value() == !cost.is_null());
  if (line.cost) REQUIRE(*line.cost == cost[1]);
  if (line.games.empty()) return;
  REQUIRE(line.games.games.wins == games[1]);
  REQUIRE(line.games.games.draws == games[2]);
  REQUIRE(line.games.are_paired() == (games.size() > 4));
}

/// Scans a text and compares every line; returns the bytes that are whole.
std::size_t check_older_scan(const std::string& text) {
  std::size_t at = 0;
  std::size_t number = 0;
  std::int64_t trials = 0;
  const std::size_t whole = scan_journal(text, "journal.log", [&](const JournalLine& line) {
    const std::size_t end = text.find('\n', at);
    const std::string written = text.substr(at, end - at);
    REQUIRE(line.number == ++number);
    check_line(line, written, trials);
    if (Json::parse(written)["op_code"] == 4) ++trials;
    at = end + 1;
  });
  REQUIRE(whole == at);
  return whole;
}

std::string any_older_journal(Rng& rng, int lines) {
  std::string text = kOlderHeader + "\n";
  std::int64_t trials = 0;
  for (int i = 0; i < lines; ++i) {
    const std::string line = rng.bernoulli(0.25) ? any_foreign(rng) : any_line(rng, trials);
    if (Json::parse(line)["op_code"] == 4) ++trials;
    text += line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("random journals of 0.2 are read as a slow reader reads them") {
  Rng rng(1);
  for (int i = 0; i < 150; ++i) {
    const std::string text = any_older_journal(rng, static_cast<int>(rng.below(40)));
    CHECK(check_older_scan(text) == text.size());
  }
}

TEST_CASE("a journal of 0.2 that is cut anywhere is read up to its last whole line") {
  Rng rng(2);
  const std::string text = any_older_journal(rng, 12);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string part = text.substr(0, cut);
    const std::size_t end = part.rfind('\n');
    REQUIRE(check_older_scan(part) == (end == std::string::npos ? 0 : end + 1));
  }
}

TEST_CASE("journals of 0.2 with wrong bytes are read or refused, never misread as to their lines") {
  Rng rng(3);
  int refused = 0;
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = any_older_journal(rng, 6);
    for (std::uint32_t k = 1 + rng.below(3); k > 0; --k) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(4)) {
        case 0:
          text.erase(at, 1 + rng.below(20));
          break;
        case 1:
          text.insert(at, 1, "\n[]{}\",:0-e.\0"[rng.below(13)]);
          break;
        case 2:
          text[at] = static_cast<char>(rng.below(256));
          break;
        default:
          text.insert(at, text.substr(rng.below(static_cast<std::uint32_t>(text.size())), 30));
      }
      if (text.empty()) text = "\n";
    }
    std::size_t lines = 0;
    std::size_t whole = 0;
    const std::string error = test::input_error([&] {
      whole = scan_journal(text, "journal.log", [&](const JournalLine& line) {
        REQUIRE(line.number > lines);
        lines = line.number;
        if (line.kind == Kind::kEvaluation) REQUIRE_FALSE(line.payoffs.empty());
        REQUIRE(line.point.size() <= static_cast<std::size_t>(kMaxDimensions));
      });
    });
    if (error == "no error") {
      ++read;
      REQUIRE(whole <= text.size());
      REQUIRE((whole == 0 || text[whole - 1] == '\n'));
    } else {
      ++refused;
      REQUIRE(error.find(": is not ") != std::string::npos);
    }
  }
  CHECK(refused > 500);
  CHECK(read > 100);
}

TEST_CASE("numbers that no study can have are refused at their line of 0.2, of every kind") {
  const auto error = [](const std::string& line) {
    const std::string more = R"({"op_code":2,"worker_id":"w","user_attr":{}})";
    return test::input_error([&] {
      (void)scan_journal(kOlderHeader + "\n" + line + "\n" + more + "\n", "j",
                         [](const JournalLine&) {});
    });
  };
  const std::string refused = std::string("j:2: ") + kNoJournalLine;
  const auto evaluation = [](const char* kind, const char* key) {
    const std::string payoffs = kind[0] == 'e' || kind[0] == 'o' ? ",[1]" : "";
    return fmt::format(R"({{"ntune":["{}",{},[0]{}],"op_code":4,"state":1}})", kind, key, payoffs);
  };
  for (const char* kind : {"e", "f", "a", "o"}) {
    CHECK(error(evaluation(kind, "0,0,0,-1,5")) == "no error");
    for (const char* key :
         {"4294967296,0,0,0,0", "-1,0,0,0,0", "0,3,0,0,0", "0,0,-1,0,0",
          "0,0,0,-9223372036854775807,0", "0,0,0,0,-1", "0,0,0,0,9223372036854775807",
          "0,0,9223372036854775807,0,0", "0,0,0,9223372036854775807,0"}) {
      CAPTURE(kind, key);
      CHECK(error(evaluation(kind, key)) == refused);
    }
  }
  const auto run = [](const char* numbers) {
    return fmt::format(R"({{"ntune":["r",0,{},0.5,0,0,0,0,0,[0]],"op_code":4,"state":1}})",
                       numbers);
  };
  CHECK(error(run("0,0,10,0,3,0")) == "no error");
  for (const char* numbers : {"-1,0,10,0,3,0", "0,-1,10,0,3,0", "0,0,-1,0,3,0", "0,0,10,-1,3,0",
                              "0,0,10,0,-1,0", "0,0,10,0,3,-1", "0,0,9223372036854775807,0,3,0"}) {
    CHECK(error(run(numbers)) == refused);
  }
  const auto held_out = [](const char* statistics) {
    return fmt::format(R"({{"ntune":["r",0,0,0,10,0,3,5,0.5,{},[0]],"op_code":4,"state":1}})",
                       statistics);
  };
  CHECK(error(held_out("5,0.5,1,0,1")) == "no error");
  CHECK(error(held_out("-5,0.5,1,0,1")) == refused);
  const auto planned = [](const char* list) {
    return fmt::format(R"({{"ntune":{{"planned":[{}]}},"op_code":2}})", list);
  };
  CHECK(error(planned("0,0,0,0,0,10,10,null,null")) == "no error");
  for (const char* list :
       {"4294967296,0,0,0,0,10,10,null,null", "0,0,-1,0,0,10,10,null,null",
        "0,0,0,-9223372036854775807,0,10,10,null,null", "0,0,0,0,-1,10,10,null,null",
        "0,0,0,0,0,-1,10,null,null", "0,0,0,0,0,10,9223372036854775807,null,null",
        "0,0,0,0,99999999999,10,10,null,null"}) {
    CHECK(error(planned(list)) == refused);
  }
  CHECK_THAT(error(R"({"ntune":{"format":1,"version":"1","study":5},"op_code":2})"),
             Catch::Matchers::StartsWith("j:2: is not the journal of an ntune study"));
  CHECK(error(R"({"ntune":{"asked_again":0},"op_code":8,"trial_id":0})") == refused);
}

}  // namespace ntune
