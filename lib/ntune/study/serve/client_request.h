#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"

namespace ntune {

/// A request that cannot be carried out, to be answered by an error.
class RequestFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A request of the program on the other side (serve.h), as far as it can be checked without the
/// study.
struct ClientRequest {
  enum class Op { kAsk, kTell, kFail, kRecommend, kStatus, kQuit } op = Op::kAsk;
  Json id = {};        ///< of tell and fail: which evaluation; may be any JSON
  Json params = {};    ///< of a tell without id: the point that nobody asked for
  Json instance = {};  ///< of tell and fail: its name, or as `ask` gave it; may be null
  std::vector<double> values = {};  ///< of tell: one or more finite numbers
  bool are_games = false;           ///< of tell: the values are results of games
  GameCounts games = {};  ///< of tell: of which these are the points, where counts are told
  Json by_goal = {};      ///< of tell: values by the names of goals, in place of these
  Json by_seat = {};      ///< of tell: a result by seat of every game of a match, in place of these
  std::string reason = {};          ///< of fail, ready to print
  std::optional<double> cost = {};  ///< of tell and fail: of a budget of costs; >= 0
  /// Of ask: whether evaluations that were handed out long ago are handed out again, and after how
  /// many seconds; auto: by how long evaluations last.
  enum class Lease { kNone, kAuto, kSeconds } lease = Lease::kNone;
  double lease_seconds = 0.0;
  /// Of tell and fail: its own number, by which it is known if it comes a second time.
  std::optional<std::uint64_t> number = {};
};

/// Reads a line. Throws RequestFault.
ClientRequest read_request(const std::string& line);
/// The same of an object.
ClientRequest request_of(const Json& json);

/// Gives the answer to a line that cannot be carried out the id that the line names, if any. It is
/// found even where the line is no JSON, as Python writes NaN.
void name_evaluation(const std::string& line, Json& answer);

}  // namespace ntune
