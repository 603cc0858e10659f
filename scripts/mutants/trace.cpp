// Notes which blocks of code a process executes: linked with the programs that scripts/mutants.py builds. Where the
// environment names a prefix in NTUNE_TRACE, a process has a file <prefix>.<pid>.<library> of each traced library, in
// which the byte at a block's address in the library is 1. Files are mapped: what a killed process or a forked child
// executed is there as well. Without NTUNE_TRACE nothing is noted.

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// The machine code of one library: as loaded, and as in its file.
struct Code {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::uintptr_t in_file;
  const char* name;
};

constexpr int kLibraries = 4;

struct Found {
  Code codes[kLibraries];
  int count = 0;
};

std::uintptr_t low = 0;
std::uintptr_t span = UINTPTR_MAX; // until it is known: every place
unsigned char* seen = nullptr;

int find_code(dl_phdr_info* object, std::size_t, void* data) {
  auto& found = *static_cast<Found*>(data);
  for (const char* name : {"libntune_core.so", "libntune_optim.so", "libntune_objective.so", "libntune_study.so"}) {
    if (!std::strstr(object->dlpi_name, name) || found.count == kLibraries) continue;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& part = object->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
      const std::uintptr_t in_file = part.p_vaddr & ~std::uintptr_t{4095};
      found.codes[found.count++] = {object->dlpi_addr + in_file, object->dlpi_addr + part.p_vaddr + part.p_memsz,
                                    in_file, name};
      break;
    }
  }
  return 0;
}

void start() {
  const int error = errno;
  span = 0;
  const char* prefix = std::getenv("NTUNE_TRACE");
  Found found;
  if (prefix != nullptr) dl_iterate_phdr(find_code, &found);
  if (found.count == 0) {
    errno = error;
    return;
  }
  std::uintptr_t first = UINTPTR_MAX;
  std::uintptr_t last = 0;
  for (int i = 0; i < found.count; ++i) {
    first = std::min(first, found.codes[i].begin);
    last = std::max(last, found.codes[i].end);
  }
  constexpr int kLazily = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = mmap(nullptr, last - first, PROT_READ | PROT_WRITE, kLazily, -1, 0);
  if (memory != MAP_FAILED) {
    seen = static_cast<unsigned char*>(memory);
    for (int i = 0; i < found.count; ++i) {
      const Code& code = found.codes[i];
      const std::string path = std::string(prefix) + "." + std::to_string(getpid()) + "." + code.name;
      const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (file < 0) continue;
      const std::uintptr_t size = code.end - code.begin;
      if (ftruncate(file, static_cast<off_t>(code.in_file + size)) == 0) {
        mmap(seen + (code.begin - first), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             static_cast<off_t>(code.in_file));
      }
      close(file);
    }
    low = first;
    span = last - first;
  }
  errno = error;
}

} // namespace

// Called at the begin of each block.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (here - low >= span) return;
  if (seen == nullptr) {
    start();
    if (here - low >= span) return;
  }
  unsigned char& byte = seen[here - low];
  if (byte == 0) byte = 1;
}
