#pragma once

namespace ntune {

/// Numbers that stand for words in the records of Optuna's JournalStorage (releases 3 to 5).
enum class OptunaOperation {
  kCreateStudy = 0,
  kDeleteStudy = 1,
  kSetStudyAttribute = 2,
  kCreateTrial = 4,
  kSetTrialParameter = 5,
  kSetTrialState = 6,
  kSetTrialAttribute = 8
};
enum class OptunaState { kRunning = 0, kComplete = 1, kPruned = 2, kFailed = 3 };
enum class OptunaDirection { kMinimise = 1, kMaximise = 2 };

constexpr int optuna_code(OptunaOperation operation) { return static_cast<int>(operation); }
constexpr int optuna_code(OptunaState state) { return static_cast<int>(state); }
constexpr int optuna_code(OptunaDirection direction) { return static_cast<int>(direction); }

}  // namespace ntune
