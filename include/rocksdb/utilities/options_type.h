// Options of an application's own objects, described once: from text, to text,
// compared, prepared and checked.
//
//   struct MyOptions {
//     static const char* kName() { return "MyOptions"; }
//     int limit = 3;
//   };
//   const std::unordered_map<std::string, OptionTypeInfo> kMyOptions = {
//       {"limit", {offsetof(MyOptions, limit), OptionType::kInt}}};
//
//   class MyMerge : public MergeOperator {
//    public:
//     MyMerge() { RegisterOptions(&options_, &kMyOptions); }
//     ...
//     MyOptions options_;
//   };
//
// makes {id=MyMerge;limit=5} work, in option strings and OPTIONS files.
//
// Threads  Descriptions are immutable once they are in use.
// Errors   InvalidArgument names the option and the value that is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/configurable.h"
#include "rocksdb/convenience.h"
#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class OptionTypeInfo;
struct ColumnFamilyOptions;
struct DBOptions;

// What the bytes at an option's offset are.
enum class OptionType {
  kBoolean,
  kInt,
  kInt32T,
  kInt64T,
  kUInt,
  kUInt8T,
  kUInt32T,
  kUInt64T,
  kSizeT,
  kDouble,
  kAtomicInt,
  kString,
  kCompactionStyle,
  kCompactionPri,
  kCompressionType,
  kCompactionStopStyle,
  kChecksumType,
  kEncodingType,
  kEnv,
  kEnum,
  kStruct,
  kVector,
  kConfigurable,
  kCustomizable,
  // A string that is hexadecimal in text.
  kEncodedString,
  kTemperature,
  kArray,
  kStringMap,
  kUnknown,
};

enum class OptionVerificationType {
  kNormal,
  // Compared by what their text says: objects that two sides have made each for
  // itself. The second form takes null on both sides, the third on the side
  // that comes from a file.
  kByName,
  kByNameAllowNull,
  kByNameAllowFromNull,
  // Taken from text without effect; not written.
  kDeprecated,
  // Another name of an option; not written.
  kAlias,
};

enum class OptionTypeFlags : uint32_t {
  kNone = 0x00,
  kCompareDefault = 0x0,
  // From which ConfigOptions::SanityLevel on two values must be equal.
  kCompareNever = ConfigOptions::kSanityLevelNone,
  kCompareLoose = ConfigOptions::kSanityLevelLooselyCompatible,
  kCompareExact = ConfigOptions::kSanityLevelExactMatch,

  // May change while the object is in use.
  kMutable = 0x0100,
  // How an object is held.
  kRawPointer = 0x0200,
  kShared = 0x0400,
  kUnique = 0x0800,
  // Null is no error when objects are prepared.
  kAllowNull = 0x1000,
  kDontSerialize = 0x2000,
  kDontPrepare = 0x4000,
  // An object is written by its id alone.
  kStringNameOnly = 0x8000,
};

inline OptionTypeFlags operator|(const OptionTypeFlags& a,
                                 const OptionTypeFlags& b) {
  return static_cast<OptionTypeFlags>(static_cast<uint32_t>(a) |
                                      static_cast<uint32_t>(b));
}
inline OptionTypeFlags operator&(const OptionTypeFlags& a,
                                 const OptionTypeFlags& b) {
  return static_cast<OptionTypeFlags>(static_cast<uint32_t>(a) &
                                      static_cast<uint32_t>(b));
}

// False for a name that the map lacks.
template <typename T>
bool ParseEnum(const std::unordered_map<std::string, T>& type_map,
               const std::string& type, T* value) {
  const auto found = type_map.find(type);
  if (found == type_map.end()) return false;
  *value = found->second;
  return true;
}
// False for a value that the map lacks.
template <typename T>
bool SerializeEnum(const std::unordered_map<std::string, T>& type_map,
                   const T& type, std::string* value) {
  for (const auto& [name, candidate] : type_map) {
    if (candidate != type) continue;
    *value = name;
    return true;
  }
  return false;
}

// Lists, whose elements are joined by `separator`; one that has the separator
// in itself stands in braces. An array has exactly its elements.
template <typename T, size_t kSize>
Status ParseArray(const ConfigOptions& config_options,
                  const OptionTypeInfo& elem_info, char separator,
                  const std::string& name, const std::string& value,
                  std::array<T, kSize>* result);
template <typename T, size_t kSize>
Status SerializeArray(const ConfigOptions& config_options,
                      const OptionTypeInfo& elem_info, char separator,
                      const std::string& name, const std::array<T, kSize>& vec,
                      std::string* value);
template <typename T, size_t kSize>
bool ArraysAreEqual(const ConfigOptions& config_options,
                    const OptionTypeInfo& elem_info, const std::string& name,
                    const std::array<T, kSize>& array1,
                    const std::array<T, kSize>& array2, std::string* mismatch);
template <typename T>
Status ParseVector(const ConfigOptions& config_options,
                   const OptionTypeInfo& elem_info, char separator,
                   const std::string& name, const std::string& value,
                   std::vector<T>* result);
template <typename T>
Status SerializeVector(const ConfigOptions& config_options,
                       const OptionTypeInfo& elem_info, char separator,
                       const std::string& name, const std::vector<T>& vec,
                       std::string* value);
template <typename T>
bool VectorsAreEqual(const ConfigOptions& config_options,
                     const OptionTypeInfo& elem_info, const std::string& name,
                     const std::vector<T>& vec1, const std::vector<T>& vec2,
                     std::string* mismatch);

// What an option may do otherwise than its type does. The pointers are to the
// option itself.
using ParseFunc =
    std::function<Status(const ConfigOptions&, const std::string& name,
                         const std::string& value, void*)>;
using SerializeFunc =
    std::function<Status(const ConfigOptions&, const std::string& name,
                         const void*, std::string* value)>;
using EqualsFunc =
    std::function<bool(const ConfigOptions&, const std::string& name,
                       const void*, const void*, std::string* mismatch)>;
using PrepareFunc =
    std::function<Status(const ConfigOptions&, const std::string& name, void*)>;
using ValidateFunc =
    std::function<Status(const DBOptions&, const ColumnFamilyOptions&,
                         const std::string& name, const void*)>;

// One option: where it is in its struct, what it is, and what it may.
class OptionTypeInfo {
 public:
  OptionTypeInfo(
      int offset, OptionType type,
      OptionVerificationType verification = OptionVerificationType::kNormal,
      OptionTypeFlags flags = OptionTypeFlags::kNone,
      const ParseFunc& parse_func = {},
      const SerializeFunc& serialize_func = {},
      const EqualsFunc& equals_func = {})
      : offset_(offset),
        parse_func_(parse_func),
        serialize_func_(serialize_func),
        equals_func_(equals_func),
        type_(type),
        verification_(verification),
        flags_(flags) {}

  // An enumeration, by the names of the map, which must outlive it.
  template <typename T>
  static OptionTypeInfo Enum(
      int offset, const std::unordered_map<std::string, T>* const map,
      OptionTypeFlags flags = OptionTypeFlags::kNone,
      OptionVerificationType verification = OptionVerificationType::kNormal) {
    OptionTypeInfo info(offset, OptionType::kEnum, verification, flags);
    info.SetParseFunc([map](const ConfigOptions&, const std::string& name,
                            const std::string& value, void* addr) {
      if (map == nullptr) {
        return Status::NotSupported("No enum mapping ", name);
      }
      if (ParseEnum<T>(*map, value, static_cast<T*>(addr))) {
        return Status::OK();
      }
      return Status::InvalidArgument("No mapping for enum ", name);
    });
    info.SetSerializeFunc([map](const ConfigOptions&, const std::string& name,
                                const void* addr, std::string* value) {
      if (map == nullptr) {
        return Status::NotSupported("No enum mapping ", name);
      }
      if (SerializeEnum<T>(*map, *static_cast<const T*>(addr), value)) {
        return Status::OK();
      }
      return Status::InvalidArgument("No mapping for enum ", name);
    });
    info.SetEqualsFunc([](const ConfigOptions&, const std::string&,
                          const void* addr1, const void* addr2, std::string*) {
      return *static_cast<const T*>(addr1) == *static_cast<const T*>(addr2);
    });
    return info;
  }

  // A struct with options of its own: {a=1;b=2}, or one of them by name.a. The
  // map must outlive it; a struct with a `parse_func` may have none.
  static OptionTypeInfo Struct(
      const std::string& struct_name,
      const std::unordered_map<std::string, OptionTypeInfo>* struct_map,
      int offset, OptionVerificationType verification, OptionTypeFlags flags);
  static OptionTypeInfo Struct(
      const std::string& struct_name,
      const std::unordered_map<std::string, OptionTypeInfo>* struct_map,
      int offset, OptionVerificationType verification, OptionTypeFlags flags,
      const ParseFunc& parse_func);

  template <typename T, size_t kSize>
  static OptionTypeInfo Array(int _offset, OptionVerificationType _verification,
                              OptionTypeFlags _flags,
                              const OptionTypeInfo& elem_info,
                              char separator = ':') {
    OptionTypeInfo info(_offset, OptionType::kArray, _verification, _flags);
    using Elements = std::array<T, kSize>;
    info.SetParseFunc([elem_info, separator](
                          const ConfigOptions& opts, const std::string& name,
                          const std::string& value, void* addr) {
      return ParseArray<T, kSize>(opts, elem_info, separator, name, value,
                                  static_cast<Elements*>(addr));
    });
    info.has_escaped_parts_ = true;
    info.SetSerializeFunc([elem_info, separator](const ConfigOptions& opts,
                                                 const std::string& name,
                                                 const void* addr,
                                                 std::string* value) {
      return SerializeArray<T, kSize>(opts, elem_info, separator, name,
                                      *static_cast<const Elements*>(addr),
                                      value);
    });
    info.SetEqualsFunc([elem_info](const ConfigOptions& opts,
                                   const std::string& name, const void* addr1,
                                   const void* addr2, std::string* mismatch) {
      return ArraysAreEqual<T, kSize>(
          opts, elem_info, name, *static_cast<const Elements*>(addr1),
          *static_cast<const Elements*>(addr2), mismatch);
    });
    return info;
  }

  template <typename T>
  static OptionTypeInfo Vector(int _offset,
                               OptionVerificationType _verification,
                               OptionTypeFlags _flags,
                               const OptionTypeInfo& elem_info,
                               char separator = ':') {
    OptionTypeInfo info(_offset, OptionType::kVector, _verification, _flags);
    using Elements = std::vector<T>;
    info.SetParseFunc([elem_info, separator](
                          const ConfigOptions& opts, const std::string& name,
                          const std::string& value, void* addr) {
      return ParseVector<T>(opts, elem_info, separator, name, value,
                            static_cast<Elements*>(addr));
    });
    info.has_escaped_parts_ = true;
    info.SetSerializeFunc([elem_info, separator](const ConfigOptions& opts,
                                                 const std::string& name,
                                                 const void* addr,
                                                 std::string* value) {
      return SerializeVector<T>(opts, elem_info, separator, name,
                                *static_cast<const Elements*>(addr), value);
    });
    info.SetEqualsFunc([elem_info](const ConfigOptions& opts,
                                   const std::string& name, const void* addr1,
                                   const void* addr2, std::string* mismatch) {
      return VectorsAreEqual<T>(opts, elem_info, name,
                                *static_cast<const Elements*>(addr1),
                                *static_cast<const Elements*>(addr2), mismatch);
    });
    return info;
  }

  // A std::map<std::string, std::string>.
  static OptionTypeInfo StringMap(int _offset,
                                  OptionVerificationType _verification,
                                  OptionTypeFlags _flags,
                                  char kv_separator = '=',
                                  char item_separator = ';');

  // Objects that text makes by T::CreateFromString(): held by a
  // std::shared_ptr, a std::unique_ptr or a plain pointer.
  template <typename T>
  static OptionTypeInfo AsCustomSharedPtr(int offset,
                                          OptionVerificationType ovt,
                                          OptionTypeFlags flags) {
    OptionTypeInfo info(offset, OptionType::kCustomizable, ovt,
                        flags | OptionTypeFlags::kShared);
    return info.SetParseFunc([](const ConfigOptions& opts,
                                const std::string& name,
                                const std::string& value, void* addr) {
      auto* object = static_cast<std::shared_ptr<T>*>(addr);
      if (IsOptionOfObject(name) && object->get() != nullptr) {
        return (*object)->ConfigureOption(opts, name, value);
      }
      return T::CreateFromString(opts, value, object);
    });
  }
  template <typename T>
  static OptionTypeInfo AsCustomSharedPtr(int offset,
                                          OptionVerificationType ovt,
                                          OptionTypeFlags flags,
                                          const SerializeFunc& serialize_func,
                                          const EqualsFunc& equals_func) {
    OptionTypeInfo info = AsCustomSharedPtr<T>(offset, ovt, flags);
    info.SetSerializeFunc(serialize_func);
    return info.SetEqualsFunc(equals_func);
  }
  template <typename T>
  static OptionTypeInfo AsCustomUniquePtr(int offset,
                                          OptionVerificationType ovt,
                                          OptionTypeFlags flags) {
    OptionTypeInfo info(offset, OptionType::kCustomizable, ovt,
                        flags | OptionTypeFlags::kUnique);
    return info.SetParseFunc([](const ConfigOptions& opts,
                                const std::string& name,
                                const std::string& value, void* addr) {
      auto* object = static_cast<std::unique_ptr<T>*>(addr);
      if (IsOptionOfObject(name) && object->get() != nullptr) {
        return (*object)->ConfigureOption(opts, name, value);
      }
      return T::CreateFromString(opts, value, object);
    });
  }
  template <typename T>
  static OptionTypeInfo AsCustomUniquePtr(int offset,
                                          OptionVerificationType ovt,
                                          OptionTypeFlags flags,
                                          const SerializeFunc& serialize_func,
                                          const EqualsFunc& equals_func) {
    OptionTypeInfo info = AsCustomUniquePtr<T>(offset, ovt, flags);
    info.SetSerializeFunc(serialize_func);
    return info.SetEqualsFunc(equals_func);
  }
  template <typename T>
  static OptionTypeInfo AsCustomRawPtr(int offset, OptionVerificationType ovt,
                                       OptionTypeFlags flags) {
    OptionTypeInfo info(offset, OptionType::kCustomizable, ovt,
                        flags | OptionTypeFlags::kRawPointer);
    return info.SetParseFunc([](const ConfigOptions& opts,
                                const std::string& name,
                                const std::string& value, void* addr) {
      T** object = static_cast<T**>(addr);
      if (IsOptionOfObject(name) && *object != nullptr) {
        return (*object)->ConfigureOption(opts, name, value);
      }
      return T::CreateFromString(opts, value, object);
    });
  }
  template <typename T>
  static OptionTypeInfo AsCustomRawPtr(int offset, OptionVerificationType ovt,
                                       OptionTypeFlags flags,
                                       const SerializeFunc& serialize_func,
                                       const EqualsFunc& equals_func) {
    OptionTypeInfo info = AsCustomRawPtr<T>(offset, ovt, flags);
    info.SetSerializeFunc(serialize_func);
    return info.SetEqualsFunc(equals_func);
  }

  OptionTypeInfo& SetParseFunc(const ParseFunc& f) {
    parse_func_ = f;
    has_escaped_parts_ = false;
    return *this;
  }
  OptionTypeInfo& SetSerializeFunc(const SerializeFunc& f) {
    serialize_func_ = f;
    return *this;
  }
  OptionTypeInfo& SetEqualsFunc(const EqualsFunc& f) {
    equals_func_ = f;
    return *this;
  }
  OptionTypeInfo& SetPrepareFunc(const PrepareFunc& f) {
    prepare_func_ = f;
    return *this;
  }
  OptionTypeInfo& SetValidateFunc(const ValidateFunc& f) {
    validate_func_ = f;
    return *this;
  }

  OptionTypeFlags GetFlags() const { return flags_; }
  void SetFlags(OptionTypeFlags flags) { flags_ = flags; }
  bool IsEnabled(OptionTypeFlags otf) const { return (flags_ & otf) == otf; }
  bool IsEditable(const ConfigOptions& opts) const {
    return !opts.mutable_options_only || IsMutable();
  }
  bool IsMutable() const { return IsEnabled(OptionTypeFlags::kMutable); }
  bool IsDeprecated() const {
    return IsEnabled(OptionVerificationType::kDeprecated);
  }
  bool IsAlias() const { return IsEnabled(OptionVerificationType::kAlias); }
  bool IsEnabled(OptionVerificationType ovf) const {
    return verification_ == ovf;
  }
  // From which level on values must be equal.
  ConfigOptions::SanityLevel GetSanityLevel() const;

  bool ShouldSerialize() const {
    return !IsDeprecated() && !IsAlias() &&
           !IsEnabled(OptionTypeFlags::kDontSerialize);
  }
  bool ShouldPrepare() const {
    return !IsDeprecated() && !IsAlias() &&
           !IsEnabled(OptionTypeFlags::kDontPrepare) &&
           (prepare_func_ || IsConfigurable());
  }
  bool ShouldValidate() const {
    return !IsDeprecated() && !IsAlias() &&
           !IsEnabled(OptionTypeFlags::kDontPrepare) &&
           (validate_func_ || IsConfigurable());
  }
  bool CanBeNull() const {
    return IsEnabled(OptionTypeFlags::kAllowNull) ||
           IsEnabled(OptionVerificationType::kByNameAllowNull) ||
           IsEnabled(OptionVerificationType::kByNameAllowFromNull);
  }
  bool IsSharedPtr() const { return IsEnabled(OptionTypeFlags::kShared); }
  bool IsUniquePtr() const { return IsEnabled(OptionTypeFlags::kUnique); }
  bool IsRawPtr() const { return IsEnabled(OptionTypeFlags::kRawPointer); }
  bool IsByName() const {
    return verification_ == OptionVerificationType::kByName ||
           verification_ == OptionVerificationType::kByNameAllowNull ||
           verification_ == OptionVerificationType::kByNameAllowFromNull;
  }
  bool IsStruct() const { return type_ == OptionType::kStruct; }
  bool IsConfigurable() const {
    return type_ == OptionType::kConfigurable ||
           type_ == OptionType::kCustomizable;
  }
  bool IsCustomizable() const { return type_ == OptionType::kCustomizable; }
  OptionType GetType() const { return type_; }

  // The option of the struct at `base`.
  const void* GetOffset(const void* base) const {
    return static_cast<const char*>(base) + offset_;
  }
  void* GetOffset(void* base) const {
    return static_cast<char*>(base) + offset_;
  }
  template <typename T>
  const T* GetOffsetAs(const void* base) const {
    return static_cast<const T*>(GetOffset(base));
  }
  template <typename T>
  T* GetOffsetAs(void* base) const {
    return static_cast<T*>(GetOffset(base));
  }
  // The object that it is, or holds in the way of its flags; may be null.
  template <typename T>
  const T* AsRawPointer(const void* const base) const {
    if (base == nullptr) return nullptr;
    if (IsRawPtr()) return *GetOffsetAs<T*>(base);
    if (IsSharedPtr()) return GetOffsetAs<std::shared_ptr<T>>(base)->get();
    if (IsUniquePtr()) return GetOffsetAs<std::unique_ptr<T>>(base)->get();
    return GetOffsetAs<T>(base);
  }
  template <typename T>
  T* AsRawPointer(void* base) const {
    return const_cast<T*>(AsRawPointer<T>(static_cast<const void*>(base)));
  }

  // Each of the struct at the pointers.
  Status Parse(const ConfigOptions& config_options, const std::string& opt_name,
               const std::string& opt_value, void* const opt_ptr) const;
  Status Serialize(const ConfigOptions& config_options,
                   const std::string& opt_name, const void* const opt_ptr,
                   std::string* opt_value) const;
  // True too where config_options.sanity_level does not look at it.
  bool AreEqual(const ConfigOptions& config_options,
                const std::string& opt_name, const void* const addr1,
                const void* const addr2, std::string* mismatch) const;
  // By what their text says.
  bool AreEqualByName(const ConfigOptions& config_options,
                      const std::string& opt_name, const void* const this_ptr,
                      const void* const that_ptr) const;
  bool AreEqualByName(const ConfigOptions& config_options,
                      const std::string& opt_name, const void* const this_ptr,
                      const std::string& that_value) const;
  // NotFound where an object is missing that may not be.
  Status Prepare(const ConfigOptions& config_options, const std::string& name,
                 void* opt_ptr) const;
  Status Validate(const DBOptions& db_opts, const ColumnFamilyOptions& cf_opts,
                  const std::string& name, const void* opt_ptr) const;

  // All options of a map. Names that it lacks go to *unused, or are an error
  // where that is null.
  static Status ParseType(
      const ConfigOptions& config_options, const std::string& opts_str,
      const std::unordered_map<std::string, OptionTypeInfo>& type_map,
      void* opt_addr,
      std::unordered_map<std::string, std::string>* unused = nullptr);
  static Status ParseType(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& opts_map,
      const std::unordered_map<std::string, OptionTypeInfo>& type_map,
      void* opt_addr,
      std::unordered_map<std::string, std::string>* unused = nullptr);
  // `opt_name` is the struct's, or struct.option, or the option alone.
  static Status ParseStruct(
      const ConfigOptions& config_options, const std::string& struct_name,
      const std::unordered_map<std::string, OptionTypeInfo>* map,
      const std::string& opt_name, const std::string& value, void* opt_addr);
  static Status SerializeType(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, OptionTypeInfo>& type_map,
      const void* opt_addr, std::string* value);
  static Status SerializeStruct(
      const ConfigOptions& config_options, const std::string& struct_name,
      const std::unordered_map<std::string, OptionTypeInfo>* map,
      const std::string& opt_name, const void* opt_addr, std::string* value);
  static bool TypesAreEqual(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, OptionTypeInfo>& map,
      const void* this_addr, const void* that_addr, std::string* mismatch);
  static bool StructsAreEqual(
      const ConfigOptions& config_options, const std::string& struct_name,
      const std::unordered_map<std::string, OptionTypeInfo>* map,
      const std::string& opt_name, const void* this_offset,
      const void* that_offset, std::string* mismatch);

  // The option of that name, or of the part of it before a dot if that is a
  // struct or an object; *elem_name is what it is to be asked for. Null: none.
  static const OptionTypeInfo* Find(
      const std::string& opt_name,
      const std::unordered_map<std::string, OptionTypeInfo>& opt_map,
      std::string* elem_name);

  // The text from `start` to the next delimiter, without blanks and outer
  // braces; delimiters inside of braces do not count. *end is where the
  // delimiter is, or npos.
  static Status NextToken(const std::string& opts, char delimiter, size_t start,
                          size_t* end, std::string* token);
  // Without the braces that enclose all of it, if they do.
  static std::string StripOuterBraces(const std::string& value);

  static const char* kIdPropName() { return "id"; }
  static const char* kIdPropSuffix() { return ".id"; }

 private:
  // A name behind a dot is an option of the object, not a new object.
  static bool IsOptionOfObject(const std::string& name);

  int offset_;
  ParseFunc parse_func_;
  // Its text is made of texts that are escaped each for itself.
  bool has_escaped_parts_ = false;
  SerializeFunc serialize_func_;
  EqualsFunc equals_func_;
  PrepareFunc prepare_func_;
  ValidateFunc validate_func_;
  OptionType type_;
  OptionVerificationType verification_;
  OptionTypeFlags flags_;
};

template <typename T, size_t kSize>
Status ParseArray(const ConfigOptions& config_options,
                  const OptionTypeInfo& elem_info, char separator,
                  const std::string& name, const std::string& value,
                  std::array<T, kSize>* result) {
  std::vector<T> elements;
  Status s = ParseVector<T>(config_options, elem_info, separator, name, value,
                            &elements);
  if (!s.ok()) return s;
  if (elements.size() != kSize) {
    return Status::InvalidArgument(
        "another number of elements than " + std::to_string(kSize), name);
  }
  for (size_t i = 0; i < kSize; ++i) (*result)[i] = std::move(elements[i]);
  return s;
}

template <typename T, size_t kSize>
Status SerializeArray(const ConfigOptions& config_options,
                      const OptionTypeInfo& elem_info, char separator,
                      const std::string& name, const std::array<T, kSize>& vec,
                      std::string* value) {
  return SerializeVector<T>(config_options, elem_info, separator, name,
                            std::vector<T>(vec.begin(), vec.end()), value);
}

template <typename T, size_t kSize>
bool ArraysAreEqual(const ConfigOptions& config_options,
                    const OptionTypeInfo& elem_info, const std::string& name,
                    const std::array<T, kSize>& array1,
                    const std::array<T, kSize>& array2, std::string* mismatch) {
  for (size_t i = 0; i < kSize; ++i) {
    if (!elem_info.AreEqual(config_options, name, &array1[i], &array2[i],
                            mismatch)) {
      return false;
    }
  }
  return true;
}

template <typename T>
Status ParseVector(const ConfigOptions& config_options,
                   const OptionTypeInfo& elem_info, char separator,
                   const std::string& name, const std::string& value,
                   std::vector<T>* result) {
  std::vector<T> elements;
  size_t end = 0;
  for (size_t start = 0; start < value.size() && end != std::string::npos;
       start = end + 1) {
    std::string token;
    Status s = OptionTypeInfo::NextToken(value, separator, start, &end, &token);
    T element;
    if (s.ok()) s = elem_info.Parse(config_options, name, token, &element);
    // An object that is passed over leaves no element.
    if (s.IsNotSupported() && config_options.ignore_unsupported_options) {
      continue;
    }
    if (!s.ok()) return s;
    elements.emplace_back(std::move(element));
  }
  *result = std::move(elements);
  return Status::OK();
}

template <typename T>
Status SerializeVector(const ConfigOptions& config_options,
                       const OptionTypeInfo& elem_info, char separator,
                       const std::string& name, const std::vector<T>& vec,
                       std::string* value) {
  std::string text;
  ConfigOptions embedded = config_options;
  embedded.delimiter = ";";
  bool is_first = true;
  for (const T& element : vec) {
    std::string part;
    Status s = elem_info.Serialize(embedded, name, &element, &part);
    if (!s.ok()) return s;
    if (!is_first) text += separator;
    is_first = false;
    const bool is_enclosed = part.find(separator) != std::string::npos ||
                             part.find('=') != std::string::npos;
    text += is_enclosed && part.front() != '{' ? "{" + part + "}" : part;
  }
  *value = std::move(text);
  return Status::OK();
}

template <typename T>
bool VectorsAreEqual(const ConfigOptions& config_options,
                     const OptionTypeInfo& elem_info, const std::string& name,
                     const std::vector<T>& vec1, const std::vector<T>& vec2,
                     std::string* mismatch) {
  if (vec1.size() != vec2.size()) {
    *mismatch = name;
    return false;
  }
  for (size_t i = 0; i < vec1.size(); ++i) {
    if (!elem_info.AreEqual(config_options, name, &vec1[i], &vec2[i],
                            mismatch)) {
      return false;
    }
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
