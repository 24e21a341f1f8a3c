// Sizes: of files, of functions, of parameter lists; and assertions per line.

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tests/tidy/functions.h"
#include "tests/tidy/rules.h"

namespace ROCKSDB_NAMESPACE::tidy {

namespace {

std::string Over(int count, const std::string& what, int limit) {
  return std::to_string(count) + " " + what + ", limit " +
         std::to_string(limit);
}

bool IsMacroName(std::string_view name) {
  for (const char c : name) {
    if (c >= 'a' && c <= 'z') return false;
  }
  return true;
}

bool HasManyParameters(const Function& function) {
  return function.parameter_count > kMaxParameters &&
         !IsMacroName(function.name);
}

// The names and sizes of the public interface's long parameter lists, those
// of generated headers among them.
std::set<std::pair<std::string, int>> PublicShapes(const Tree& tree) {
  std::set<std::pair<std::string, int>> shapes;
  for (const auto& [path, file] : tree.files()) {
    if (!file->IsCpp() || !file->IsIn("include")) continue;
    for (const Function& function : FindFunctions(*file)) {
      if (HasManyParameters(function)) {
        shapes.emplace(function.name, function.parameter_count);
      }
    }
  }
  return shapes;
}

bool HasCode(std::string_view line) {
  return line.find_first_not_of(" \t\r") != std::string_view::npos;
}

bool IsAssertion(std::string_view word) {
  return word == "INVARIANT" || word == "assert" || word == "static_assert" ||
         word == "kDeepChecks";
}

struct Density {
  int code_lines = 0;
  int assertions = 0;
};

}  // namespace

Violations CheckFileLengths(const Tree& tree) {
  Violations result;
  for (const auto& [path, file] : tree.files()) {
    const bool is_code = file->IsCpp() || path.ends_with(".py") ||
                         path.ends_with(".sh") || path.ends_with(".java");
    const int count = static_cast<int>(file->lines().size());
    if (is_code && count > kMaxFileLines && !file->IsGenerated()) {
      result.push_back({path, count, Over(count, "lines", kMaxFileLines)});
    }
  }
  return result;
}

Violations CheckFunctionLengths(const Tree& tree) {
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    for (const Function& function : FindFunctions(*file)) {
      if (!function.is_definition) continue;
      if (function.LineCount() <= kMaxFunctionLines) continue;
      result.push_back({file->path(), function.first_line,
                        Over(function.LineCount(), "lines in " + function.name,
                             kMaxFunctionLines)});
    }
  }
  return result;
}

Violations CheckParameterCounts(const Tree& tree) {
  const auto public_shapes = PublicShapes(tree);
  Violations result;
  for (const SourceFile* file : tree.Cpp()) {
    if (file->IsIn("include")) continue;
    for (const Function& function : FindFunctions(*file)) {
      if (!HasManyParameters(function) || function.is_override) continue;
      if (public_shapes.contains({function.name, function.parameter_count})) {
        continue;
      }
      result.push_back(
          {file->path(), function.first_line,
           Over(function.parameter_count, "parameters of " + function.name,
                kMaxParameters)});
    }
  }
  return result;
}

Violations CheckAssertionDensity(const Tree& tree) {
  constexpr std::array<std::string_view, 3> kFolders = {"db", "table", "file"};
  std::map<std::string, Density> densities;
  for (const SourceFile* file : tree.Cpp()) {
    for (const std::string_view folder : kFolders) {
      if (!file->IsIn(folder)) continue;
      Density& density = densities[std::string(folder)];
      for (const auto& line : file->code()) density.code_lines += HasCode(line);
      for (const Token& token : file->tokens()) {
        density.assertions += IsAssertion(token.text);
      }
    }
  }
  Violations result;
  for (const auto& [folder, density] : densities) {
    const int per_thousand = 1000 * density.assertions / density.code_lines;
    if (per_thousand >= kMinAssertionsPerThousand) continue;
    result.push_back({folder, 1,
                      std::to_string(density.assertions) + " assertions in " +
                          std::to_string(density.code_lines) +
                          " code lines: " + std::to_string(per_thousand) +
                          " per 1000, at least " +
                          std::to_string(kMinAssertionsPerThousand)});
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::tidy
