#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ntune/games/bao/evaluation.h"

namespace ntune {

class YamlNode;

/// Weights files. Absent weights are 0; of a row, one number stands for eight equal ones.
///
///     evaluation: linear              # two_sided has the same under own: and opponent:
///     material: 1
///     back: [5, 5, 5, 5, 5, 5, 5, 5]  # B1 … B8
///     front: 3                        # A1 … A8
///     capture: 5                      # stones that A1 … A8 can capture
///     house: 200
///     capture_house: 100
///
///     evaluation: network
///     nuclei:
///       - {centre: [54 numbers], width: 3, value: 0.5}
///
/// `made_by`, a line of text, may stand in either.
struct BaoWeightsFile {
  BaoEvaluation evaluation;
  std::string made_by;  ///< the command that learned the weights
};

/// Throws InputError "file:line: key: what is wrong, what is allowed".
BaoWeightsFile read_bao_weights(const YamlNode& node);
BaoWeightsFile read_bao_weights(const std::filesystem::path& file);

/// The text of a weights file of a linear or network evaluation, which reads back as the same. It
/// is in braces, so that a part of it is no weights file.
std::string bao_weights_text(const BaoWeightsFile& weights);
/// Writes it whole or not at all.
void write_bao_weights(const BaoWeightsFile& weights, const std::filesystem::path& file);

/// An evaluation by name or file, as a person gives it.
struct NamedBaoEvaluation {
  std::string name;
  BaoEvaluation evaluation;
};

/// "material", "default".
const std::vector<NamedBaoEvaluation>& bao_evaluations();

/// One of bao_evaluations by its name, or else a weights file by its path. Throws InputError with
/// the names where it is neither.
NamedBaoEvaluation find_bao_evaluation(const std::string& name_or_file);

}  // namespace ntune
