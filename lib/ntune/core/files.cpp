#include "ntune/core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, std::string_view action, int error) {
  throw InputError(fmt::format("{}: cannot {}: {}", path_text(path), action,
                               std::generic_category().message(error)));
}

void refuse_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return;
  throw InputError(fmt::format("{}: is a folder, a file is needed", path_text(path)));
}

int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string path_text(const fs::path& path) {
  constexpr std::size_t kLongest = 1000;
  return printable(path.string(), kLongest);
}

std::string read_file(const fs::path& path, std::uintmax_t limit) {
  refuse_folder(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, "read it", errno);
  std::string content;
  constexpr std::size_t kBlock = 64 * 1024;
  std::string block(kBlock, '\0');
  while (stream.read(block.data(), kBlock) || stream.gcount() > 0) {
    content.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (content.size() > limit) {
      throw InputError(
          fmt::format("{}: is larger than the {} bytes allowed", path_text(path), limit));
    }
  }
  if (stream.bad()) fail(path, "read it", errno);
  return content;
}

void ensure_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, "make the folder", error.value());
  std::string probe = (folder / ".ntune-XXXXXX").string();
  const Descriptor file(::mkstemp(probe.data()));
  if (!file.is_open()) fail(folder, "write there", errno);
  ::unlink(probe.c_str());
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  refuse_folder(path);
  std::string temporary = path.string() + ".XXXXXX";
  Descriptor file(::mkstemp(temporary.data()));
  if (!file.is_open()) fail(path, "write it", errno);
  int error = write_all(file.get(), content);
  constexpr mode_t kReadableByAll = 0644;
  if (error == 0 && ::fchmod(file.get(), kReadableByAll) != 0) error = errno;
  if (error == 0 && ::fsync(file.get()) != 0) error = errno;
  if (const int closing = file.close(); error == 0) error = closing;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, "write it", error);
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY));
  if (directory.is_open()) ::fsync(directory.get());
}

}  // namespace ntune
