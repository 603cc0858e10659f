#include "apps/slide3/four/levels.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/slide3/four/reversed_pair.h"
#include "ntune/core/files.h"

namespace ntune {

namespace {

namespace fs = std::filesystem;

/// Beyond any distance of SlideFour.
constexpr int kMostDepth = 100;
/// The file that says that all files of a level are there.
constexpr const char* kWhole = "whole";

/// Keys are scattered by three digits at a time, so that the rest is done in the cache.
constexpr int kDigits = 12;
constexpr std::size_t kBuckets = std::size_t{1} << kDigits;

/// Turns the numbers of keys in the buckets into the places where the buckets begin.
void to_begins(std::vector<std::size_t>& counts) {
  std::size_t sum = 0;
  for (std::size_t& count : counts) sum += std::exchange(count, sum);
}

/// Sorts the buckets that end at the given places by `sort`.
template <class Sort>
void sort_buckets(std::span<SlideKey> keys, const std::vector<std::size_t>& ends,
                  const Sort& sort) {
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    sort(keys.subspan(begin, end - begin));
    begin = end;
  }
}

/// Sorts keys that agree in the digits above the three at `shift`, which may be negative.
void sort_bucket(std::span<SlideKey> keys, int shift, std::vector<SlideKey>& scratch) {
  constexpr std::size_t kFew = 2'000;
  if (keys.size() < kFew || shift < 0) {
    std::ranges::sort(keys);
    return;
  }
  const auto bucket = [&](SlideKey key) { return key >> shift & (kBuckets - 1); };
  std::vector<std::size_t> ends(kBuckets);
  for (const SlideKey key : keys) ++ends[bucket(key)];
  to_begins(ends);
  scratch.assign(keys.begin(), keys.end());
  for (const SlideKey key : scratch) keys[ends[bucket(key)]++] = key;
  sort_buckets(keys, ends, [](std::span<SlideKey> part) { std::ranges::sort(part); });
}

/// A key whose reversal is among the ascending keys too.
template <int K>
std::optional<SlideKey> find_reversed(const std::vector<SlideKey>& keys) {
  auto mirror = keys.rbegin();
  for (const SlideKey key : keys) {
    while (mirror != keys.rend() && reverse_tiles<K>(*mirror) < key) ++mirror;
    if (mirror == keys.rend()) return std::nullopt;
    if (reverse_tiles<K>(*mirror) == key) return key;
  }
  return std::nullopt;
}

template <int K>
std::vector<SlideKey> unpacked(const PackedSlideKeys<K>& keys) {
  std::vector<SlideKey> result;
  result.reserve(keys.count());
  keys.for_each([&](SlideKey key) { result.push_back(key); });
  return result;
}

/// Calls visit(key) for what the moves reach: each key as often as a move reaches it.
template <class Sources, class Visit>
void for_each_reached(const Sources& sources, const Visit& visit) {
  for (const auto& source : sources) {
    source.keys.for_each([&](SlideKey key) { visit((*source.step)(key)); });
  }
}

template <class Sources>
std::uint64_t reached_count(const Sources& sources) {
  std::uint64_t count = 0;
  for (const auto& source : sources) count += source.keys.count();
  return count;
}

}  // namespace

template <int K>
SlideLevels<K>::SlideLevels(Parallel& parallel, fs::path folder)
    : parallel_(parallel),
      folder_(std::move(folder)),
      patterns_(slide_pattern_classes<K>()),
      older_(SlidePosition<K>::kPatterns),
      level_(SlidePosition<K>::kPatterns) {
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    steps_.push_back(slide_steps_to<K>(pattern));
  }
  const SlidePosition<K> win = SlidePosition<K>::win();
  SlideKeyPacker<K> packer;
  packer.add(slide_key<K>(win));
  level_[static_cast<std::size_t>(win.pattern())] = std::move(packer).packed();
  if (folder_.empty()) return;
  ensure_writable_folder(folder_);
  for (int depth = 1; depth <= kMostDepth; ++depth) {
    if (fs::exists(level_folder(depth) / kWhole)) depth_ = depth;
  }
  if (depth_ == 0) return;
  older_ = depth_ == 1 ? std::move(level_) : load(depth_ - 1);
  level_ = load(depth_);
}

template <int K>
std::uint64_t SlideLevels<K>::count() const {
  std::uint64_t count = 0;
  for (const int pattern : patterns_) {
    const std::uint64_t both = transposed_pattern<K>(pattern) == pattern ? 1 : 2;
    count += both * level_[static_cast<std::size_t>(pattern)].count();
  }
  return count;
}

template <int K>
std::vector<SlidePosition<K>> SlideLevels<K>::positions() const {
  std::vector<SlidePosition<K>> positions;
  for (const int pattern : patterns_) {
    level_[static_cast<std::size_t>(pattern)].for_each([&](SlideKey key) {
      positions.push_back(slide_key_position<K>(pattern, key));
      if (transposed_pattern<K>(pattern) == pattern) return;
      positions.push_back(transposed(positions.back()));
    });
  }
  return positions;
}

template <int K>
std::uint64_t SlideLevels<K>::bytes() const {
  std::uint64_t bytes = 0;
  for (const Keys& keys : older_) bytes += keys.bytes();
  for (const Keys& keys : level_) bytes += keys.bytes();
  return bytes;
}

template <int K>
void SlideLevels<K>::advance() {
  Level next(level_.size());
  if (!folder_.empty()) ensure_writable_folder(level_folder(depth_ + 1));
  parallel_.for_each(patterns_.size(), [&](std::size_t i) {
    next[static_cast<std::size_t>(patterns_[i])] = next_keys(patterns_[i]);
  });
  older_ = std::exchange(level_, std::move(next));
  ++depth_;
  if (folder_.empty()) return;
  write_file_atomically(level_folder(depth_) / kWhole, fmt::format("{} positions\n", count()));
  if (depth_ > 2) fs::remove_all(level_folder(depth_ - 2));
}

template <int K>
auto SlideLevels<K>::next_keys(int pattern) const -> Keys {
  const fs::path file = level_folder(depth_ + 1) / std::to_string(pattern);
  if (!folder_.empty() && fs::exists(file)) return Keys::load(file);
  SlideKeyPacker<K> packer;
  {
    const std::vector<SlideKey> known = unpacked(older_[static_cast<std::size_t>(pattern)]);
    auto old = known.begin();
    for (const SlideKey key : reached(pattern, 1)) {
      while (old != known.end() && *old < key) ++old;
      if (old == known.end() || *old != key) packer.add(key);
    }
  }
  const Keys fresh = std::move(packer).packed();
  if (folder_.empty()) return fresh;
  fresh.save(file);
  return Keys::load(file);
}

template <int K>
std::optional<SlidePosition<K>> SlideLevels<K>::meeting(int steps) const {
  std::vector<std::optional<SlideKey>> found(patterns_.size());
  parallel_.for_each(patterns_.size(),
                     [&](std::size_t i) { found[i] = reversed_pair(patterns_[i], steps); });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) return slide_key_position<K>(patterns_[i], *found[i]);
  }
  return std::nullopt;
}

template <int K>
std::optional<SlideKey> SlideLevels<K>::reversed_pair(int pattern, int steps) const {
  if (steps == 0) return find_reversed<K>(unpacked(level_[static_cast<std::size_t>(pattern)]));
  // An empty file says that a pattern has no meeting.
  const fs::path folder = level_folder(depth_ + steps);
  const fs::path file = folder / fmt::format("{}.apart", pattern);
  if (!folder_.empty() && fs::exists(file)) return std::nullopt;
  const std::vector<Source> from = sources(pattern, steps);
  const auto found = find_reversed_pair<K>(
      reached_count(from), [&](const auto& visit) { for_each_reached(from, visit); });
  if (!folder_.empty() && !found) {
    ensure_writable_folder(folder);
    write_file_atomically(file, "");
  }
  return found;
}

template <int K>
auto SlideLevels<K>::sources(int pattern, int steps) const -> std::vector<Source> {
  std::vector<Source> sources;
  for (const SlideStep<K>& step : steps_[static_cast<std::size_t>(pattern)]) {
    if (steps == 1) {
      sources.push_back({&step, level_[static_cast<std::size_t>(step.from())]});
      continue;
    }
    SlideKeyPacker<K> packer;
    for (const SlideKey key : reached(step.from(), steps - 1)) packer.add(key);
    sources.push_back({&step, std::move(packer).packed()});
  }
  return sources;
}

template <int K>
std::vector<SlideKey> SlideLevels<K>::reached(int pattern, int steps) const {
  constexpr int kShift = 4 * K * K - kDigits;
  const std::vector<Source> from = sources(pattern, steps);
  // What is reached is made twice, first to be counted. That takes less time than to copy it.
  std::vector<std::size_t> ends(kBuckets);
  for_each_reached(from, [&](SlideKey key) { ++ends[key >> kShift]; });
  to_begins(ends);
  std::vector<SlideKey> keys(reached_count(from));
  for_each_reached(from, [&](SlideKey key) { keys[ends[key >> kShift]++] = key; });
  std::vector<SlideKey> scratch;
  sort_buckets(std::span(keys), ends,
               [&](std::span<SlideKey> part) { sort_bucket(part, kShift - kDigits, scratch); });
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

template <int K>
fs::path SlideLevels<K>::level_folder(int depth) const {
  return folder_ / std::to_string(depth);
}

template <int K>
auto SlideLevels<K>::load(int depth) const -> Level {
  Level level(SlidePosition<K>::kPatterns);
  for (const int pattern : patterns_) {
    level[static_cast<std::size_t>(pattern)] =
        Keys::load(level_folder(depth) / std::to_string(pattern));
  }
  return level;
}

template class SlideLevels<2>;
template class SlideLevels<3>;
template class SlideLevels<4>;

}  // namespace ntune
