#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "facts/studies.h"
#include "ntune/core/files.h"
#include "ntune/facts/result_facts.h"
#include "ntune/facts/story.h"
#include "ntune/facts/verify_text.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/page.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

std::string page_of(const std::filesystem::path& folder) {
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder, {}));
  return report_page(studies);
}

/// The text between two marks of a page, without its tags.
std::string text_between(const std::string& page, const std::string& begin,
                         const std::string& end) {
  const std::size_t at = page.find(begin);
  if (at == std::string::npos) return "not there";
  const std::string part = page.substr(at, page.find(end, at) - at);
  std::string text;
  bool in_tag = false;
  for (const char c : part) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c == '>') in_tag = false;
  }
  return text;
}

/// The details of the page have the facts of the terminal, word for word.
void check_details(const test::MadeStudy& made) {
  if (made.study.is_comparison()) return;
  const test::TemporaryFolder folder;
  write_result(folder.path(), made.study, made.result, made.summaries());
  const std::string page = page_of(folder.path());
  const ReportData data = read_report(folder.path(), {});
  for (const Fact& fact : result_facts(made.study, *data.study.result)) {
    CAPTURE(fact.key);
    if (fact.part != Fact::Part::kFinding || fact.label.empty()) continue;
    const std::string shown = text_between(page, "<div data-fact=\"" + fact.key + "\">", "</div>");
    CHECK_THAT(shown, ContainsSubstring(xml_text(text_of(fact))));
    CHECK_THAT(shown, ContainsSubstring(xml_text(ends_text(fact))));
    CHECK_THAT(shown, ContainsSubstring(xml_text(fact.after.substr(
                          std::min(fact.after.find_first_not_of(" ,;"), fact.after.size())))));
  }
}

/// The page begins with the verdict of the terminal, and its button copies what it says.
void check_verdict(const test::MadeStudy& made) {
  if (made.study.is_comparison()) return;
  const test::TemporaryFolder folder;
  write_result(folder.path(), made.study, made.result, made.summaries());
  const std::string page = page_of(folder.path());
  const Story story = story_of(made.study, made.saved());
  if (made.result.failures == 0) {  // causes of fresh failures are not saved
    CHECK(text_between(page, "<h2 class=\"verdict\">", "</h2>") == xml_text(story.sentence));
  }
  const std::string button = page.substr(page.find("class=\"first\" data-copy=\""), 2000);
  const Json setting = to_json(made.saved(), made.study)["setting"];
  CHECK_THAT(button, Catch::Matchers::StartsWith("class=\"first\" data-copy=\"" +
                                                 xml_text(setting.dump()) + "\""));
  const bool stays = story.verdict == Verdict::kKeep || story.verdict == Verdict::kNotDecided;
  CHECK(button.substr(button.find('>') + 1).starts_with("Copy today's setting<") == stays);
}

}  // namespace

TEST_CASE("the page of every kind of study has the facts and the verdict of the terminal") {
  for (const auto& [name, yaml] : test::studies_of_each_kind()) {
    CAPTURE(name);
    const test::MadeStudy made(yaml);
    check_details(made);
    check_verdict(made);
  }
}

TEST_CASE("a page shows what ntune verify has found of the point that is recommended now") {
  const test::MadeStudy made(
      test::shell_study("echo $(( $1 * $1 + $2 % 5 ))", "budget: 50, hold_out: 10"));
  const test::TemporaryFolder folder;
  write_result(folder.path(), made.study, made.result, made.summaries());
  const RecommendedStudy study{.study = made.study, .point = made.result.cells[0].picks[0].point};
  const Point other = *made.study.beginning.incumbent;
  StudyProgress progress;
  const Verification result = verify(study.study, study.point, other, {}, progress);
  const SavedVerification saved = saved_verification(study, other, "default", result);
  const auto keep = [&](const char* name, const SavedVerification& test, const char* status) {
    std::filesystem::create_directory(folder.path() / name);
    Json json = to_json(test, made.study);
    json["status"] = status;
    write_file_atomically(folder.path() / name / "result.json", json.dump());
  };
  keep("verify-1", saved, "done");
  keep("verify-2", saved, "interrupted");
  SavedVerification of_another = saved;
  of_another.recommended.point = other;
  keep("verify-3", of_another, "done");
  const ReportData data = read_report(folder.path(), {});
  REQUIRE(data.study.verifications.size() == 1);
  const std::string section = text_between(page_of(folder.path()), "id=\"verified\"", "</details>");
  CHECK_THAT(section, ContainsSubstring("better"));
  const Facts facts = verification_facts(saved, study.objective());
  CHECK_THAT(section, ContainsSubstring(text_of(*find_fact(facts, "difference"))));
  CHECK_THAT(section, ContainsSubstring(ends_text(*find_fact(facts, "difference"))));
}

}  // namespace ntune
