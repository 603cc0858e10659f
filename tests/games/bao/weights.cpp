#include "ntune/games/bao/weights.h"

#include <string>
#include <vector>

#include "catch.h"
#include "games/bao/positions.h"
#include "ntune/core/yaml.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

BaoWeightsFile read(const std::string& text) {
  return read_bao_weights(parse_yaml(text, "w.yaml"));
}

std::string error_of(const std::string& text) {
  return test::input_error([&] { read(text); });
}

constexpr const char* kDefaultAsFile =
    "evaluation: two_sided\n"
    "own: {front: 3, back: 5, capture: 5, house: 200, capture_house: 100}\n"
    "opponent: {front: 3, back: [5, 5, 5, 5, 5, 5, 5, 5], capture: 5, house: 200,\n"
    "           capture_house: 50}\n";

}  // namespace

TEST_CASE("bao weights: DEFAULT can be written as a file") {
  const BaoEvaluation from_file = read(kDefaultAsFile).evaluation;
  for (const Bao& at : test::random_bao_positions(3, 1)) {
    for (const int player : {0, 1}) {
      REQUIRE(evaluate(from_file, at, player) == BaoDefaultEvaluation()(at, player));
    }
  }
}

TEST_CASE("bao weights: what is written reads back as the same") {
  Rng rng(2);
  BaoWeights own;
  for (double& weight : own) weight = rng.uniform() * 200 - 100;
  BaoWeights opponent = own;
  opponent[kBaoHouse] = 1e-9;
  std::vector<double> parameters(3 * BaoNetwork::kParametersPerNucleus);
  for (double& p : parameters) p = 0.001 + rng.uniform();
  const std::vector<BaoEvaluation> all = {BaoLinearEvaluation(own),
                                          BaoLinearEvaluation(own, opponent),
                                          BaoNetworkEvaluation(BaoNetwork(parameters))};
  const test::TemporaryFolder folder;
  for (const BaoEvaluation& evaluation : all) {
    const BaoWeightsFile written = {evaluation, "bao train: it's \"quoted\" # so"};
    write_bao_weights(written, folder / "learned.yaml");
    const BaoWeightsFile back = read_bao_weights(folder / "learned.yaml");
    CHECK(back.made_by == written.made_by);
    CHECK(bao_weights_text(back) == bao_weights_text(written));
    if (const auto* linear = std::get_if<BaoLinearEvaluation>(&evaluation)) {
      CHECK(std::get<BaoLinearEvaluation>(back.evaluation) == *linear);
    } else {
      CHECK(std::get<BaoNetworkEvaluation>(back.evaluation) ==
            std::get<BaoNetworkEvaluation>(evaluation));
    }
  }
}

TEST_CASE("bao weights: an evaluation is found by name or by file") {
  CHECK(std::holds_alternative<BaoMaterialEvaluation>(find_bao_evaluation("material").evaluation));
  CHECK(std::holds_alternative<BaoDefaultEvaluation>(find_bao_evaluation("default").evaluation));
  const test::TemporaryFolder folder;
  const NamedBaoEvaluation found =
      find_bao_evaluation(folder.file("ga3.yaml", "evaluation: linear\nmaterial: 2\n"));
  CHECK(found.name == "ga3");
  CHECK(std::get<BaoLinearEvaluation>(found.evaluation).own()[kBaoMaterial] == 2.0);
  CHECK(test::input_error([] { find_bao_evaluation("materiel"); }) ==
        "evaluation 'materiel': no such name, did you mean 'material'?, and no such file; names: "
        "material and default");
}

TEST_CASE("bao weights: each fault of a file is named with its place") {
  CHECK(error_of("evaluation: linear\nmaterail: 1\n") ==
        "w.yaml:2: materail: unknown key, did you mean 'material'?; allowed: made_by, evaluation, "
        "material, back, front, capture, house and capture_house");
  CHECK(error_of("evaluation: linear\nback: [1, 2]\n") ==
        "w.yaml:2: back: is a list of 2, a list of 8 numbers is allowed");
  CHECK(error_of("evaluation: linear\nhouse: [1, 2]\n") ==
        "w.yaml:2: house: is a list, a number from -1000000 to 1000000 is allowed");
  CHECK(error_of("evaluation: linear\nfront: [1, 2, 3, 4, 5, 6, 7, x]\n") ==
        "w.yaml:2: front[8]: is 'x', a number from -1000000 to 1000000 is allowed");
  CHECK(error_of("evaluation: linear\nhouse: .nan\n") ==
        "w.yaml:2: house: is '.nan', a number from -1000000 to 1000000 is allowed");
  CHECK(error_of("evaluation: linaer\n").rfind("w.yaml:1: evaluation: ", 0) == 0);
  CHECK(error_of("house: 3\n") == "w.yaml:1: no weights file: the key 'evaluation' is missing");
  CHECK(error_of("[1, 2]\n") == "w.yaml:1: no weights file: the key 'evaluation' is missing");
  CHECK(error_of("evaluation: two_sided\nown: {}\n") == "w.yaml:1: opponent: missing");
  CHECK(error_of("evaluation: network\nnuclei: []\n") ==
        "w.yaml:2: nuclei: is a list of 0, a list of 1 to 256 nuclei is allowed");
  CHECK(error_of("evaluation: network\nnuclei:\n  - {centre: [1], width: 1, value: 0}\n") ==
        "w.yaml:3: nuclei[1].centre: is a list of 1, a list of 54 numbers is allowed");
}

TEST_CASE("bao weights: a written file that was cut short anywhere is refused") {
  std::vector<double> parameters(2 * BaoNetwork::kParametersPerNucleus, 1.5);
  BaoWeights own{};
  const BaoWeights opponent = {1.0};
  const std::vector<BaoEvaluation> all = {BaoNetworkEvaluation(BaoNetwork(parameters)),
                                          BaoLinearEvaluation(own),
                                          BaoLinearEvaluation(own, opponent)};
  for (const BaoEvaluation& evaluation : all) {
    const std::string whole = bao_weights_text({evaluation, "x"});
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
      CHECK(error_of(whole.substr(0, length)) != "no error");
    }
  }
}

}  // namespace ntune
