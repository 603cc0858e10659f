// Preloaded into a program: each time that it has synced a file to the disk, its name and the size
// that it had are appended to the file that NTUNE_SYNC_LOG names.

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

using Sync = int (*)(int);

int synced(const char* name, int file) {
  struct stat status {};
  ::fstat(file, &status);  // before: what comes meanwhile need not be on the disk
  void* const found = ::dlsym(RTLD_NEXT, name);
  const int result = reinterpret_cast<Sync>(found)(file);
  const char* const log = std::getenv("NTUNE_SYNC_LOG");
  if (log == nullptr || result != 0) return result;
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  char path[PATH_MAX];
  const ssize_t length = ::readlink(link, path, sizeof(path));
  char line[PATH_MAX + 32];
  const int size =
      std::snprintf(line, sizeof(line), "%.*s %lld\n", static_cast<int>(length < 0 ? 0 : length),
                    path, static_cast<long long>(status.st_size));
  const int out = ::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out >= 0) {
    if (::write(out, line, static_cast<size_t>(size)) < 0) std::abort();
    ::close(out);
  }
  return result;
}

}  // namespace

extern "C" int fsync(int file);
extern "C" int fdatasync(int file);
extern "C" int fsync(int file) { return synced("fsync", file); }
extern "C" int fdatasync(int file) { return synced("fdatasync", file); }
