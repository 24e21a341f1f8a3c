#include "tests/tidy/tree.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

namespace fs = std::filesystem;

bool IsSkippedFolder(const fs::path& relative) {
  const std::string name = relative.filename().string();
  if (name == ".ci") return false;
  return name.starts_with('.') || name == "testdata" || name == "__pycache__" ||
         relative == "build";
}

bool IsText(const fs::path& path) {
  if (path.filename() == ".git") return false;  // A file in linked work trees.
  constexpr std::array kEndings = {".h",     ".cc",  ".def",  ".c",
                                   ".py",    ".sh",  ".md",   ".in",
                                   ".cmake", ".txt", ".java", ".json"};
  const std::string ending = path.extension().string();
  for (const char* known : kEndings) {
    if (ending == known) return true;
  }
  return ending.empty();  // Makefile, .ci/run.
}

std::string ReadAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Tree Tree::Load(const std::string& root) {
  Tree tree;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(root, error), end;
       !error && entry != end; entry.increment(error)) {
    const fs::path relative = fs::relative(entry->path(), root);
    if (entry->is_directory()) {
      if (IsSkippedFolder(relative)) entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && IsText(entry->path())) {
      tree.Add(relative.string(), ReadAll(entry->path()));
    }
  }
  if (error) {
    fprintf(stderr, "%s: %s\n", root.c_str(), error.message().c_str());
    abort();
  }
  return tree;
}

void Tree::Add(std::string path, std::string text) {
  auto file = std::make_unique<SourceFile>(path, std::move(text));
  files_[std::move(path)] = std::move(file);
}

const SourceFile* Tree::Find(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : found->second.get();
}

std::vector<const SourceFile*> Tree::Cpp() const {
  std::vector<const SourceFile*> result;
  for (const auto& [path, file] : files_) {
    if (file->IsCpp() && !file->IsGenerated()) result.push_back(file.get());
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::tidy
