// No test relies on permissions: the tests may run as root.

#include "ntune/core/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>

#include "catch.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::input_error;

TEST_CASE("a file is written whole, and replaced whole") {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "result.json";
  write_file_atomically(path, "first");
  CHECK(test::content_of(path) == "first");
  const std::string large(3'000'000, 'x');
  write_file_atomically(path, large);
  CHECK(test::content_of(path) == large);
  write_file_atomically(path, "");
  CHECK(test::content_of(path).empty());
  CHECK(folder.names() == std::vector<std::string>{"result.json"});
  const auto others = fs::perms::group_read | fs::perms::others_read;
  CHECK((fs::status(path).permissions() & others) == others);
}

TEST_CASE("symbolic links are followed, also those that lead to no file yet") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "inner");
  const fs::path target = folder.file("inner/target", "old");
  fs::create_symlink("inner/target", folder / "link");
  fs::create_symlink("link", folder / "link to link");
  write_file_atomically(folder / "link to link", "new");
  CHECK(test::content_of(target) == "new");
  fs::create_symlink("inner/later", folder / "dangling");
  write_file_atomically(folder / "dangling", "made");
  CHECK(test::content_of(folder / "inner" / "later") == "made");
  for (const char* link : {"link", "link to link", "dangling"}) {
    CHECK(fs::is_symlink(folder / link));
  }
}

TEST_CASE("a new file has the mode that the umask leaves, a replaced one that of the old file") {
  const test::TemporaryFolder folder;
  const auto mode_of = [&](const char* name) {
    return static_cast<unsigned>(fs::status(folder / name).permissions());
  };
  const mode_t before = ::umask(077);
  write_file_atomically(folder / "private", "text");
  ::umask(002);
  write_file_atomically(folder / "of a group", "text");
  ::umask(before);
  CHECK(mode_of("private") == 0600U);
  CHECK(mode_of("of a group") == 0664U);
  fs::permissions(folder / "private", static_cast<fs::perms>(0640));
  write_file_atomically(folder / "private", "more");
  CHECK(mode_of("private") == 0640U);
  CHECK(test::content_of(folder / "private") == "more");
}

TEST_CASE("what is no regular file is written to and stays what it is") {
  const test::TemporaryFolder folder;
  SECTION("a pipe") {
    const fs::path pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::string read;
    std::jthread reader([&] { read = test::content_of(pipe); });
    write_file_atomically(pipe, "through it");
    reader.join();
    CHECK(read == "through it");
    CHECK(fs::is_fifo(pipe));
  }
  SECTION("a device") {
    write_file_atomically("/dev/null", "nobody reads this");
    CHECK(fs::is_character_file("/dev/null"));
    fs::create_symlink("/dev/null", folder / "link");
    write_file_atomically(folder / "link", "nor this");
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(fs::is_symlink(folder / "link"));
    CHECK_THAT(input_error([] { const ReplacementFile file("/dev/null"); }),
               StartsWith("/dev/null: is no regular file"));
  }
  SECTION("a file of this process by its number") {
    const std::string file = folder.file("file", "before\n");
    const Descriptor open(::open(file.c_str(), O_WRONLY));
    fs::create_symlink("/proc/self/fd/" + std::to_string(open.get()), folder / "link");
    write_file_atomically(folder / "link", "behind\n");
    CHECK(test::content_of(file) == "before\nbehind\n");
    CHECK(folder.names().size() == 2);
  }
}

TEST_CASE("a replacement that never takes its place leaves the file and nothing else") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", "old");
  {
    ReplacementFile replacement(path);
    replacement.write("new");
    CHECK(test::content_of(replacement.name()) == "new");
    // Two at once do not meet.
    const ReplacementFile other(path);
    CHECK(other.name() != replacement.name());
  }
  CHECK(test::content_of(path) == "old");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("a file that cannot be written leaves nothing behind") {
  const test::TemporaryFolder folder;
  const fs::path regular = folder.file("regular", "content");
  SECTION("below a regular file") {
    const std::string path = (regular / "x").string();
    CHECK(input_error([&] { write_file_atomically(path, "text"); }) ==
          path + ": cannot write it: Not a directory");
  }
  SECTION("in a folder that is not there") {
    const std::string path = (folder / "none" / "x").string();
    CHECK(input_error([&] { write_file_atomically(path, "text"); }) ==
          path + ": cannot write it: No such file or directory");
  }
  SECTION("where a folder stands") {
    const fs::path path = folder / "folder";
    fs::create_directories(path / "inner");
    CHECK(input_error([&] { write_file_atomically(path, "text"); }) ==
          path.string() + ": is a folder, a file is needed");
    CHECK(fs::is_directory(path / "inner"));
    fs::remove_all(path);
  }
  SECTION("in a file system without files") {
    CHECK_THAT(input_error([&] { write_file_atomically("/proc/ntune", "text"); }),
               StartsWith("/proc/ntune: cannot write it: "));
  }
  CHECK(folder.names() == std::vector<std::string>{"regular"});
  CHECK(test::content_of(regular) == "content");
}

TEST_CASE("folders are made with their parents and proved writable") {
  const test::TemporaryFolder folder;
  const fs::path deep = folder / "a" / "b";
  ensure_writable_folder(deep);
  ensure_writable_folder(deep);
  CHECK(fs::is_empty(deep));
  const fs::path regular = folder.file("regular", "");
  CHECK(input_error([&] { ensure_writable_folder(regular); }) ==
        regular.string() + ": cannot make the folder: Not a directory");
  CHECK(input_error([&] { ensure_writable_folder(regular / "x"); }) ==
        (regular / "x").string() + ": cannot make the folder: Not a directory");
  CHECK_THAT(input_error([&] { ensure_writable_folder("/proc"); }),
             StartsWith("/proc: cannot write there: "));
}

TEST_CASE("files are read within their limit") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("text", std::string("a\0b\r\n", 5));
  CHECK(read_file(path, 100) == std::string("a\0b\r\n", 5));
  CHECK(read_file(path, 5).size() == 5);
  CHECK(input_error([&] { read_file(path, 4); }) == path + ": is larger than the 4 bytes allowed");
  CHECK(read_file(folder.file("empty", ""), 0).empty());
  const std::string large = folder.file("large", std::string(1'000'000, 'y'));
  CHECK(read_file(large, 1'000'000).size() == 1'000'000);
  CHECK(input_error([&] { read_file("/dev/zero", 100'000); }) ==
        "/dev/zero: is larger than the 100000 bytes allowed");
}

TEST_CASE("what cannot be read is named in one line") {
  const test::TemporaryFolder folder;
  const std::string none = (folder / "none").string();
  CHECK(input_error([&] { read_file(none, 10); }) ==
        none + ": cannot read it: No such file or directory");
  CHECK(input_error([&] { read_file(folder.path(), 10); }) ==
        folder.path().string() + ": is a folder, a file is needed");
  CHECK_THAT(input_error([&] { read_file(folder / "two\nlines", 10); }),
             ContainsSubstring("two\\nlines: cannot read it"));
}

}  // namespace ntune
