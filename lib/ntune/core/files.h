#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "ntune/core/descriptor.h"

namespace ntune {

/// The whole content of a file of at most `limit` bytes. Throws InputError "path: reason".
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

/// "path: cannot ACTION: reason" for an error number of the system.
std::string file_fault(const std::filesystem::path& path, std::string_view action, int error);

/// The path for a message: on one line, safe on a terminal, at most 1,000 bytes.
std::string path_text(const std::filesystem::path& path);

/// Makes the folder (with parents) if need be and proves that a file can be made in it.
/// Throws InputError "path: reason".
void ensure_writable_folder(const std::filesystem::path& folder);

/// Puts the entries of a folder on the disk, as far as its file system can.
void sync_folder(const std::filesystem::path& folder);

/// A new file beside another, whose place it takes once it is complete: whole or not at all. A
/// symbolic link is followed. It has the mode of the file before it, or else that of any new file.
class ReplacementFile {
 public:
  /// Throws InputError "path: reason", also where `path` is no regular file.
  explicit ReplacementFile(const std::filesystem::path& path);
  /// Removes it, unless it has taken its place.
  ~ReplacementFile();
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  /// The name of the new file until it takes the place of the other.
  [[nodiscard]] const std::string& name() const { return name_; }
  void write(std::string_view content);
  /// Sync, rename, sync of the folder. Throws InputError.
  void take_place();

 private:
  std::filesystem::path path_;    ///< as it was named
  std::filesystem::path target_;  ///< behind symbolic links
  std::string name_;
  Descriptor file_;
};

/// Replaces or creates a file whole or not at all. What is no regular file (a device, a pipe, a
/// stream of this process such as /dev/stdout) is written to as it is. Throws InputError "path:
/// reason".
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

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
  /// A hash of the content (FNV-1a), in 16 hexadecimal digits.
  [[nodiscard]] std::string digest() const;

 private:
  int copy_end(int fd);

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
};

}  // namespace ntune
