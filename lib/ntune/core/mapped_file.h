#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace ntune {

/// The content of a file, mapped into memory for reading. The file must not be cut meanwhile.
class MappedFile {
 public:
  /// Throws InputError "path: reason".
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ntune
