// Includes: what they may point at, and how much they may bring along.

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/rules.h"

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

// The floors that scripts/floors.txt lists, bottom to top; folders of one row
// are siblings.
const std::vector<std::string>& Floors() {
  static const std::vector<std::string> floors = [] {
    std::vector<std::string> rows;
    std::ifstream file(BASALT_SOURCE_DIR "/scripts/floors.txt");
    for (std::string row; std::getline(file, row);) {
      if (row.rfind('#', 0) != 0) rows.push_back(" " + row + " ");
    }
    return rows;
  }();
  return floors;
}

int LevelOf(std::string_view folder) {
  const std::string wanted = " " + std::string(folder) + " ";
  for (size_t level = 0; level < Floors().size(); ++level) {
    if (Floors()[level].find(wanted) != std::string::npos) {
      return static_cast<int>(level);
    }
  }
  return -1;
}

std::string FloorComplaint(const std::string& from, const std::string& to) {
  if (LevelOf(to) < 0) return "\"" + to + "\" is no floor";
  if (from == to || LevelOf(to) < LevelOf(from)) return "";
  return to + " is not below " + from;
}

// Finds the cycles among headers by walking them depth first.
class CycleFinder {
 public:
  explicit CycleFinder(const Tree& tree) : tree_(tree) {}

  Violations Run() {
    for (const SourceFile* file : tree_.Cpp()) Visit(*file);
    return result_;
  }

 private:
  enum class State { kNew, kOnPath, kDone };

  void Visit(const SourceFile& file) {
    states_[file.path()] = State::kOnPath;
    for (const Include& include : file.includes()) {
      const SourceFile* next = tree_.Find(include.target);
      if (next == nullptr) continue;
      const State state = states_[next->path()];
      if (state == State::kOnPath) {
        result_.push_back({file.path(), include.line,
                           "include cycle through " + next->path()});
      } else if (state == State::kNew) {
        Visit(*next);
      }
    }
    states_[file.path()] = State::kDone;
  }

  const Tree& tree_;
  std::map<std::string, State> states_;
  Violations result_;
};

void CollectReached(const Tree& tree, const SourceFile& file,
                    std::set<std::string>* reached) {
  for (const Include& include : file.includes()) {
    const SourceFile* next = tree.Find(include.target);
    // A list of rows (.def) is no header.
    if (next == nullptr || !next->IsHeader() || next->IsIn("include")) continue;
    if (reached->insert(next->path()).second) {
      CollectReached(tree, *next, reached);
    }
  }
}

}  // namespace

Violations CheckIncludesExist(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    for (const Include& include : file->includes()) {
      if (tree.Find(include.target) == nullptr) {
        result.push_back({file->path(), include.line,
                          "\"" + include.target + "\" is not in the tree"});
      }
    }
  }
  return result;
}

Violations CheckFloors(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (LevelOf(file->Folder()) < 0) {
      result.push_back({file->path(), 1, "the file lies on no floor"});
      continue;
    }
    for (const Include& include : file->includes()) {
      const std::string complaint =
          FloorComplaint(file->Folder(), FolderOf(include.target));
      if (complaint.empty()) continue;
      result.push_back(
          {file->path(), include.line, "upward include: " + complaint});
    }
  }
  return result;
}

Violations CheckIncludeCycles(const Tree& tree) {
  return CycleFinder(tree).Run();
}

Violations CheckHeadersReached(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (file->IsHeader()) continue;
    std::set<std::string> reached;
    CollectReached(tree, *file, &reached);
    const int count = static_cast<int>(reached.size());
    if (count <= kMaxHeadersReached) continue;
    result.push_back({file->path(), 1,
                      "reaches " + std::to_string(count) +
                          " internal headers, limit " +
                          std::to_string(kMaxHeadersReached)});
  }
  return result;
}

Violations CheckHeaderGuards(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (!file->IsHeader()) continue;
    bool is_guarded = false;
    for (const std::string_view line : file->code()) {
      is_guarded = is_guarded || line.starts_with("#pragma once");
    }
    if (!is_guarded) {
      result.push_back({file->path(), 1, "no #pragma once"});
    }
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::tidy
