// Folders that say what is in them.

#include <string>
#include <string_view>

#include "tests/tidy/rules.h"

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

constexpr std::string_view kTableHead = "| file | what it holds |";

std::string PlaceOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// A file's name in a folder's table: without the folder and the extension.
std::string NameOf(const std::string& path) {
  const std::string name = path.substr(PlaceOf(path).size());
  return name.substr(0, name.rfind('.'));
}

}  // namespace

Violations CheckFolderTables(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    const SourceFile* const readme =
        tree.Find(PlaceOf(file->path()) + "README.md");
    if (readme == nullptr) continue;
    if (readme->text().find(kTableHead) == std::string::npos) continue;
    if (readme->text().find("`" + NameOf(file->path()) + "`") ==
        std::string::npos) {
      result.push_back(
          {file->path(), 1, "is not in the table of " + readme->path()});
    }
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::tidy
