// The fields of option structs that Java reads and sets by number: numbers,
// flags and constants as 64 bits, text as bytes.
//
// The table itself is generated; here is what makes a row of a field.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "rocksdb/compression_type.h"
#include "rocksdb/data_structure.h"

namespace ROCKSDB_NAMESPACE::jni {

struct OptionField {
  const std::type_info* owner;
  const char* name;
  void* (*address)(void* options);
  // Null for text.
  int64_t (*get)(const void* field);
  void (*set)(void* field, int64_t value);
};

// Sets of constants, which are a bit each.
template <class T>
inline constexpr bool kIsEnumSet = false;
template <class E, E kLast>
inline constexpr bool kIsEnumSet<SmallEnumSet<E, kLast>> =
    static_cast<int>(kLast) < 63;

// Numbers that may be missing, which are -1 then: no size is as large.
template <class T>
inline constexpr bool kIsOptional = std::is_same_v<T, std::optional<size_t>>;

// Java's number for a value, and back.
template <class T>
int64_t NumberOf(const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<int64_t>(value);
  } else if constexpr (std::is_same_v<T, CompressionType>) {
    // Java's bytes have a sign.
    return value == kDisableCompressionOption ? 127 : value;
  } else if constexpr (std::is_same_v<T, std::chrono::microseconds>) {
    return value.count();
  } else if constexpr (kIsEnumSet<T>) {
    int64_t bits = 0;
    for (const auto each : value) bits |= int64_t{1} << static_cast<int>(each);
    return bits;
  } else if constexpr (kIsOptional<T>) {
    return value ? static_cast<int64_t>(*value) : -1;
  } else {
    return static_cast<int64_t>(value);
  }
}

template <class T>
void SetNumber(T* field, int64_t value) {
  if constexpr (std::is_same_v<T, double>) {
    *field = std::bit_cast<double>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    *field = value != 0;
  } else if constexpr (std::is_same_v<T, CompressionType>) {
    *field = value == 127 ? kDisableCompressionOption
                          : static_cast<CompressionType>(value);
  } else if constexpr (std::is_same_v<T, std::chrono::microseconds>) {
    *field = std::chrono::microseconds(value);
  } else if constexpr (kIsEnumSet<T>) {
    T given;
    for (const auto each : T::All()) {
      if ((value >> static_cast<int>(each) & 1) != 0) given.Add(each);
    }
    *field = given;
  } else if constexpr (kIsOptional<T>) {
    field->reset();
    if (value != -1) *field = static_cast<size_t>(value);
  } else {
    *field = static_cast<T>(value);
  }
}

template <class T>
constexpr OptionField FieldOf(const std::type_info* owner, const char* name,
                              void* (*address)(void*)) {
  if constexpr (std::is_same_v<T, std::string>) {
    return {owner, name, address, nullptr, nullptr};
  } else {
    return {owner, name, address,
            [](const void* field) {
              return NumberOf(*static_cast<const T*>(field));
            },
            [](void* field, int64_t value) {
              SetNumber(static_cast<T*>(field), value);
            }};
  }
}

#define FIELD(owner, name)                                             \
  FieldOf<std::remove_cvref_t<decltype(std::declval<owner&>().name)>>( \
      &typeid(owner), #name, [](void* options) -> void* {              \
        return &static_cast<owner*>(options)->name;                    \
      })

// Null for a number that no field has.
const OptionField* FieldNumbered(size_t number);

}  // namespace ROCKSDB_NAMESPACE::jni
