// The reader of journals beside a slow one that splits every line at its blanks.

#include "ntune/study/journal/journal_reader.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/core/time_text.h"
#include "support/error_text.h"

namespace ntune {

using Kind = JournalLine::Kind;

namespace {

const std::string kHeader =
    R"({"ntune":{"format":2,"version":"1","time":"2026-11-26T10:00:00.000001Z","study":{}}})";

std::string any_number(Rng& rng) {
  switch (rng.below(4)) {
    case 0:
      return fmt::format("{}", rng.below(3));
    case 1:
      return fmt::format("{}", rng.normal());
    case 2:
      return "-1e+17";
    default:
      return fmt::format("{}", static_cast<double>(rng()));
  }
}

std::string any_amount(Rng& rng) { return fmt::format("{}", rng.uniform() * 1000.0); }

template <class Make>
std::string any_list(Rng& rng, std::uint32_t most, const Make& make) {
  std::vector<std::string> words;
  for (std::uint32_t i = 1 + rng.below(most); i > 0; --i) words.push_back(make());
  return fmt::format("{}", fmt::join(words, ","));
}

std::string any_point(Rng& rng) {
  return any_list(rng, 6, [&] { return fmt::format("{}", rng.below(65536)); });
}

std::string any_key(Rng& rng) {
  const std::string cell =
      rng.bernoulli(0.5) ? fmt::format("{}/{}/", rng.below(1000), rng() >> 20) : "";
  const std::string run = rng.bernoulli(0.2) ? "-1" : fmt::format("{}", rng() >> 20);
  return fmt::format("{}{}{}.{}", cell, "srh"[rng.below(3)], run, rng.below(1'000'000));
}

/// A line of an evaluation; `asked` are the keys that are handed out.
std::string any_line(Rng& rng, std::vector<std::string>& asked) {
  const bool ends = !asked.empty() && rng.bernoulli(0.3);
  const std::string key = ends ? asked.back() : any_key(rng);
  const std::string time = fmt::format("{}", static_cast<std::int64_t>(rng.below(1'000'000)) - 10);
  std::string point = any_point(rng);
  if (rng.bernoulli(0.3)) point += ":" + any_point(rng);
  if (!ends && rng.bernoulli(0.3)) {
    asked.push_back(key);
    return fmt::format("{} {} ? {}", key, point, time);
  }
  if (ends && rng.bernoulli(0.2)) return fmt::format("{} = ? {}", key, time);
  if (ends) asked.pop_back();
  const bool failed = rng.bernoulli(0.3);
  std::string line =
      fmt::format("{} {} {} {}", key, ends && rng.bernoulli(0.8) ? "=" : point,
                  failed ? "!" : any_list(rng, 9, [&] { return any_number(rng); }), time);
  if (!ends) line += fmt::format("/{}", rng.below(100'000));
  if (!failed && rng.bernoulli(0.3)) line += rng.bernoulli(0.5) ? " x" : " m";
  const std::uint32_t pairs = 1 + rng.below(1000);
  if (!failed && rng.bernoulli(0.3)) {
    line += fmt::format(" g{}-{}-0", pairs, pairs);
    if (rng.bernoulli(0.5)) line += fmt::format("/0-0-0-{}-0", pairs);
  }
  if (rng.bernoulli(0.3)) line += " c" + any_amount(rng);
  if (rng.bernoulli(0.3)) line += " u" + any_amount(rng);
  if (rng.bernoulli(0.3)) line += fmt::format(" b{}", rng.below(1000));
  if (rng.bernoulli(0.3)) line += fmt::format(" n{}", 1 + rng.below(9));
  if (rng.bernoulli(0.3)) line += fmt::format(" q{}", rng());
  if (failed && rng.bernoulli(0.8)) line += R"( "a \"b\" c=1 \u00e9")";
  return line;
}

std::string any_object(Rng& rng) {
  static const std::vector<std::string> kLines = {
      R"({"retry_failed":true})",
      R"({"split":{"runs":3,"iterations":20,"re_evaluation":0}})",
      R"({"planned":[0,1,0,0,0,10,10,null,2.5]})",
      R"({"search_state":[0,0,3,4096,7,1,2,3,18446744073709551615]})",
      R"({"run":{"end":"2026-11-26T10:00:00.000001Z","cell":1,"repeat":2,"run":3,"point":[4,5]}})",
      R"({"ntune":{"format":2,"version":"2","time":"2026-11-26T11:00:00.000000Z","study":{}}})",
  };
  return kLines[rng.below(static_cast<std::uint32_t>(kLines.size()))];
}

std::string any_journal(Rng& rng, int lines) {
  std::string text = kHeader + "\n";
  std::vector<std::string> asked;
  for (int i = 0; i < lines; ++i) {
    const bool object = rng.bernoulli(0.2);
    text += (object ? any_object(rng) : any_line(rng, asked)) + "\n";
    // Behind an extension nobody names a point by '='.
    if (object && text.ends_with("{}}}\n")) asked.clear();
  }
  return text;
}

std::vector<std::string> words_of(const std::string& text, char between) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, between);) words.push_back(word);
  return words;
}

std::string joined(const std::vector<std::uint16_t>& indices) {
  return fmt::format("{}", fmt::join(indices, ","));
}

/// What the slow reader knows of a journal so far.
struct Slow {
  std::int64_t micros = 0;
  std::map<std::string, std::string> points;          ///< of what is handed out, by key
  std::map<std::string, std::int64_t> handed_out_at;  ///< the same
};

/// Compares the line of an evaluation with its words.
void check_evaluation(const JournalLine& line, const std::string& text, Slow& slow) {
  const std::string failure =
      text.find('"') == std::string::npos ? "" : text.substr(text.find('"'));
  const auto words = words_of(text.substr(0, text.size() - failure.size()), ' ');
  const std::string& key = words[0];
  const auto parts = words_of(key, '/');
  REQUIRE(line.key.cell == (parts.size() == 1 ? 0 : std::stoul(parts[0])));
  REQUIRE(line.key.repeat == (parts.size() == 1 ? 0 : std::stoll(parts[1])));
  REQUIRE(parts.back()[0] == "srh"[static_cast<int>(line.key.stage)]);
  REQUIRE(parts.back().substr(1) == fmt::format("{}.{}", line.key.run, line.key.index));

  const bool was_asked = slow.points.contains(key);
  const std::string point = words[1] == "=" ? slow.points.at(key) : words[1];
  if (line.kind != Kind::kAskedAgain) {
    REQUIRE(joined(line.point) + (line.against.empty() ? "" : ":" + joined(line.against)) == point);
  }
  const auto times = words_of(words[3], '/');
  slow.micros += std::stoll(times[0]);
  REQUIRE(micros_of(*line.end) == slow.micros);
  if (words[2] == "?") {
    REQUIRE(line.kind == (words[1] == "=" ? Kind::kAskedAgain : Kind::kAsked));
    slow.points[key] = point;
    slow.handed_out_at[key] = slow.micros;
    return;
  }
  REQUIRE(line.kind == (words[2] == "!" ? Kind::kFailure : Kind::kEvaluation));
  REQUIRE(line.was_asked == was_asked);
  REQUIRE(micros_of(*line.start) ==
          (was_asked ? slow.handed_out_at.at(key) : slow.micros - std::stoll(times[1])));
  slow.points.erase(key);
  const auto payoffs = words_of(words[2] == "!" ? "" : words[2], ',');
  REQUIRE(line.payoffs.size() == payoffs.size());
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    REQUIRE(line.payoffs[i] == std::stod(payoffs[i]));
  }
  std::map<char, std::string> rest;
  for (std::size_t i = 4; i < words.size(); ++i) rest[words[i][0]] = words[i].substr(1);
  REQUIRE((line.ending == Ending::kCutOff) == rest.contains('x'));
  REQUIRE((line.ending == Ending::kCapped) == rest.contains('m'));
  REQUIRE(line.cost.has_value() == rest.contains('c'));
  if (line.cost) REQUIRE(*line.cost == std::stod(rest['c']));
  REQUIRE(line.used.has_value() == rest.contains('u'));
  if (line.used) REQUIRE(*line.used == std::stod(rest['u']));
  REQUIRE(line.block.has_value() == rest.contains('b'));
  if (line.block) REQUIRE(*line.block == std::stoll(rest['b']));
  REQUIRE(line.attempts == (rest.contains('n') ? std::stoi(rest['n']) : 1));
  REQUIRE(line.request.has_value() == rest.contains('q'));
  if (line.request) REQUIRE(*line.request == std::stoull(rest['q']));
  REQUIRE(line.games.empty() == !rest.contains('g'));
  if (rest.contains('g')) {
    REQUIRE(rest['g'].starts_with(
        fmt::format("{}-{}-0", line.games.games.wins, line.games.games.draws)));
    REQUIRE(line.games.are_paired() == (rest['g'].find('/') != std::string::npos));
  }
  const std::string expected = words[2] != "!"   ? ""
                               : failure.empty() ? "no reason recorded"
                                                 : Json::parse(failure).get<std::string>();
  REQUIRE(line.failure == expected);
}

/// Scans a text and compares every line; returns the bytes that are whole.
std::size_t check_scan(const std::string& text) {
  std::size_t at = 0;
  std::size_t number = 0;
  Slow slow;
  const std::size_t whole = scan_journal(text, "journal.log", [&](const JournalLine& line) {
    const std::size_t end = text.find('\n', at);
    const std::string written = text.substr(at, end - at);
    REQUIRE(line.number == ++number);
    if (written.starts_with(R"({"ntune")")) {
      REQUIRE(line.kind == (number == 1 ? Kind::kHeader : Kind::kExtension));
      slow.micros = micros_of(*read_time(Json::parse(written)["ntune"]["time"].get<std::string>()));
    } else if (written[0] != '{') {
      check_evaluation(line, written, slow);
    }
    at = end + 1;
  });
  REQUIRE(whole == at);
  return whole;
}

}  // namespace

TEST_CASE("random journals are read as a slow reader reads them") {
  Rng rng(1);
  for (int i = 0; i < 150; ++i) {
    const std::string text = any_journal(rng, static_cast<int>(rng.below(40)));
    CHECK(check_scan(text) == text.size());
  }
}

TEST_CASE("a journal that is cut anywhere is read up to its last whole line") {
  Rng rng(2);
  const std::string text = any_journal(rng, 20);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string part = text.substr(0, cut);
    const std::size_t end = part.rfind('\n');
    REQUIRE(check_scan(part) == (end == std::string::npos ? 0 : end + 1));
  }
}

TEST_CASE("a journal that comes in pieces is read as it is in one") {
  Rng rng(4);
  const std::string text = any_journal(rng, 30);
  std::vector<std::int64_t> whole;
  const auto note = [](std::vector<std::int64_t>& seen) {
    return [&seen](const JournalLine& line) {
      seen.insert(seen.end(), {static_cast<std::int64_t>(line.number), line.trial,
                               line.end ? micros_of(*line.end) : 0, std::ssize(line.point)});
    };
  };
  (void)scan_journal(text, "j", note(whole));
  std::vector<std::int64_t> pieces;
  JournalReader reader("j");
  std::size_t at = 0;
  for (std::size_t end = 0; at < text.size(); end = std::min(text.size(), end + rng.below(90))) {
    at += reader.read(std::string_view(text).substr(at, end - at), note(pieces));
  }
  CHECK(pieces == whole);
}

TEST_CASE("journals with wrong bytes are read or refused, never misread as to their lines") {
  Rng rng(3);
  int refused = 0;
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = any_journal(rng, 12);
    for (std::uint32_t k = 1 + rng.below(3); k > 0; --k) {
      const std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(4)) {
        case 0:
          text.erase(at, 1 + rng.below(20));
          break;
        case 1:
          text.insert(at, 1, "\n ,:=?!/-.s0{\0"[rng.below(14)]);
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
      REQUIRE(error.starts_with("journal.log:"));
    }
  }
  CHECK(refused > 500);
  CHECK(read > 100);
}

TEST_CASE("what no study can have is refused at its line, of every kind") {
  const auto error = [](const std::string& line) {
    return test::input_error([&] {
      (void)scan_journal(kHeader + "\n" + line + "\n{\"retry_failed\":true}\n", "j",
                         [](const JournalLine&) {});
    });
  };
  const std::string refused = std::string("j:2: ") + kNoJournalLine;
  for (const char* outcome : {"1", "!", "?"}) {
    CHECK(error(fmt::format("s-1.5 0 {} 1", outcome)) == "no error");
    for (const char* key :
         {"4294967296/0/s0.0", "-1/0/s0.0", "0/-1/s0.0", "0/9223372036854775807/s0.0", "x0.0", "s0",
          "s0.-1", "s0.9223372036854775807", "s-9223372036854775807.0", "s1.", "0/s0.0", "S0.0",
          "s0.0.0"}) {
      CAPTURE(outcome, key);
      CHECK(error(fmt::format("{} 0 {} 1", key, outcome)) == refused);
    }
  }
  for (const char* line : {"s0.0 0 nan 1",
                           "s0.0 0 1e999 1",
                           "s0.0 0 1,inf 1",
                           "s0.0 0  1",
                           "s0.0  1 1",
                           "s0.0 70000 1 1",
                           "s0.0 -1 1 1",
                           "s0.0 0: 1 1",
                           "s0.0 = 1 1",
                           "s0.0 0 1",
                           "s0.0 0 1 x",
                           "s0.0 0 1 1/",
                           "s0.0 0 1 99999999999999999",
                           "s0.0 0 1 -9223372036854775808",
                           "s0.0 0 1 1/-9223372036854775808",
                           "s0.0 0 1 1 c-1",
                           "s0.0 0 1 1 cinf",
                           "s0.0 0 1 1 b-1",
                           "s0.0 0 1 1 n0",
                           "s0.0 0 1 1 q-1",
                           "s0.0 0 1 1 z",
                           "s0.0 0 1 1 ",
                           "s0.0 0 ! 1 \"a",
                           "s0.0 0 ! 1 \"a\" c1",
                           "s0.0 0 ? 1 c1",
                           "o0.0 0 ? 1",
                           "o0.0 0 ! 1",
                           "s0.0 0 1 1 g1-2",
                           "s0.0 0 1 1 g-1-2-3",
                           "s0.0 0 1 1 g1-0-0/9-0-0-0-0",
                           "s0.0 = ? 1",
                           "[]",
                           "{}",
                           "null",
                           "{\"other\":1}",
                           "{\"retry_failed\":true,\"a\":1}",
                           "{\"split\":{}}",
                           "{\"run\":[]}"}) {
    CAPTURE(line);
    CHECK(error(line) == refused);
  }
  const auto run = [&](const std::string& fields) {
    return error(R"({"run":{"end":"2026-11-26T10:00:00.000001Z",)" + fields + "}}");
  };
  CHECK(run(R"("cell":0,"repeat":0,"run":0,"evaluations":10,"point":[0],"estimate":0.5)") ==
        "no error");
  for (const char* fields :
       {R"("cell":-1)", R"("cell":4294967296)", R"("repeat":-1)", R"("run":-1)",
        R"("evaluations":-1)", R"("failures":-1)", R"("evaluations":9223372036854775807)",
        R"("point":[-1])", R"("point":[70000])", R"("point":[0.5])", R"("point":["a"])",
        R"("estimate":"a")", R"("hold_out":[1,2])", R"("hold_out":[-1,0,0,0,0])",
        R"("certainty":[1,2,3])", R"("trace":1)", R"("capped":-1)"}) {
    CAPTURE(fields);
    CHECK(run(fields) == refused);
  }
  for (const char* list :
       {"4294967296,0,0,0,0,10,10,null,null", "0,3,0,0,0,10,10,null,null",
        "0,0,-1,0,0,10,10,null,null", "0,0,0,-9223372036854775807,0,10,10,null,null",
        "0,0,0,0,-1,10,10,null,null", "0,0,0,0,0,-1,10,null,null",
        "0,0,0,0,0,10,9223372036854775807,null,null", "0,0,0,0,99999999999,10,10,null,null"}) {
    CHECK(error(fmt::format(R"({{"planned":[{}]}})", list)) == refused);
  }
  CHECK(error(R"({"ntune":{"format":2,"version":"1","study":5}})") ==
        "j:2: is not the journal of an ntune study");
  CHECK(error(R"({"ntune":{"format":1,"version":"1","study":{}}})") == refused);
  CHECK(error(R"({"op_code":2,"worker_id":"w","user_attr":{}})") == refused);
}

TEST_CASE("a point that was handed out before the study was given more is written again") {
  const std::string begin = kHeader + "\ns0.0 3 ? 10\n" + kHeader + "\n";
  const auto error = [&](const std::string& line) {
    return test::input_error([&] {
      (void)scan_journal(begin + line + "\n{\"retry_failed\":true}\n", "j",
                         [](const JournalLine&) {});
    });
  };
  CHECK(error("s0.0 4 1 5") == "no error");
  CHECK(error("s0.0 = ? 5") == "no error");
  CHECK(error("s0.0 = 1 5") == std::string("j:4: ") + kNoJournalLine);
}

TEST_CASE("the file of another program is not taken for a torn journal") {
  const auto error = [](const std::string& text) {
    return test::input_error([&] { (void)scan_journal(text, "j", [](const JournalLine&) {}); });
  };
  for (const char* text :
       {"notes without a line end", "{\"op_code\":0", "[", " ", "s0.0 0 1 1\n"}) {
    CHECK(error(text) == "j:1: is not the journal of an ntune study");
  }
  for (const std::string& torn : {std::string(), std::string("{"), std::string(R"({"ntune":{)"),
                                  kHeader.substr(0, 30), std::string(100, '\0')}) {
    CHECK(error(torn) == "no error");
  }
}

}  // namespace ntune
