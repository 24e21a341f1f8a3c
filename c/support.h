// What the functions of the C interface share: errors, bytes and ownership as
// C sees them.
//
// Threads  Free functions without state.
// Errors   An error goes to the caller's `char** errptr` as text from malloc;
//          what stood there is freed. Without errptr it is lost, as the header
//          says.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rocksdb/c.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::c_api {

// Whether `status` is an error; if so it is told to the caller.
bool Fails(const Status& status, char** errptr);

// Tells the caller that a handle it had to give is NULL.
void TellNull(const char* name, char** errptr);

inline bool IsNull(const void* handle, const char* name, char** errptr) {
  if (handle != nullptr) return false;
  TellNull(name, errptr);
  return true;
}

// Copies for the caller, who gives them back with rocksdb_free().
char* CopyBytes(const Slice& bytes);
char* CopyText(const std::string& text);

// Bytes of the caller; NULL stands for none.
inline Slice BytesOf(const char* data, size_t size) {
  return data == nullptr ? Slice() : Slice(data, size);
}

// The keys of one call.
std::vector<Slice> KeysOf(size_t count, const char* const* keys,
                          const size_t* sizes);

inline std::string TextOf(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// Bytes that stay ours: the pointer, and the size where it is asked for.
inline const char* Lend(const Slice& bytes, size_t* size) {
  if (size != nullptr) *size = bytes.size();
  return bytes.data();
}

// A new object that the caller owns, and its end.
template <class T, class... Args>
T* Own(Args&&... args) {
  return std::make_unique<T>(std::forward<Args>(args)...).release();
}
template <class T>
void End(T* object) {
  std::unique_ptr<T> last(object);
}

template <class T>
struct IsDuration : std::false_type {};
template <class Rep, class Period>
struct IsDuration<std::chrono::duration<Rep, Period>> : std::true_type {};

// The value of a field as a C type, and the other way: booleans are 0 or 1,
// enumerations their numbers, durations microseconds.
template <class C, class Field>
C ToC(const Field& field) {
  if constexpr (IsDuration<Field>::value) {
    return static_cast<C>(field.count());
  } else {
    return static_cast<C>(field);
  }
}

template <class Field, class C>
void Assign(Field* field, C value) {
  if constexpr (std::is_same_v<Field, bool>) {
    *field = value != 0;
  } else {
    *field = static_cast<Field>(value);
  }
}

}  // namespace ROCKSDB_NAMESPACE::c_api
