#include "apps/ntune/verification.h"

#include <cstdint>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/common/rows.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune::cli {

RecommendedStudy recommended_of(const VerificationArguments& arguments) {
  RecommendedStudy recommended = read_recommended(arguments.folder, arguments.study);
  if (arguments.seed) recommended.study.seed = static_cast<std::uint64_t>(*arguments.seed);
  if (arguments.threads) recommended.study.execution.threads = *arguments.threads;
  return recommended;
}

Point incumbent_of(const std::string& against, const Study& study, bool quiet,
                   const Terminal& terminal, std::string_view option) {
  const Incumbent other = read_incumbent(against, study, option);
  if (!quiet && !other.note.empty()) {
    terminal.err << fmt::format("note: {}: {}\n", printable(against, 1000), other.note);
  }
  return other.point;
}

int show_verification(VerificationOutput output, const VerificationArguments& arguments,
                      const TestJournal* journal, const Terminal& terminal) {
  output.json["status"] = output.stopped ? "interrupted" : "done";
  print_result(terminal.out, arguments.format, output.json, output.rows, output.text);
  if (!arguments.out.empty()) {
    const bool csv = arguments.out.ends_with(".csv");
    write_file_atomically(arguments.out, csv ? csv_text(output.rows) : output.json.dump(2) + '\n');
    if (!arguments.quiet) {
      terminal.err << fmt::format("Result in {}\n", printable(arguments.out, 1000));
    }
  }
  if (journal != nullptr) {
    const std::string line = journal->keep_result(output.json);
    if (!arguments.quiet) terminal.err << line;
  }
  return output.stopped ? kInterrupted : kDone;
}

}  // namespace ntune::cli
