// A file system that a plug-in brings.

#include <memory>
#include <string>

#include "rocksdb/file_system.h"
#include "rocksdb/utilities/object_registry.h"

namespace {

class LionFileSystem : public rocksdb::FileSystemWrapper {
 public:
  LionFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "LionFileSystem"; }
};

}  // namespace

extern "C" int register_lion(rocksdb::ObjectLibrary& library,
                             const std::string& name) {
  library.AddFactory<rocksdb::FileSystem>(
      name, [](const std::string&, std::unique_ptr<rocksdb::FileSystem>* guard,
               std::string*) {
        *guard = std::make_unique<LionFileSystem>();
        return guard->get();
      });
  return 1;
}
