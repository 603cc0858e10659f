#include "ntune/games/bao/weights.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune {
namespace {

/// Keeps every evaluation below the value of a win.
constexpr Bounds kWeightBounds = between(-1e6, 1e6);

/// The number of a node within the bounds, or a failure.
double bounded_number(const YamlNode& node, const Bounds& bounds = kWeightBounds) {
  const auto number = node.number();
  if (!number || !bounds.contain(*number)) {
    node.fail(fmt::format("is {}, a number {} is allowed", node.describe(), bounds.text()));
  }
  return *number;
}

/// A list of `numbers.size()` numbers.
void read_numbers(const YamlNode& node, std::span<double> numbers) {
  if (!node.is_list() || node.children().size() != numbers.size()) {
    const std::string what =
        node.is_list() ? fmt::format("a list of {}", node.children().size()) : node.describe();
    node.fail(fmt::format("is {}, a list of {} numbers is allowed", what, numbers.size()));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = bounded_number(node.children()[i]);
}

/// A group of weights: its key, its first index and their number.
struct Part {
  const char* name;
  std::size_t first;
  std::size_t count;
};

constexpr Part kParts[] = {{"material", kBaoMaterial, 1}, {"back", kBaoBack, 8},
                           {"front", kBaoFront, 8},       {"capture", kBaoCapture, 8},
                           {"house", kBaoHouse, 1},       {"capture_house", kBaoCaptureHouse, 1}};

/// Reads the weights of one side; a single number stands for all of a group.
BaoWeights read_weights(OptionReader& reader) {
  BaoWeights weights{};
  for (const Part& part : kParts) {
    const YamlNode* node = reader.take(part.name);
    if (node == nullptr) continue;
    const auto numbers = std::span(weights).subspan(part.first, part.count);
    if (node->is_list() && part.count > 1) {
      read_numbers(*node, numbers);
    } else {
      std::fill(numbers.begin(), numbers.end(), bounded_number(*node));
    }
  }
  return weights;
}

/// The node of a key that must be there.
const YamlNode& needed(const YamlNode& map, OptionReader& reader, const char* key) {
  const YamlNode* node = reader.take(key);
  if (node == nullptr) map.fail_at(key, "missing");
  return *node;
}

/// Reads the weights under a key.
BaoWeights read_side(const YamlNode& map, OptionReader& reader, const char* key) {
  OptionReader side(needed(map, reader, key));
  const BaoWeights weights = read_weights(side);
  side.finish();
  return weights;
}

/// Reads the nuclei; the parameters are all centres, then all widths, then all values.
BaoNetwork read_network(const YamlNode& map, OptionReader& reader) {
  const YamlNode& list = needed(map, reader, "nuclei");
  const std::size_t count = list.children().size();
  if (!list.is_list() || count == 0 || count > BaoNetwork::kMostNuclei) {
    list.fail(fmt::format("is {}, a list of 1 to {} nuclei is allowed",
                          list.is_list() ? fmt::format("a list of {}", count) : list.describe(),
                          BaoNetwork::kMostNuclei));
  }
  std::vector<double> parameters(count * BaoNetwork::kParametersPerNucleus);
  const std::span<double> all = parameters;
  for (std::size_t i = 0; i < count; ++i) {
    const YamlNode& node = list.children()[i];
    OptionReader nucleus(node);
    read_numbers(needed(node, nucleus, "centre"), all.subspan(i * kBaoFeatures, kBaoFeatures));
    all[count * kBaoFeatures + i] =
        bounded_number(needed(node, nucleus, "width"), between(1e-3, 1e6));
    all[count * (kBaoFeatures + 1) + i] = bounded_number(needed(node, nucleus, "value"));
    nucleus.finish();
  }
  return BaoNetwork(std::move(parameters));
}

/// Numbers as a list in YAML.
std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + number_text(number);
  return "[" + text + "]";
}

/// The weights by groups, in lines.
std::string weights_text(const BaoWeights& weights) {
  std::string text;
  for (const Part& part : kParts) {
    const auto numbers = std::span(weights).subspan(part.first, part.count);
    text += fmt::format("{}  {}: {}", text.empty() ? "" : ",\n", part.name,
                        part.count == 1 ? number_text(numbers[0]) : numbers_text(numbers));
  }
  return text;
}

/// The evaluation as a weights file has it.
std::string text_of(const BaoLinearEvaluation& linear) {
  if (linear.own() == linear.opponent()) {
    return "evaluation: linear,\n" + weights_text(linear.own());
  }
  return fmt::format("evaluation: two_sided,\n  own: {{\n{}}},\n  opponent: {{\n{}}}",
                     weights_text(linear.own()), weights_text(linear.opponent()));
}

std::string text_of(const BaoNetworkEvaluation& evaluation) {
  const BaoNetwork& network = evaluation.network();
  std::string nuclei;
  for (std::size_t i = 0; i < network.nuclei(); ++i) {
    nuclei += fmt::format("{}    {{width: {}, value: {}, centre: {}}}", i == 0 ? "" : ",\n",
                          number_text(network.width(i)), number_text(network.value_of(i)),
                          numbers_text(network.centre(i)));
  }
  return fmt::format("evaluation: network,\n  nuclei: [\n{}]", nuclei);
}

}  // namespace

BaoWeightsFile read_bao_weights(const YamlNode& node) {
  if (node.find("evaluation") == nullptr) {
    node.fail("no weights file: the key 'evaluation' is missing");
  }
  OptionReader reader(node);
  BaoWeightsFile file;
  reader.text("made_by", file.made_by, "the command that learned the weights");
  static const std::vector<std::string> kinds = {"linear", "two_sided", "network"};
  std::string kind;
  reader.choice("evaluation", kind, kinds, "the form of the evaluation");
  if (kind == "linear") {
    file.evaluation = BaoLinearEvaluation(read_weights(reader));
  } else if (kind == "two_sided") {
    const BaoWeights own = read_side(node, reader, "own");
    file.evaluation = BaoLinearEvaluation(own, read_side(node, reader, "opponent"));
  } else {
    file.evaluation = BaoNetworkEvaluation(read_network(node, reader));
  }
  reader.finish();
  return file;
}

BaoWeightsFile read_bao_weights(const std::filesystem::path& file) {
  return read_bao_weights(read_yaml(file));
}

std::string bao_weights_text(const BaoWeightsFile& weights) {
  const auto* linear = std::get_if<BaoLinearEvaluation>(&weights.evaluation);
  const std::string form = linear != nullptr
                               ? text_of(*linear)
                               : text_of(std::get<BaoNetworkEvaluation>(weights.evaluation));
  const std::string made_by =
      weights.made_by.empty() ? "" : fmt::format("made_by: {},\n  ", to_yaml(weights.made_by));
  return fmt::format("{{ {}{} }}\n", made_by, form);
}

void write_bao_weights(const BaoWeightsFile& weights, const std::filesystem::path& file) {
  write_file_atomically(file, bao_weights_text(weights));
}

const std::vector<NamedBaoEvaluation>& bao_evaluations() {
  static const std::vector<NamedBaoEvaluation> all = {{"material", BaoMaterialEvaluation()},
                                                      {"default", BaoDefaultEvaluation()}};
  return all;
}

NamedBaoEvaluation find_bao_evaluation(const std::string& name_or_file) {
  // Names come before files, so that a file cannot hide one.
  std::vector<std::string> names;
  for (const NamedBaoEvaluation& named : bao_evaluations()) {
    if (named.name == name_or_file) return named;
    names.push_back(named.name);
  }
  const std::filesystem::path file = name_or_file;
  if (std::filesystem::exists(file)) {
    return {file.stem().string(), read_bao_weights(file).evaluation};
  }
  throw InputError(fmt::format("evaluation '{}': no such name{}, and no such file; names: {}",
                               printable(name_or_file), suggestion(name_or_file, names),
                               list_text(names, "and")));
}

}  // namespace ntune
