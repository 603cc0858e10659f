#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace ntune {

/// A legal move and the position that it leads to.
template <class Move, class Position>
struct Successor {
  Move move;
  Position next;
};

/// The successors of a position: at most `capacity` of them, in a list that lives where it is
/// declared, without heap. A game declares
///   using Successors = SuccessorList<Move, Position, 64>;
/// Entries beyond the size are not initialised, so that an empty list costs nothing.
template <class Move, class Position, std::size_t capacity>
class SuccessorList {
 public:
  using Entry = Successor<Move, Position>;
  static constexpr std::size_t kCapacity = capacity;

  SuccessorList() { static_assert(std::is_trivially_destructible_v<Entry>); }
  SuccessorList(const SuccessorList&) = delete;
  SuccessorList& operator=(const SuccessorList&) = delete;
  ~SuccessorList() = default;

  void clear() { size_ = 0; }
  /// Appends a successor, which may be changed in place. The list must not be full.
  Entry& add(const Move& move, const Position& next) {
    assert(size_ < capacity);
    return *std::construct_at(&entries_[size_++], Entry{move, next});
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Entry& operator[](std::size_t i) const { return entries_[i]; }
  [[nodiscard]] Entry& operator[](std::size_t i) { return entries_[i]; }
  [[nodiscard]] const Entry* begin() const { return entries_; }
  [[nodiscard]] const Entry* end() const { return entries_ + size_; }
  [[nodiscard]] Entry* begin() { return entries_; }
  [[nodiscard]] Entry* end() { return entries_ + size_; }

 private:
  std::size_t size_ = 0;
  union {
    Entry entries_[capacity];
  };
};

}  // namespace ntune
