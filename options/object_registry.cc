// The registries: where objects are looked for, and the managed ones.
#include "rocksdb/utilities/object_registry.h"

#include "options/builtin_objects.h"
#include "options/builtin_plugins.h"
#include "options/dump_names.h"
#include "options/user_code.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<ObjectRegistry> ObjectRegistry::Default() {
  // Never destroyed: options may be parsed while the process ends.
  static auto& registry =
      *std::make_unique<std::shared_ptr<ObjectRegistry>>(
           std::make_shared<ObjectRegistry>(ObjectLibrary::Default()))
           .release();
  return registry;
}

std::shared_ptr<ObjectRegistry> ObjectRegistry::NewInstance() {
  return NewInstance(Default());
}

std::shared_ptr<ObjectRegistry> ObjectRegistry::NewInstance(
    const std::shared_ptr<ObjectRegistry>& parent) {
  return std::make_shared<ObjectRegistry>(parent);
}

ObjectRegistry::ObjectRegistry(const std::shared_ptr<ObjectLibrary>& library) {
  AddLibrary(library);
  for (const BuiltinPlugin& plugin : BuiltinPlugins()) {
    RegisterPlugin(plugin.name, plugin.registrar);
  }
}

// --- Libraries --------------------------------------------------------------

std::shared_ptr<ObjectLibrary> ObjectRegistry::AddLibrary(
    const std::string& id) {
  auto library = std::make_shared<ObjectLibrary>(id);
  AddLibrary(library);
  return library;
}

void ObjectRegistry::AddLibrary(const std::shared_ptr<ObjectLibrary>& library) {
  if (library == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  libraries_.push_back(library);
}

void ObjectRegistry::AddLibrary(const std::string& id,
                                const RegistrarFunc& registrar,
                                const std::string& arg) {
  // Filled before others see it.
  auto library = std::make_shared<ObjectLibrary>(id);
  if (registrar != nullptr) registrar(*library, arg);
  AddLibrary(library);
}

int ObjectRegistry::RegisterPlugin(const std::string& name,
                                   const RegistrarFunc& registrar) {
  if (name.empty() || registrar == nullptr) return -1;
  auto library = std::make_shared<ObjectLibrary>(name);
  const int count = registrar(*library, name);
  const std::lock_guard<std::mutex> lock(mutex_);
  libraries_.push_back(std::move(library));
  plugins_.push_back(name);
  return count;
}

ObjectRegistry::Libraries ObjectRegistry::OwnLibraries() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {libraries_.rbegin(), libraries_.rend()};
}

ObjectRegistry::Libraries ObjectRegistry::AllLibraries() const {
  Libraries all;
  for (auto* at = this; at != nullptr; at = at->parent_.get()) {
    const Libraries own = at->OwnLibraries();
    all.insert(all.end(), own.begin(), own.end());
  }
  all.push_back(BuiltinLibrary());
  return all;
}

void ObjectRegistry::GetFactoryNames(
    const std::string& type, std::unordered_set<std::string>* names) const {
  for (const auto& library : AllLibraries()) {
    library->GetFactoryNames(type, names);
  }
}

void ObjectRegistry::GetFactoryNames(const std::string& type,
                                     std::vector<std::string>* names) const {
  std::unordered_set<std::string> found;
  GetFactoryNames(type, &found);
  names->insert(names->end(), found.begin(), found.end());
}

void ObjectRegistry::GetFactoryTypes(
    std::unordered_set<std::string>* types) const {
  for (const auto& library : AllLibraries()) library->GetFactoryTypes(types);
}

size_t ObjectRegistry::GetFactoryCount(const std::string& type) const {
  std::unordered_set<std::string> names;
  GetFactoryNames(type, &names);
  return names.size();
}

void ObjectRegistry::Dump(Logger* logger) const {
  for (auto* at = this; at != nullptr; at = at->parent_.get()) {
    std::unordered_set<std::string> plugins;
    {
      const std::lock_guard<std::mutex> lock(at->mutex_);
      plugins.insert(at->plugins_.begin(), at->plugins_.end());
    }
    if (!plugins.empty()) LogNames(logger, "Plugins", plugins);
  }
  for (const auto& library : AllLibraries()) library->Dump(logger);
}

// --- New objects ------------------------------------------------------------

Status ObjectRegistry::Make(const std::string& type, const std::string& id,
                            ObjectLibrary::Factory::Made* made) const {
  for (const auto& library : AllLibraries()) {
    const auto factory = library->Find(type, id);
    if (factory == nullptr) continue;
    return CallUserCode(type + " " + id,
                        [&] { return factory->Make(id, made); });
  }
  return Status::NotSupported("Could not load " + type, id);
}

Status ObjectRegistry::Configure(const std::string& type, const std::string& id,
                                 const std::function<Status()>& configure) {
  return CallUserCode(type + " " + id, configure);
}

Status ObjectRegistry::IsStatic(const std::string& type,
                                const std::string& id) {
  return Status::InvalidArgument(
      type + " " + id, "is one static object, which nobody else can own");
}

Status ObjectRegistry::IsOwned(const std::string& type, const std::string& id) {
  return Status::InvalidArgument(
      "Cannot make a static " + type + " from a guarded one", id);
}

Status ObjectRegistry::IsNull(const std::string& type) {
  return Status::InvalidArgument("no object to manage", type);
}

// --- Managed objects --------------------------------------------------------

std::shared_ptr<Customizable> ObjectRegistry::FindManaged(
    const std::string& type, const std::string& id) const {
  for (auto* at = this; at != nullptr; at = at->parent_.get()) {
    const std::lock_guard<std::mutex> lock(at->mutex_);
    const auto known = at->managed_.find({type, id});
    if (known == at->managed_.end()) continue;
    if (auto object = known->second.lock()) return object;
  }
  return nullptr;
}

std::vector<std::shared_ptr<Customizable>> ObjectRegistry::AllManaged(
    const std::string& type, const std::string& name) const {
  std::vector<std::shared_ptr<Customizable>> found;
  for (auto* at = this; at != nullptr; at = at->parent_.get()) {
    const std::lock_guard<std::mutex> lock(at->mutex_);
    for (const auto& [key, weak] : at->managed_) {
      if (key.first != type) continue;
      if (auto object = weak.lock()) found.push_back(std::move(object));
    }
  }
  // The application's code is called without the lock.
  if (!name.empty()) {
    std::erase_if(found, [&name](const std::shared_ptr<Customizable>& object) {
      return !object->IsInstanceOf(name);
    });
  }
  return found;
}

std::pair<std::shared_ptr<Customizable>, Status> ObjectRegistry::AddManaged(
    const std::string& type, const std::string& id,
    const std::shared_ptr<Customizable>& object) {
  const std::shared_ptr<Customizable> parents =
      parent_ == nullptr ? nullptr : parent_->FindManaged(type, id);
  // Objects may end with these references: not while the lock is held.
  std::shared_ptr<Customizable> known;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    // So that the map is no larger than what is in use.
    std::erase_if(managed_,
                  [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<Customizable>& here = managed_[{type, id}];
    known = here.lock();
    if (known == nullptr) known = parents;
    if (known == nullptr) {
      here = object;
      known = object;
    }
  }
  if (known == object) return {object, Status::OK()};
  return {known,
          Status::InvalidArgument("Object already exists", type + " " + id)};
}

}  // namespace ROCKSDB_NAMESPACE
