#pragma once

#include <string>

namespace ntune {

/// MPI from MPI_Init to MPI_Finalize; one per process. Rank 0 leads, all others work.
class MpiWorld {
 public:
  /// Throws InputError where the MPI library cannot be used from more than one thread.
  MpiWorld();
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// On every rank: throws InputError unless all have passed the same text. Collective.
  void check_same(const std::string& text, const std::string& what) const;
  /// Ends every process of the job at once with this exit code.
  [[noreturn]] static void abort(int code);

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace ntune
