// Asks the library for what the plug-in that was compiled into it brings.

#include <cstdio>
#include <memory>
#include <string>

#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"

int main() {
  std::shared_ptr<rocksdb::FileSystem> fs;
  const rocksdb::Status s = rocksdb::FileSystem::CreateFromString(
      rocksdb::ConfigOptions(), "lion", &fs);
  if (!s.ok() || fs == nullptr || fs->Name() != std::string("LionFileSystem")) {
    fprintf(stderr, "plug-in: %s\n", s.ToString().c_str());
    return 1;
  }
  printf("plug-in: %s\n", fs->Name());
  return 0;
}
