#include "options/object_registry.h"

#include <map>
#include <mutex>

#include "options/builtin_objects.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class Registry {
 public:
  static Registry& Instance() {
    // Never destroyed: options may be parsed while the process ends.
    static Registry& instance = *std::make_unique<Registry>().release();
    return instance;
  }

  void Add(std::string_view type, std::string_view name, ObjectMatch match,
           ErasedMaker maker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Makers& makers = match == ObjectMatch::kWholeId ? whole_ids_ : prefixes_;
    makers[Key(type, name)] = std::move(maker);
  }

  // Null if nothing fits.
  ErasedMaker Find(std::string_view type, std::string_view id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (auto it = whole_ids_.find(Key(type, id)); it != whole_ids_.end()) {
      return it->second;
    }
    for (size_t length = id.size() + 1; length-- > 0;) {
      auto it = prefixes_.find(Key(type, id.substr(0, length)));
      if (it != prefixes_.end()) return it->second;
    }
    return nullptr;
  }

 private:
  using Key = std::pair<std::string, std::string>;
  using Makers = std::map<Key, ErasedMaker>;

  std::mutex mutex_;  // guards both maps
  Makers whole_ids_;
  Makers prefixes_;
};

}  // namespace

void RegisterErasedObject(std::string_view type, std::string_view name,
                          ObjectMatch match, ErasedMaker maker) {
  Registry::Instance().Add(type, name, match, std::move(maker));
}

Status MakeErasedObject(std::string_view type, const std::string& id,
                        std::shared_ptr<void>* result) {
  static const bool has_builtins = (RegisterBuiltinObjects(), true);
  (void)has_builtins;
  const ErasedMaker maker = Registry::Instance().Find(type, id);
  if (maker == nullptr) {
    return Status::NotSupported("no " + std::string(type) + " of this name",
                                id);
  }
  return maker(id, result);
}

}  // namespace ROCKSDB_NAMESPACE
