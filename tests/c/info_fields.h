// Fields of C++ structs that C programs read: each is given a value of its
// own, which its getter must answer.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "c/handles.h"
#include "rocksdb/listener.h"
#include "tests/c/check.h"

namespace ROCKSDB_NAMESPACE::c_api {

// A struct under its C name, or a handle that holds it.
template <class Handle>
class InfoOf {
 public:
  using Object = typename Viewed<Handle>::Type;
  Handle* handle() { return reinterpret_cast<Handle*>(&object_); }

 private:
  std::conditional_t<std::is_void_v<Object>, Handle, Object> object_{};
};

// The text that field number `number` is given.
inline std::string TextNumber(int number) {
  return "text " + std::to_string(number);
}

// Sets the field, and checks that `get` answers what it was set to.
template <class Field, class Get>
void Check(Field* field, int number, Get get) {
  if constexpr (std::is_same_v<Field, std::string>) {
    *field = TextNumber(number);
    CHECK(get(size_t{0}) == Slice(TextNumber(number)));
  } else if constexpr (std::is_same_v<Field, bool>) {
    *field = true;
    CHECK(get() == 1);
    *field = false;
    CHECK(get() == 0);
  } else if constexpr (std::is_enum_v<Field>) {
    // Values that every enumeration has.
    for (const int value : {1, 0}) {
      *field = static_cast<Field>(value);
      CHECK(get() == static_cast<decltype(get())>(value));
    }
  } else if constexpr (std::is_arithmetic_v<Field>) {
    *field = static_cast<Field>(number);
    CHECK(get() == static_cast<decltype(get())>(number));
  } else if constexpr (std::is_same_v<Field,
                                      std::map<std::string, std::string>>) {
    for (int i = 0; i < number; ++i) (*field)[TextNumber(i)] = "value";
    CHECK(get() == static_cast<size_t>(number));
  } else if constexpr (requires { field->resize(size_t{1}); }) {
    field->resize(static_cast<size_t>(number));
    CHECK(get() == static_cast<size_t>(number));
  } else {
    for (int i = 0; i < number; ++i) (*field)[TextNumber(i)] = nullptr;
    CHECK(get() == static_cast<size_t>(number));
  }
}

}  // namespace ROCKSDB_NAMESPACE::c_api
