#include "apps/ntune/fleet/fleet_status.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "workers.json";

/// Whether it is a worker as FleetDesk lists them: a folder of others may hold anything.
bool is_worker(const Json& one) {
  const auto all = [&](std::initializer_list<const char*> keys, const auto& fits) {
    return std::ranges::all_of(
        keys, [&](const char* key) { return !one.contains(key) || fits(one[key]); });
  };
  return one.is_object() &&
         all({"name", "state", "reason", "last_failure"},
             [](const Json& value) { return value.is_string(); }) &&
         all({"cores", "calls", "failures", "refuted", "lost"},
             [](const Json& value) { return value.is_number_integer(); });
}

/// Seconds that all its calls took.
double seconds_of(const Json& worker) {
  const Json each = worker.value("seconds_each", Json());
  if (!each.is_number()) return 0.0;
  return each.get<double>() * static_cast<double>(worker.value("calls", std::int64_t{0}));
}

std::string fleet_line(const Json& worker, double all_seconds) {
  std::string line =
      fmt::format("  {}: {}, {}, {}", printable(worker.value("name", "")),
                  worker.value("state", ""), counted(worker.value("cores", 1), "core"),
                  counted(worker.value("calls", std::int64_t{0}), "call"));
  if (const Json each = worker.value("seconds_each", Json()); each.is_number()) {
    line += fmt::format(" of {} each", duration_text(each));
    if (all_seconds > 0.0) {
      line += fmt::format(", {:.0f} % of all their time", 100.0 * seconds_of(worker) / all_seconds);
    }
  }
  for (const auto& [key, text] : {std::pair("failures", "failed"),
                                  {"refuted", "failed here alone"},
                                  {"lost", "not brought in time"}}) {
    const std::int64_t count = worker.value(key, std::int64_t{0});
    if (count > 0) line += fmt::format(", {} {}", count_text(count), text);
  }
  if (worker.contains("reason")) {
    line += ": " + printable(worker.value("reason", ""));
  } else if (worker.contains("last_failure")) {
    line += ", the last: " + printable(worker.value("last_failure", ""));
  }
  return line + '\n';
}

}  // namespace

void write_fleet(const fs::path& folder, const Json& workers) {
  write_file_atomically(folder / kName, json_line(workers) + '\n');
}

Json read_fleet(const fs::path& folder) {
  constexpr std::uintmax_t kLargest = 10'000'000;
  std::error_code error;
  if (!fs::is_regular_file(folder / kName, error)) return Json::array();
  Json workers = parse_json(read_file(folder / kName, kLargest));
  if (!workers.is_array()) return Json::array();
  std::erase_if(workers.get_ref<Json::array_t&>(), [](const Json& one) { return !is_worker(one); });
  // A server that was killed has left them as they were.
  if (is_folder_held(folder).value_or(true)) return workers;
  for (Json& worker : workers) {
    if (worker.value("state", "") != "set aside") worker["state"] = "gone";
  }
  return workers;
}

Json present_fleet(const fs::path& folder) {
  Json workers = read_fleet(folder);
  return workers.empty() || is_folder_held(folder).value_or(true) ? workers : Json::array();
}

std::string fleet_text(const Json& workers) {
  if (workers.empty()) return {};
  const auto here = std::ranges::count_if(
      workers, [](const Json& worker) { return worker.value("state", "") == "here"; });
  const auto aside = std::ranges::count_if(
      workers, [](const Json& worker) { return worker.value("state", "") == "set aside"; });
  return fmt::format("{} of {} here{}", here, counted(workers.size(), "worker"),
                     aside == 0 ? "" : fmt::format(", {} set aside", aside));
}

std::string fleet_lines(const Json& workers) {
  std::string lines;
  double all_seconds = 0.0;
  for (const Json& worker : workers) all_seconds += seconds_of(worker);
  for (const Json& worker : workers) lines += fleet_line(worker, all_seconds);
  return lines;
}

}  // namespace ntune::cli
