// All sources of the tree, as the rules read them.
//
// Threads    Filled by one thread; immutable afterwards.
// Ownership  Owns its files; pointers to them live as long as it does.
// Errors     A folder that cannot be read ends the process.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tests/tidy/source_file.h"

namespace ROCKSDB_NAMESPACE::tidy {

class Tree {
 public:
  // Everything below `root` but build output, hidden folders and test data.
  static Tree Load(const std::string& root);

  void Add(std::string path, std::string text);

  // nullptr if there is no such file.
  const SourceFile* Find(const std::string& path) const;

  const std::map<std::string, std::unique_ptr<SourceFile>>& files() const {
    return files_;
  }

  // The C++ files that people write; most rules are about these.
  std::vector<const SourceFile*> Cpp() const;

 private:
  std::map<std::string, std::unique_ptr<SourceFile>> files_;
};

}  // namespace ROCKSDB_NAMESPACE::tidy
