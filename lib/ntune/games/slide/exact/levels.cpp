#include "ntune/games/slide/exact/levels.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ntune {

namespace {

/// Exclusive-or of all tiles less one, and so of a key's digits.
template <int K>
constexpr SlideKey all_digits() {
  SlideKey digits = 0;
  for (SlideKey tile = 0; tile < K * K; ++tile) digits ^= tile;
  return digits;
}

template <int K>
constexpr SlideKey with_last_digit(SlideKey rest) {
  SlideKey folded = rest ^ rest >> 32;
  folded ^= folded >> 16;
  folded ^= folded >> 8;
  folded ^= folded >> 4;
  return rest << 4 | ((folded & 15) ^ all_digits<K>());
}

/// Sorts by the leading digits first, so that the rest is done in the cache.
template <int K>
void sort_unique(std::vector<SlideKey>& keys) {
  constexpr int kShift = 4 * K * K - 12;
  if (keys.size() < 50'000) {
    std::ranges::sort(keys);
  } else {
    std::vector<std::size_t> ends(1U << 12);
    for (const SlideKey key : keys) ++ends[key >> kShift];
    std::size_t sum = 0;
    for (std::size_t& end : ends) sum += std::exchange(end, sum);
    std::vector<SlideKey> scattered(keys.size());
    for (const SlideKey key : keys) scattered[ends[key >> kShift]++] = key;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      std::sort(scattered.begin() + static_cast<std::ptrdiff_t>(begin),
                scattered.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    keys.swap(scattered);
  }
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
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

}  // namespace

template <int K>
SlideLevels<K>::SlideLevels(Parallel& parallel)
    : parallel_(parallel),
      patterns_(slide_pattern_classes<K>()),
      older_(SlidePosition<K>::kPatterns),
      level_(SlidePosition<K>::kPatterns) {
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    steps_.push_back(slide_steps_to<K>(pattern));
  }
  const SlidePosition<K> win = SlidePosition<K>::win();
  level_[static_cast<std::size_t>(win.pattern())] = packed({slide_key<K>(win)});
}

template <int K>
std::uint64_t SlideLevels<K>::count() const {
  std::uint64_t count = 0;
  for (const int pattern : patterns_) {
    const std::uint64_t both = transposed_pattern<K>(pattern) == pattern ? 1 : 2;
    count += both * keys_of(pattern).count;
  }
  return count;
}

template <int K>
std::vector<SlidePosition<K>> SlideLevels<K>::positions() const {
  std::vector<SlidePosition<K>> positions;
  for (const int pattern : patterns_) {
    for (const SlideKey key : unpacked(keys_of(pattern))) {
      positions.push_back(slide_key_position<K>(pattern, key));
      if (transposed_pattern<K>(pattern) == pattern) continue;
      positions.push_back(transposed(positions.back()));
    }
  }
  return positions;
}

template <int K>
std::uint64_t SlideLevels<K>::bytes() const {
  std::uint64_t bytes = 0;
  for (const Keys& keys : older_) bytes += keys.bytes.size();
  for (const Keys& keys : level_) bytes += keys.bytes.size();
  return bytes;
}

template <int K>
void SlideLevels<K>::advance() {
  Level next(level_.size());
  parallel_.for_each(patterns_.size(), [&](std::size_t i) {
    const auto pattern = static_cast<std::size_t>(patterns_[i]);
    const std::vector<SlideKey> candidates = reached(patterns_[i], 1);
    const std::vector<SlideKey> known = unpacked(older_[pattern]);
    std::vector<SlideKey> fresh;
    fresh.reserve(candidates.size());
    std::ranges::set_difference(candidates, known, std::back_inserter(fresh));
    next[pattern] = packed(fresh);
  });
  older_ = std::exchange(level_, std::move(next));
  ++depth_;
}

template <int K>
std::optional<SlidePosition<K>> SlideLevels<K>::meeting(int steps) const {
  std::vector<std::optional<SlideKey>> found(patterns_.size());
  parallel_.for_each(patterns_.size(), [&](std::size_t i) {
    found[i] = find_reversed<K>(reached(patterns_[i], steps));
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) return slide_key_position<K>(patterns_[i], *found[i]);
  }
  return std::nullopt;
}

template <int K>
std::vector<SlideKey> SlideLevels<K>::reached(int pattern, int steps) const {
  if (steps == 0) return unpacked(keys_of(pattern));
  std::vector<SlideKey> keys;
  for (const SlideStep<K>& step : steps_[static_cast<std::size_t>(pattern)]) {
    const std::vector<SlideKey> before = reached(step.from(), steps - 1);
    keys.reserve(keys.size() + before.size());
    for (const SlideKey key : before) keys.push_back(step(key));
  }
  sort_unique<K>(keys);
  return keys;
}

template <int K>
auto SlideLevels<K>::packed(const std::vector<SlideKey>& keys) -> Keys {
  Keys result;
  result.count = keys.size();
  SlideKey last = 0;
  for (const SlideKey key : keys) {
    SlideKey gap = (key >> 4) - std::exchange(last, key >> 4);
    for (; gap > 127; gap >>= 7) result.bytes.push_back(static_cast<std::uint8_t>(gap | 128));
    result.bytes.push_back(static_cast<std::uint8_t>(gap));
  }
  result.bytes.shrink_to_fit();
  return result;
}

template <int K>
std::vector<SlideKey> SlideLevels<K>::unpacked(const Keys& keys) {
  std::vector<SlideKey> result;
  result.reserve(keys.count);
  SlideKey rest = 0;
  auto byte = keys.bytes.begin();
  while (result.size() < keys.count) {
    SlideKey gap = *byte & 127U;
    for (int shift = 7; (*byte++ & 128U) != 0; shift += 7) gap |= (*byte & 127ULL) << shift;
    result.push_back(with_last_digit<K>(rest += gap));
  }
  return result;
}

template class SlideLevels<2>;
template class SlideLevels<3>;
template class SlideLevels<4>;

}  // namespace ntune
