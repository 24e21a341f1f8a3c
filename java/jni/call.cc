#include "java/jni/call.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "java/jni/java_machine.h"
#include "java/jni/packing.h"

namespace ROCKSDB_NAMESPACE::jni {

constinit thread_local CallsOfThread calls_of_thread;

namespace {

// What Java's own virtual machines can make at most.
constexpr size_t kMaxArray = std::numeric_limits<jint>::max() - 2;

jclass ClassFor(Wrong kind) {
  const JavaClasses& classes = Classes();
  switch (kind) {
    case Wrong::kClosed:
      return classes.assertions ? classes.assertion_error
                                : classes.illegal_state;
    case Wrong::kState:
      return classes.illegal_state;
    case Wrong::kArgument:
      return classes.illegal_argument;
    case Wrong::kNull:
      return classes.null_pointer;
    case Wrong::kBounds:
      return classes.index_out_of_bounds;
    case Wrong::kMemory:
      break;
  }
  return classes.out_of_memory;
}

void ThrowNew(JNIEnv* env, Wrong kind, const std::string& text) {
  const jclass type = ClassFor(kind);
  if (kind == Wrong::kClosed && Classes().assertions) {
    // AssertionError has no constructor from text alone.
    jobject message = Classes().NewText(env, text);
    auto error = static_cast<jthrowable>(
        env->NewObject(type, Classes().new_assertion_error, message));
    if (error != nullptr) env->Throw(error);
    return;
  }
  env->ThrowNew(type, text.c_str());
}

}  // namespace

void Fail(Wrong kind, std::string text) {
  throw CallError{kind, std::move(text)};
}

void ThrowStatus(JNIEnv* env, const Status& status) {
  Packer packed;
  packed.Status(status);
  jbyteArray bytes = NewArray(env, packed.bytes());
  if (bytes == nullptr) return;
  auto error = static_cast<jthrowable>(env->CallStaticObjectMethod(
      Classes().status, Classes().to_exception, bytes));
  if (error != nullptr && !env->ExceptionCheck()) env->Throw(error);
}

void ThrowKept(JNIEnv* env) {
  jthrowable error = std::exchange(calls_of_thread.kept, nullptr);
  auto local = static_cast<jthrowable>(env->NewLocalRef(error));
  env->DeleteGlobalRef(error);
  env->ExceptionClear();
  env->Throw(local);
}

void ThrowCurrent(JNIEnv* env) {
  if (calls_of_thread.kept != nullptr) {
    ThrowKept(env);
    return;
  }
  if (env->ExceptionCheck()) return;
  try {
    throw;
  } catch (const CallError& error) {
    ThrowNew(env, error.kind, error.text);
  } catch (const StatusError& error) {
    ThrowStatus(env, error.status);
  } catch (const JavaThrew&) {
    // It is on its way.
  } catch (const std::bad_alloc&) {
    ThrowNew(env, Wrong::kMemory, "no memory for a native object");
  } catch (const std::exception& error) {
    ThrowStatus(env, Status::Aborted(error.what()));
  } catch (...) {
    ThrowStatus(env, Status::Aborted("an exception of an unknown kind"));
  }
}

ArrayBytes::ArrayBytes(JNIEnv* env, jbyteArray array, jint offset, jint size)
    : size_(static_cast<size_t>(size)) {
  if (array == nullptr) Fail(Wrong::kNull, "an array is null");
  if (size_ > kOnStack) {
    heap_ = std::make_unique<char[]>(size_);
    data_ = heap_.get();
  }
  if (size_ == 0) return;
  env->GetByteArrayRegion(array, offset, size, reinterpret_cast<jbyte*>(data_));
  if (env->ExceptionCheck()) throw JavaThrew{};
}

std::string BytesOf(JNIEnv* env, jbyteArray array) {
  if (array == nullptr) Fail(Wrong::kNull, "an array is null");
  const jsize size = env->GetArrayLength(array);
  std::string bytes(static_cast<size_t>(size), '\0');
  if (size > 0) {
    env->GetByteArrayRegion(array, 0, size,
                            reinterpret_cast<jbyte*>(bytes.data()));
  }
  return bytes;
}

void FetchAhead(const Slice& bytes) {
  constexpr size_t kLineBytes = 64;
  constexpr size_t kMostBytes = 8 << 10;
  const size_t size = std::min(bytes.size(), kMostBytes);
  for (size_t i = 0; i < size; i += kLineBytes) {
    __builtin_prefetch(bytes.data() + i);
  }
}

jbyteArray NewArray(JNIEnv* env, const Slice& bytes) {
  if (bytes.size() > kMaxArray) {
    throw StatusError{
        Status::InvalidArgument("Requested array size exceeds VM limit")};
  }
  const auto size = static_cast<jsize>(bytes.size());
  FetchAhead(bytes);  // While Java clears the array.
  jbyteArray array = env->NewByteArray(size);
  if (array == nullptr) throw JavaThrew{};
  if (size > 0) {
    env->SetByteArrayRegion(array, 0, size,
                            reinterpret_cast<const jbyte*>(bytes.data()));
  }
  return array;
}

jobjectArray NewArrayOfArrays(JNIEnv* env, size_t size) {
  jobjectArray arrays = env->NewObjectArray(static_cast<jsize>(size),
                                            Classes().byte_array, nullptr);
  if (arrays == nullptr) throw JavaThrew{};
  return arrays;
}

jlongArray NewLongs(JNIEnv* env, const std::vector<int64_t>& values) {
  const auto size = static_cast<jsize>(values.size());
  jlongArray array = env->NewLongArray(size);
  if (array == nullptr) throw JavaThrew{};
  static_assert(sizeof(jlong) == sizeof(int64_t));
  env->SetLongArrayRegion(array, 0, size,
                          reinterpret_cast<const jlong*>(values.data()));
  return array;
}

std::vector<int64_t> LongsOf(JNIEnv* env, jlongArray array) {
  if (array == nullptr) Fail(Wrong::kNull, "an array is null");
  std::vector<int64_t> values(static_cast<size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(values.size()),
                          reinterpret_cast<jlong*>(values.data()));
  return values;
}

jint CopyOut(JNIEnv* env, const Slice& bytes, jbyteArray array, jint offset,
             jint room) {
  if (bytes.size() > kMaxArray) {
    throw StatusError{
        Status::InvalidArgument("Requested array size exceeds VM limit")};
  }
  const auto size = static_cast<jint>(bytes.size());
  const jint copied = std::min(size, room);
  if (copied > 0) {
    env->SetByteArrayRegion(array, offset, copied,
                            reinterpret_cast<const jbyte*>(bytes.data()));
    if (env->ExceptionCheck()) throw JavaThrew{};
  }
  return size;
}

jint CopyOut(const Slice& bytes, jlong address, jint room) {
  if (bytes.size() > kMaxArray) {
    throw StatusError{
        Status::InvalidArgument("Requested array size exceeds VM limit")};
  }
  const auto size = static_cast<jint>(bytes.size());
  const jint copied = std::min(size, room);
  if (copied > 0) {
    std::memcpy(reinterpret_cast<void*>(address), bytes.data(),
                static_cast<size_t>(copied));
  }
  return size;
}

}  // namespace ROCKSDB_NAMESPACE::jni
