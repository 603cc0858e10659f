// No test relies on permissions: the tests may run as root.

#include "ntune/core/files.h"

#include <filesystem>
#include <string>

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

TEST_CASE("a symbolic link is replaced by the file") {
  const test::TemporaryFolder folder;
  const fs::path target = folder.file("target", "old");
  const fs::path link = folder / "link";
  fs::create_symlink(target, link);
  write_file_atomically(link, "new");
  CHECK(test::content_of(link) == "new");
  CHECK(test::content_of(target) == "old");
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
