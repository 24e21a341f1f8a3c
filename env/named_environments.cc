// Environments by name: "CompositeEnv", made of `file_system` and `clock`, and
// "MockEnv", whose files are in memory. The threads are those of
// Env::Default(). And the file system in memory, "MemoryFileSystem", and the
// clock that can do without sleeping, "TimeEmulatedSystemClock".
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "env/composite_env.h"
#include "env/mem_file_system.h"
#include "options/builtin_objects.h"
#include "options/object_kinds.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kClockMicrosPerSecond = 1'000'000;

// The time of the clock below. With `mock_sleep` nobody sleeps: the time is
// ahead by what would have been slept. With `time_elapse_only_sleep` it passes
// in no other way.
class EmulatedClock final : public SystemClockWrapper {
 public:
  EmulatedClock() : SystemClockWrapper(SystemClock::Default()) {}
  static const char* kClassName() { return "TimeEmulatedSystemClock"; }
  const char* Name() const override { return kClassName(); }

  static bool HasOption(const std::string& name) {
    return name == "mock_sleep" || name == "time_elapse_only_sleep";
  }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (!HasOption(name)) {
      return SystemClockWrapper::ConfigureOption(config, name, value);
    }
    bool is_on = false;
    if (!ParseBoolean(value, &is_on)) {
      return Status::InvalidArgument(name + " is not a boolean", value);
    }
    if (name == "mock_sleep") {
      mocks_sleep_ = is_on;
    } else {
      only_sleep_counts_ = is_on;
      since_micros_ = target_->NowMicros();
    }
    return Status::OK();
  }
  Status GetOptionString(const ConfigOptions& /*config*/,
                         std::string* result) const override {
    *result =
        std::string("mock_sleep=") + (mocks_sleep_ ? "true" : "false") +
        ";time_elapse_only_sleep=" + (only_sleep_counts_ ? "true" : "false") +
        ";";
    return Status::OK();
  }

  uint64_t NowMicros() override {
    const uint64_t base =
        only_sleep_counts_ ? since_micros_ : target_->NowMicros();
    return base + slept_micros_.load();
  }
  uint64_t NowNanos() override {
    const uint64_t base =
        only_sleep_counts_ ? since_micros_ * 1000 : target_->NowNanos();
    return base + slept_micros_.load() * 1000;
  }
  void SleepForMicroseconds(int micros) override {
    if (!mocks_sleep_ && !only_sleep_counts_) {
      target_->SleepForMicroseconds(micros);
    } else if (micros > 0) {
      slept_micros_.fetch_add(static_cast<uint64_t>(micros));
    }
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(NowMicros() / kClockMicrosPerSecond);
    return Status::OK();
  }

 private:
  // Set before the clock is used.
  bool mocks_sleep_ = false;
  bool only_sleep_counts_ = false;
  uint64_t since_micros_ = 0;
  std::atomic<uint64_t> slept_micros_{0};
};

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

std::unique_ptr<FileSystem> NewMemoryFileSystem(
    const std::shared_ptr<SystemClock>& clock) {
  MemFileSystemOptions options;
  options.implicit_directories = true;
  return std::make_unique<MemFileSystem>(clock, options);
}

// Takes the options of its clock.
class MockEnv final : public CompositeEnvWrapper {
 public:
  MockEnv() : MockEnv(std::make_shared<EmulatedClock>()) {}
  static const char* kClassName() { return "MockEnv"; }
  const char* Name() const override { return kClassName(); }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    return EmulatedClock::HasOption(name)
               ? system_clock_->ConfigureOption(config, name, value)
               : CompositeEnvWrapper::ConfigureOption(config, name, value);
  }

 private:
  explicit MockEnv(const std::shared_ptr<SystemClock>& clock)
      : CompositeEnvWrapper(Env::Default(), NewMemoryFileSystem(clock), clock) {
  }
};

void RegisterEnvironments() {
  AddBuiltin<Env, NamedCompositeEnv>(NamedCompositeEnv::kClassName());
  AddBuiltin<Env, MockEnv>(MockEnv::kClassName());
  AddBuiltin<SystemClock, EmulatedClock>(EmulatedClock::kClassName());
  BuiltinLibrary()->AddFactory<FileSystem>(
      MemFileSystem::kClassName(),
      [](const std::string&, std::unique_ptr<FileSystem>* guard, std::string*) {
        *guard = NewMemoryFileSystem(SystemClock::Default());
        return guard->get();
      });
}

ROCKSDB_REGISTER_OBJECTS(RegisterEnvironments);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
