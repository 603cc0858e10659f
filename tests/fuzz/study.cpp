#include <string>

#include "fuzz/fuzz.h"
#include "ntune/core/error.h"
#include "ntune/study/keys/study_yaml.h"

/// Study files, with the search space and the options of objectives and optimisers in them.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ntune::YamlNode node = ntune::parse_yaml(std::string(ntune::text_of(data, size)));
    const ntune::Study study = ntune::read_study(node);
    // What is written back must be a study too.
    ntune::read_study(ntune::parse_yaml(ntune::to_yaml(study.config)));
  } catch (const ntune::InputError&) {
  }
  return 0;
}
