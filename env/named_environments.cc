// Environments by name: "CompositeEnv", made of `file_system` and `clock`, and
// "MockEnv", whose files are in memory. The threads are those of
// Env::Default(). And the file system in memory, "MemoryFileSystem".
#include <memory>
#include <string>

#include "env/composite_env.h"
#include "env/mem_file_system.h"
#include "options/builtin_objects.h"
#include "options/object_kinds.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class NamedCompositeEnv final : public CompositeEnvWrapper {
 public:
  NamedCompositeEnv()
      : CompositeEnvWrapper(Env::Default(), FileSystem::Default(),
                            SystemClock::Default()) {}

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (name == "file_system") {
      return FileSystem::CreateFromString(config, value, &file_system_);
    }
    if (name == "clock") {
      return SystemClock::CreateFromString(config, value, &system_clock_);
    }
    return CompositeEnvWrapper::ConfigureOption(config, name, value);
  }
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override {
    *result = "file_system=" + PrintObject(config, file_system_.get()) +
              ";clock=" + PrintObject(config, system_clock_.get()) + ";";
    return Status::OK();
  }
};

std::unique_ptr<FileSystem> NewMemoryFileSystem() {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return std::make_unique<MemFileSystem>(SystemClock::Default(), options);
}

class MockEnv final : public CompositeEnvWrapper {
 public:
  MockEnv() : CompositeEnvWrapper(Env::Default(), NewMemoryFileSystem()) {}
  static const char* kClassName() { return "MockEnv"; }
  const char* Name() const override { return kClassName(); }
};

void RegisterEnvironments() {
  AddBuiltin<Env, NamedCompositeEnv>(NamedCompositeEnv::kClassName());
  AddBuiltin<Env, MockEnv>(MockEnv::kClassName());
  BuiltinLibrary()->AddFactory<FileSystem>(
      MemFileSystem::kClassName(),
      [](const std::string&, std::unique_ptr<FileSystem>* guard, std::string*) {
        *guard = NewMemoryFileSystem();
        return guard->get();
      });
}

ROCKSDB_REGISTER_OBJECTS(RegisterEnvironments);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
