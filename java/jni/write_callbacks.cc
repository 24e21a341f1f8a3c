// What writes ask Java: the value of an update in place, and the blob file that
// a value goes to.
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "java/jni/java_machine.h"
#include "java/jni/values.h"
#include "rocksdb/blob_file_partition_strategy.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// A thread's environment, if Java can be called from it now.
JNIEnv* CallableThread() {
  JNIEnv* env = AttachedThread();
  if (env == nullptr || env->ExceptionCheck()) {
    throw std::runtime_error("Java cannot be called");
  }
  return env;
}

// What Java has thrown ends the write, which makes a status of it, and leaves
// the call that wrote.
void CheckThrown(JNIEnv* env) {
  if (env->ExceptionCheck()) throw std::runtime_error(TakeException(env, true));
}

UpdateStatus AskForUpdate(const JavaObject& callback, char* value,
                          uint32_t* size, const Slice& delta,
                          std::string* merged) {
  JNIEnv* env = CallableThread();
  LocalFrame frame(env);
  jbyteArray old =
      value == nullptr ? nullptr : NewArray(env, Slice(value, *size));
  auto answer = static_cast<jbyteArray>(env->CallStaticObjectMethod(
      Classes().callbacks, Classes().update_in_place, callback.get(), old,
      NewArray(env, delta)));
  CheckThrown(env);
  if (answer == nullptr) return UPDATE_FAILED;
  const std::string made = BytesOf(env, answer);
  if (value == nullptr || made.size() > *size) {
    *merged = made;
    return UPDATED;
  }
  std::memcpy(value, made.data(), made.size());
  *size = static_cast<uint32_t>(made.size());
  return UPDATED_INPLACE;
}

// The engine calls a plain function, which is told nothing of the options: so
// there is one for each place of a table, which has Java's object.
constexpr size_t kPlaces = 64;
std::array<std::atomic<const JavaObject*>, kPlaces> places;
std::mutex places_mutex;  // Held to take a place.

template <size_t kPlace>
UpdateStatus CallPlace(char* value, uint32_t* size, Slice delta,
                       std::string* merged) {
  // The object stays while options or a database have the function.
  return AskForUpdate(*places[kPlace].load(), value, size, delta, merged);
}

using Function = decltype(InplaceFunction::call);

template <size_t... kPlace>
constexpr std::array<Function, sizeof...(kPlace)> FunctionsOf(
    std::index_sequence<kPlace...>) {
  return {&CallPlace<kPlace>...};
}
constexpr auto kFunctions = FunctionsOf(std::make_index_sequence<kPlaces>());

// An object of Java's in its place, which is free again when this goes.
class PlacedCallback : public InplaceFunction {
 public:
  PlacedCallback(JNIEnv* env, jobject callback) : object_(env, callback) {
    std::lock_guard<std::mutex> lock(places_mutex);
    while (place_ < kPlaces && places[place_].load() != nullptr) ++place_;
    if (place_ == kPlaces) {
      Fail(Wrong::kState, "there are 64 callbacks of updates in place already");
    }
    places[place_].store(&object_);
    call = kFunctions[place_];
  }
  ~PlacedCallback() { places[place_].store(nullptr); }
  PlacedCallback(const PlacedCallback&) = delete;
  PlacedCallback& operator=(const PlacedCallback&) = delete;

 private:
  JavaObject object_;
  size_t place_ = 0;
};

// Asks an AbstractBlobFilePartitionStrategy.
class JavaPartitions : public BlobFilePartitionStrategy {
 public:
  JavaPartitions(JNIEnv* env, jobject strategy, std::string name)
      : object_(env, strategy), name_(std::move(name)) {}

  using BlobFilePartitionStrategy::SelectPartition;
  const char* Name() const override { return name_.c_str(); }
  uint32_t SelectPartition(uint32_t partition_count, uint32_t family,
                           const Slice& key, const Slice& value) override {
    JNIEnv* env = CallableThread();
    LocalFrame frame(env);
    const jint chosen = env->CallStaticIntMethod(
        Classes().callbacks, Classes().select_partition, object_.get(),
        static_cast<jint>(partition_count), static_cast<jint>(family),
        NewArray(env, key), NewArray(env, value));
    CheckThrown(env);
    return static_cast<uint32_t>(chosen);
  }

 private:
  JavaObject object_;
  std::string name_;
};

}  // namespace

NATIVE(jlong, CallbackParts, inplaceCallback, jobject callback) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<const InplaceFunction>(
        std::make_shared<const PlacedCallback>(env, callback)));
  });
}

NATIVE(jlong, CallbackParts, partitionStrategy, jobject strategy,
       jbyteArray name) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<BlobFilePartitionStrategy>(
        std::make_shared<JavaPartitions>(env, strategy, TextOf(env, name))));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
