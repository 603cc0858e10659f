#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "apps/command.h"
#include "apps/common/terminal.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"
#include "support/times_in.h"

namespace ntune::test {

/// What a laboratory's program does with its arguments.
using LaboratoryProgram = int (*)(const std::vector<std::string>&, const cli::Terminal&);

/// Runs a laboratory's program within the test program with this input.
inline CommandOutcome run_laboratory(LaboratoryProgram program,
                                     const std::vector<std::string>& arguments,
                                     const std::string& input = "", bool live = false) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const cli::Terminal terminal{.out = out, .err = err, .live = live, .in = &in};
  const int code = program(arguments, terminal);
  return {code, out.str(), err.str()};
}

/// What a laboratory's program prints with --format json.
inline Json laboratory_json(LaboratoryProgram program, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  return Json::parse(run_laboratory(program, arguments).out);
}

/// The data of a page that plays a game, which is well formed and needs nothing else.
inline Json replay_data(const std::string& file) {
  const std::string page = content_of(file);
  CHECK_THAT(page, Catch::Matchers::StartsWith("<!doctype html>\n<html lang=\"en\">\n"));
  CHECK_THAT(page, Catch::Matchers::EndsWith("</html>\n"));
  for (const char* tag : {"html", "head", "title", "style", "body", "main", "script", "select",
                          "svg", "button", "label", "p", "span", "div", "b", "h1", "noscript"}) {
    INFO(tag);
    const std::string name = tag;
    CHECK(times_in(page, "<" + name + ">") + times_in(page, "<" + name + " ") ==
          times_in(page, "</" + name + ">"));
  }
  for (const char* part : {"prefers-color-scheme: dark", "@media print", "aria-label=\"Play\""}) {
    CHECK(times_in(page, part) == 1);
  }
  // No place of the body is left open, and the one address is a name space.
  CHECK(times_in(page, "@STEP@") + times_in(page, "@SCORE@") + times_in(page, "@END@") == 0);
  CHECK(times_in(page, "://") == times_in(page, "http://www.w3.org/2000/svg"));
  CHECK(times_in(page, "src=") + times_in(page, "href=") + times_in(page, "url(") == 0);
  const std::string mark = "const data = ";
  const std::size_t begin = page.find(mark) + mark.size();
  return Json::parse(page.substr(begin, page.find(";\n", begin) - begin));
}

}  // namespace ntune::test
