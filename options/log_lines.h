// How LOG tells the values of options, line by line, in RocksDB's form.
//
// OPTIONS files have another form, which can be read back (options/print.h). In
// LOG a flag is 0 or 1, an enumeration its number, an object its name or its
// address, and each member of a struct or list has a line of its own.
//
// Threads  Pure functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "options/enum_names.h"
#include "options/option_row.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/info_log.h"
#include "rocksdb/options.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

struct OptionLine {
  std::string name;
  std::string value;
};
using OptionLines = std::vector<OptionLine>;

// All options of `object`, in the order of RocksDB's LOG.
OptionLines TellOptions(const OptionStruct& options, const void* object);

// The lines, "Options.name: value", written to a log; the table format's own
// behind its name.
void LogDBOptions(const DBOptions& options, InfoLogLevel level, Logger* logger);
void LogColumnFamilyOptions(const ColumnFamilyOptions& options,
                            InfoLogLevel level, Logger* logger);

// "  name: value\n" for each, as LOG tells the options of table formats.
std::string TellOptionsAsText(const OptionStruct& options, const void* object);

// "Snappy"; "Disabled" for the option that says "as elsewhere".
std::string CodecInLog(CompressionType type);

// Specialised with `static const OptionStruct& Get()` for structs with rows.
template <class T>
struct StructOf;

template <class T>
concept HasRows = requires { StructOf<T>::Get(); };

// An object that has a name and can be made from it.
template <class T>
concept NamedObject = requires { T::Type(); };

template <class T>
concept PointerField =
    (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) ||
    requires { typename T::element_type; };

template <class T>
concept NamedField = PointerField<T> && requires {
  requires NamedObject<
      std::remove_cv_t<typename std::pointer_traits<T>::element_type>>;
};

template <class T>
concept ListField = requires(const T& value) {
  requires std::same_as<T, std::vector<typename T::value_type>>;
};

template <PointerField T>
std::string AddressInLog(const T& field) {
  return StringPrintf("%p", static_cast<const void*>(std::to_address(field)));
}

template <NamedField T>
std::string NameInLog(const T& field, const char* null) {
  return field == nullptr ? null : field->Name();
}

// --- How the kinds of fields are told ---------------------------------------

template <class T>
void TellValue(const std::string& name, const void* field, OptionLines* lines) {
  const T& value = *static_cast<const T*>(field);
  if constexpr (HasRows<T>) {
    for (OptionLine& line : TellOptions(StructOf<T>::Get(), field)) {
      line.name = name + "." + line.name;
      lines->push_back(std::move(line));
    }
  } else if constexpr (ListField<T>) {
    for (size_t i = 0; i < value.size(); ++i) {
      TellValue<typename T::value_type>(name + "[" + std::to_string(i) + "]",
                                        &value[i], lines);
    }
  } else if constexpr (std::same_as<T, bool>) {
    lines->push_back({name, value ? "1" : "0"});
  } else if constexpr (std::same_as<T, CompressionType>) {
    lines->push_back({name, CodecInLog(value)});
  } else if constexpr (std::is_enum_v<T>) {
    lines->push_back({name, std::to_string(static_cast<int64_t>(value))});
  } else if constexpr (std::is_arithmetic_v<T>) {
    lines->push_back({name, std::to_string(value)});
  } else if constexpr (std::same_as<T, std::string>) {
    lines->push_back({name, value});
  } else if constexpr (NamedField<T>) {
    lines->push_back({name, NameInLog(value, "None")});
  } else if constexpr (PointerField<T>) {
    lines->push_back({name, AddressInLog(value)});
  } else if constexpr (requires { value == nullptr; }) {
    lines->push_back({name, value == nullptr ? "None" : "set"});
  } else if constexpr (requires { value.empty(); }) {
    lines->push_back({name, value.empty() ? "None" : "set"});
  }
}

// --- How some rows are told -------------------------------------------------

inline void TellInWords(const std::string& name, const void* flag,
                        OptionLines* lines) {
  const bool value = *static_cast<const bool*>(flag);
  lines->push_back({name, value ? "true" : "false"});
}

template <class E>
void TellEnumName(const std::string& name, const void* value,
                  OptionLines* lines) {
  lines->push_back(
      {name, std::string(NameOfEnum(*static_cast<const E*>(value)))});
}

template <class E>
void TellEnumNumber(const std::string& name, const void* value,
                    OptionLines* lines) {
  lines->push_back(
      {name, std::to_string(static_cast<int>(*static_cast<const E*>(value)))});
}

template <PointerField T>
void TellAddress(const std::string& name, const void* field,
                 OptionLines* lines) {
  lines->push_back({name, AddressInLog(*static_cast<const T*>(field))});
}

// "nullptr" where there is no object.
template <NamedField T>
void TellNameOrNull(const std::string& name, const void* field,
                    OptionLines* lines) {
  lines->push_back({name, NameInLog(*static_cast<const T*>(field), "nullptr")});
}

}  // namespace ROCKSDB_NAMESPACE
