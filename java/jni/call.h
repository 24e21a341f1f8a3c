// One call from Java: arguments in, results out, errors as exceptions.
//
// A native method runs its work inside Run(). What goes wrong there is a C++
// exception that ends the work and becomes the Java exception; none passes
// through the engine. NotFound is no error, so that the usual answers of a
// read throw nothing.
#pragma once

#include <jni.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "java/jni/handles.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

// A native method of org.rocksdb.<owner>.
#define NATIVE(type, owner, name, ...)                                 \
  extern "C" JNIEXPORT type JNICALL Java_org_rocksdb_##owner##_##name( \
      [[maybe_unused]] JNIEnv* env, jclass __VA_OPT__(, ) __VA_ARGS__)

namespace ROCKSDB_NAMESPACE::jni {

// What a native method ends with instead of a result.
enum class Wrong { kClosed, kState, kArgument, kNull, kBounds, kMemory };
struct CallError {
  Wrong kind;
  std::string text;
};
struct StatusError {
  Status status;
};
// An exception of Java's is on its way already.
struct JavaThrew {};

[[noreturn]] void Fail(Wrong kind, std::string text);

// Ends the call with `status` if that is an error.
inline void Check(const Status& status) {
  if (!status.ok()) throw StatusError{status};
}

// The exception being handled, thrown in Java.
void ThrowCurrent(JNIEnv* env);
void ThrowStatus(JNIEnv* env, const Status& status);

// What a thread knows of the native methods that it is in.
struct CallsOfThread {
  int depth = 0;
  // An exception that a callback of the innermost one kept for when the engine
  // has returned; null: none.
  jthrowable kept = nullptr;
};
extern constinit thread_local CallsOfThread calls_of_thread;

// One native method, while it runs. A callback that calls the library again
// does not get there what an earlier callback has thrown.
class CallFromJava {
 public:
  CallFromJava() : outer_(std::exchange(calls_of_thread.kept, nullptr)) {
    ++calls_of_thread.depth;
  }
  ~CallFromJava() {
    --calls_of_thread.depth;
    calls_of_thread.kept = outer_;
  }
  CallFromJava(const CallFromJava&) = delete;
  CallFromJava& operator=(const CallFromJava&) = delete;

 private:
  jthrowable outer_;
};

// The exception that was kept goes on its way now.
void ThrowKept(JNIEnv* env);

// Ends the call if a callback has thrown in it. What a call is to give a handle
// of must not have one before: Java would not learn of it.
inline void CheckCallbacks() {
  if (calls_of_thread.kept != nullptr) throw JavaThrew{};
}

template <class Work>
auto Run(JNIEnv* env, const Work& work) -> decltype(work()) {
  using Result = decltype(work());
  const CallFromJava call;
  try {
    if constexpr (std::is_void_v<Result>) {
      work();
      if (calls_of_thread.kept != nullptr) ThrowKept(env);
      return;
    } else {
      Result result = work();
      if (calls_of_thread.kept != nullptr) ThrowKept(env);
      return result;
    }
  } catch (...) {
    ThrowCurrent(env);
  }
  if constexpr (!std::is_void_v<Result>) return Result{};
}

// An object that the call uses, kept for as long.
template <class T>
class Pin {
 public:
  // 0 is no object where that `may_be_none`; else every handle must be open.
  explicit Pin(Handle handle, bool may_be_none = false) {
    if (handle == 0 && may_be_none) return;
    slot_ = PinSlot(handle);
    if (slot_ == nullptr) {
      Fail(Wrong::kClosed, std::string(T::kTag.name) + " is closed");
    }
    if (!slot_->object->Is(T::kTag)) {
      const std::string name = slot_->object->Tag()->name;
      UnpinSlot(slot_);
      Fail(Wrong::kArgument, name + " given for " + T::kTag.name);
    }
  }
  ~Pin() {
    if (slot_ != nullptr) UnpinSlot(slot_);
  }
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

  T* get() const {
    return slot_ == nullptr ? nullptr : static_cast<T*>(slot_->object);
  }
  T* operator->() const { return get(); }
  T& operator*() const { return *get(); }
  explicit operator bool() const { return slot_ != nullptr; }

 private:
  HandleSlot* slot_ = nullptr;
};

template <class T, class... Args>
Handle PublishNew(Args&&... args) {
  return Publish(std::make_unique<T>(std::forward<Args>(args)...));
}

// Bytes of an array of Java's, copied: short ones onto the stack. The caller
// has checked the range.
class ArrayBytes {
 public:
  ArrayBytes(JNIEnv* env, jbyteArray array, jint offset, jint size);
  Slice slice() const { return Slice(data_, size_); }

 private:
  static constexpr size_t kOnStack = 1024;
  char stack_[kOnStack];
  std::unique_ptr<char[]> heap_;
  char* data_ = stack_;
  size_t size_;
};

// The bytes of a whole array; null is an error.
std::string BytesOf(JNIEnv* env, jbyteArray array);
// The same of text, which Java gives as UTF-8.
inline std::string TextOf(JNIEnv* env, jbyteArray text) {
  return BytesOf(env, text);
}

// Asks for memory that is copied soon, into the processor's cache.
void FetchAhead(const Slice& bytes);

// A new array. Too large for Java is a RocksDBException.
jbyteArray NewArray(JNIEnv* env, const Slice& bytes);
jobjectArray NewArrayOfArrays(JNIEnv* env, size_t size);

// A byte[][] of values, with null for those that were not found; an error of
// one of them is an error of all.
template <class Value>
jobjectArray NewArrays(JNIEnv* env, const std::vector<Value>& values,
                       const std::vector<Status>& statuses) {
  jobjectArray arrays = NewArrayOfArrays(env, values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    Check(statuses[i]);
    if (i + 1 < values.size()) FetchAhead(values[i + 1]);
    jbyteArray array = NewArray(env, values[i]);
    env->SetObjectArrayElement(arrays, static_cast<jsize>(i), array);
    env->DeleteLocalRef(array);
  }
  return arrays;
}
jlongArray NewLongs(JNIEnv* env, const std::vector<int64_t>& values);
std::vector<int64_t> LongsOf(JNIEnv* env, jlongArray array);

// Copies what fits of `bytes` into the array, and answers their full size.
jint CopyOut(JNIEnv* env, const Slice& bytes, jbyteArray array, jint offset,
             jint room);
// The same to memory of a direct buffer.
jint CopyOut(const Slice& bytes, jlong address, jint room);

inline Slice Direct(jlong address, jint size) {
  return Slice(reinterpret_cast<const char*>(address),
               static_cast<size_t>(size));
}

}  // namespace ROCKSDB_NAMESPACE::jni
