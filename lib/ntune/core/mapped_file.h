#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ntune {

/// The content of a file, mapped into memory for reading. Its last 64 KiB are copied, because
/// another process may cut them: the end of a journal that a crash has torn. All before must stay.
class MappedFile {
 public:
  /// Throws InputError "path: reason".
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  int copy_end(int fd);

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
};

}  // namespace ntune
