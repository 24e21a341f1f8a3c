// OptionTypeInfo: options that an application describes, by what the engine's
// own rows do with values of each type.
#include <atomic>
#include <map>
#include <utility>
#include <vector>

#include "options/builtin_objects.h"
#include "options/object_kinds.h"
#include "options/option_kinds.h"
#include "options/text.h"
#include "rocksdb/advanced_options.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_type.h"
#include "util/registered_option_calls.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The text of a value of C++ type T.
template <class T>
struct TypedOption {
  static Status Parse(const ConfigOptions& config, const std::string& text,
                      void* address) {
    return ValueText<T>::Parse(config, text, static_cast<T*>(address));
  }
  static void Print(const ConfigOptions& config, const void* address,
                    std::string* text) {
    ValueText<T>::Print(config, *static_cast<const T*>(address), text);
  }
  static bool Equal(const void* a, const void* b) {
    return *static_cast<const T*>(a) == *static_cast<const T*>(b);
  }
};

template <>
struct TypedOption<std::atomic<int>> {
  static Status Parse(const ConfigOptions& config, const std::string& text,
                      void* address) {
    int value = 0;
    Status s = ValueText<int>::Parse(config, text, &value);
    if (s.ok()) static_cast<std::atomic<int>*>(address)->store(value);
    return s;
  }
  static void Print(const ConfigOptions& config, const void* address,
                    std::string* text) {
    ValueText<int>::Print(
        config, static_cast<const std::atomic<int>*>(address)->load(), text);
  }
  static bool Equal(const void* a, const void* b) {
    return static_cast<const std::atomic<int>*>(a)->load() ==
           static_cast<const std::atomic<int>*>(b)->load();
  }
};

// A string as it is, escapes aside.
struct PlainText {
  static Status Parse(const ConfigOptions&, const std::string& text,
                      void* address) {
    *static_cast<std::string*>(address) = text;
    return Status::OK();
  }
  static void Print(const ConfigOptions&, const void* address,
                    std::string* text) {
    *text += EscapeOptionString(*static_cast<const std::string*>(address));
  }
  static bool Equal(const void* a, const void* b) {
    return TypedOption<std::string>::Equal(a, b);
  }
};

struct HexText {
  static Status Parse(const ConfigOptions&, const std::string& text,
                      void* address) {
    std::string bytes;
    if (!Slice(text).DecodeHex(&bytes)) {
      return Status::InvalidArgument("not hexadecimal");
    }
    *static_cast<std::string*>(address) = std::move(bytes);
    return Status::OK();
  }
  static void Print(const ConfigOptions&, const void* address,
                    std::string* text) {
    *text += ToHex(*static_cast<const std::string*>(address));
  }
  static bool Equal(const void* a, const void* b) {
    return TypedOption<std::string>::Equal(a, b);
  }
};

// What to do with the bytes of a type; null: it is for functions alone.
struct TypeCalls {
  Status (*parse)(const ConfigOptions&, const std::string&, void*);
  void (*print)(const ConfigOptions&, const void*, std::string*);
  bool (*equal)(const void*, const void*);
};

template <class Calls>
const TypeCalls* CallsOf() {
  static constexpr TypeCalls kCalls{&Calls::Parse, &Calls::Print,
                                    &Calls::Equal};
  return &kCalls;
}

const TypeCalls* CallsOf(OptionType type) {
  switch (type) {
    case OptionType::kBoolean:
      return CallsOf<TypedOption<bool>>();
    case OptionType::kInt:
      return CallsOf<TypedOption<int>>();
    case OptionType::kInt32T:
      return CallsOf<TypedOption<int32_t>>();
    case OptionType::kInt64T:
      return CallsOf<TypedOption<int64_t>>();
    case OptionType::kUInt:
      return CallsOf<TypedOption<unsigned int>>();
    case OptionType::kUInt8T:
      return CallsOf<TypedOption<uint8_t>>();
    case OptionType::kUInt32T:
      return CallsOf<TypedOption<uint32_t>>();
    case OptionType::kUInt64T:
      return CallsOf<TypedOption<uint64_t>>();
    case OptionType::kSizeT:
      return CallsOf<TypedOption<size_t>>();
    case OptionType::kDouble:
      return CallsOf<TypedOption<double>>();
    case OptionType::kAtomicInt:
      return CallsOf<TypedOption<std::atomic<int>>>();
    case OptionType::kString:
      return CallsOf<PlainText>();
    case OptionType::kEncodedString:
      return CallsOf<HexText>();
    case OptionType::kCompactionStyle:
      return CallsOf<TypedOption<CompactionStyle>>();
    case OptionType::kCompactionPri:
      return CallsOf<TypedOption<CompactionPri>>();
    case OptionType::kCompressionType:
      return CallsOf<TypedOption<CompressionType>>();
    case OptionType::kCompactionStopStyle:
      return CallsOf<TypedOption<CompactionStopStyle>>();
    case OptionType::kChecksumType:
      return CallsOf<TypedOption<ChecksumType>>();
    case OptionType::kEncodingType:
      return CallsOf<TypedOption<EncodingType>>();
    case OptionType::kTemperature:
      return CallsOf<TypedOption<Temperature>>();
    default:
      return nullptr;
  }
}

// Names the option in an error that does not.
Status AboutOption(Status s, const std::string& name,
                   const std::string& value) {
  if (s.ok() || !s.IsInvalidArgument()) return s;
  return Status::CopyAppendMessage(s, ": ", name + "=" + value);
}

// Text that has others in it, or begins with one in braces, stands in braces:
// its own, if it is not to be read as it stands (`is_plain`).
std::string Enclosed(const std::string& value, bool is_plain) {
  const bool has_parts =
      value.find_first_of("=;") != std::string::npos || value.starts_with('{');
  const bool is_enclosed =
      !is_plain && StripBraces(value).size() != value.size();
  return has_parts && !is_enclosed ? "{" + value + "}" : value;
}

using TypeMap = std::unordered_map<std::string, OptionTypeInfo>;

bool IsNullOptionText(const std::string& text) {
  return text.empty() || text == "nullptr";
}

}  // namespace

// --- One option --------------------------------------------------------------

bool OptionTypeInfo::IsOptionOfObject(const std::string& name) {
  const std::string suffix = kIdPropSuffix();
  return name.find('.') != std::string::npos && !EndsWith(name, suffix);
}

ConfigOptions::SanityLevel OptionTypeInfo::GetSanityLevel() const {
  if (IsDeprecated() || IsAlias()) return ConfigOptions::kSanityLevelNone;
  const auto bits =
      static_cast<uint32_t>(flags_ & OptionTypeFlags::kCompareExact);
  return bits == 0 ? ConfigOptions::kSanityLevelExactMatch
                   : static_cast<ConfigOptions::SanityLevel>(bits);
}

Status OptionTypeInfo::Parse(const ConfigOptions& config_options,
                             const std::string& opt_name,
                             const std::string& opt_value,
                             void* const opt_ptr) const {
  if (IsDeprecated()) return Status::OK();
  if (opt_ptr == nullptr) {
    return Status::NotFound("Could not find option", opt_name);
  }
  const bool is_escaped =
      config_options.input_strings_escaped && !has_escaped_parts_;
  const std::string value =
      is_escaped ? UnescapeOptionString(opt_value) : opt_value;
  void* const address = GetOffset(opt_ptr);
  if (parse_func_) {
    return AboutOption(parse_func_(config_options, opt_name, value, address),
                       opt_name, value);
  }
  if (const TypeCalls* calls = CallsOf(type_)) {
    return AboutOption(calls->parse(config_options, value, address), opt_name,
                       value);
  }
  if (!IsConfigurable()) {
    return Status::InvalidArgument("Error parsing", opt_name);
  }
  auto* const object = AsRawPointer<Configurable>(opt_ptr);
  if (value.empty()) return Status::OK();
  if (object == nullptr) {
    return Status::NotFound("Could not find configurable", opt_name);
  }
  const size_t dot = opt_name.rfind('.');
  return IsOptionOfObject(opt_name)
             ? object->ConfigureOption(config_options, opt_name.substr(dot + 1),
                                       value)
             : object->ConfigureFromString(config_options, value);
}

Status OptionTypeInfo::Serialize(const ConfigOptions& config_options,
                                 const std::string& opt_name,
                                 const void* const opt_ptr,
                                 std::string* opt_value) const {
  opt_value->clear();
  if (opt_ptr == nullptr || !ShouldSerialize()) return Status::OK();
  const void* const address = GetOffset(opt_ptr);
  if (serialize_func_) {
    return serialize_func_(config_options, opt_name, address, opt_value);
  }
  if (const TypeCalls* calls = CallsOf(type_)) {
    calls->print(config_options, address, opt_value);
    return Status::OK();
  }
  if (IsCustomizable()) {
    const auto* object = AsRawPointer<Customizable>(opt_ptr);
    ConfigOptions inner = config_options;
    if (IsEnabled(OptionTypeFlags::kStringNameOnly) && !inner.IsDetailed()) {
      inner.depth = ConfigOptions::kDepthShallow;
    }
    *opt_value = EscapeObjectText(PrintObject(inner, object));
    return Status::OK();
  }
  if (IsConfigurable()) {
    const auto* object = AsRawPointer<Configurable>(opt_ptr);
    if (object == nullptr) return Status::OK();
    ConfigOptions inner = config_options;
    inner.delimiter = ";";
    Status s = object->GetOptionString(inner, opt_value);
    if (s.ok()) *opt_value = EscapeObjectText(*opt_value);
    return s;
  }
  return Status::InvalidArgument("Cannot serialize option", opt_name);
}

bool OptionTypeInfo::AreEqual(const ConfigOptions& config_options,
                              const std::string& opt_name,
                              const void* const addr1, const void* const addr2,
                              std::string* mismatch) const {
  if (!config_options.IsCheckEnabled(GetSanityLevel())) return true;
  if (addr1 == nullptr || addr2 == nullptr) {
    if (addr1 == addr2) return true;
    *mismatch = opt_name;
    return false;
  }
  const void* const a = GetOffset(addr1);
  const void* const b = GetOffset(addr2);
  bool is_equal = false;
  if (equals_func_) {
    is_equal = equals_func_(config_options, opt_name, a, b, mismatch);
    if (!is_equal && mismatch->empty()) *mismatch = opt_name;
    return is_equal;
  }
  if (const TypeCalls* calls = CallsOf(type_)) {
    is_equal = calls->equal(a, b);
  } else if (IsByName()) {
    is_equal = AreEqualByName(config_options, opt_name, addr1, addr2);
  } else if (IsConfigurable()) {
    const auto* first = AsRawPointer<Configurable>(addr1);
    const auto* second = AsRawPointer<Configurable>(addr2);
    if (first == nullptr || second == nullptr) {
      is_equal = first == second;
    } else {
      std::string inner;
      is_equal = first->AreEquivalent(config_options, second, &inner);
      if (!is_equal && !inner.empty()) {
        *mismatch = opt_name + "." + inner;
        return false;
      }
    }
  }
  if (!is_equal) *mismatch = opt_name;
  return is_equal;
}

bool OptionTypeInfo::AreEqualByName(const ConfigOptions& config_options,
                                    const std::string& opt_name,
                                    const void* const this_ptr,
                                    const void* const that_ptr) const {
  std::string that_value;
  return IsByName() &&
         Serialize(config_options, opt_name, that_ptr, &that_value).ok() &&
         AreEqualByName(config_options, opt_name, this_ptr, that_value);
}

bool OptionTypeInfo::AreEqualByName(const ConfigOptions& config_options,
                                    const std::string& opt_name,
                                    const void* const this_ptr,
                                    const std::string& that_value) const {
  std::string this_value;
  if (!IsByName() ||
      !Serialize(config_options, opt_name, this_ptr, &this_value).ok()) {
    return false;
  }
  if (IsEnabled(OptionVerificationType::kByNameAllowFromNull) &&
      IsNullOptionText(that_value)) {
    return true;
  }
  if (IsEnabled(OptionVerificationType::kByNameAllowNull) &&
      (IsNullOptionText(that_value) || IsNullOptionText(this_value))) {
    return true;
  }
  return this_value == that_value;
}

Status OptionTypeInfo::Prepare(const ConfigOptions& config_options,
                               const std::string& name, void* opt_ptr) const {
  if (!ShouldPrepare()) return Status::OK();
  if (prepare_func_) {
    return prepare_func_(config_options, name, GetOffset(opt_ptr));
  }
  auto* const object = AsRawPointer<Configurable>(opt_ptr);
  if (object != nullptr) return object->PrepareOptions(config_options);
  return CanBeNull() ? Status::OK() : MissingObject(name);
}

Status OptionTypeInfo::Validate(const DBOptions& db_opts,
                                const ColumnFamilyOptions& cf_opts,
                                const std::string& name,
                                const void* opt_ptr) const {
  if (!ShouldValidate()) return Status::OK();
  if (validate_func_) {
    return validate_func_(db_opts, cf_opts, name, GetOffset(opt_ptr));
  }
  const auto* object = AsRawPointer<Configurable>(opt_ptr);
  if (object != nullptr) return object->ValidateOptions(db_opts, cf_opts);
  return CanBeNull() ? Status::OK() : MissingObject(name);
}

// --- Structs -----------------------------------------------------------------

OptionTypeInfo OptionTypeInfo::Struct(const std::string& struct_name,
                                      const TypeMap* struct_map, int offset,
                                      OptionVerificationType verification,
                                      OptionTypeFlags flags) {
  OptionTypeInfo info = Struct(
      struct_name, struct_map, offset, verification, flags,
      [struct_name, struct_map](const ConfigOptions& opts,
                                const std::string& name,
                                const std::string& value, void* addr) {
        return ParseStruct(opts, struct_name, struct_map, name, value, addr);
      });
  info.has_escaped_parts_ = true;
  return info;
}

OptionTypeInfo OptionTypeInfo::Struct(const std::string& struct_name,
                                      const TypeMap* struct_map, int offset,
                                      OptionVerificationType verification,
                                      OptionTypeFlags flags,
                                      const ParseFunc& parse_func) {
  OptionTypeInfo info(offset, OptionType::kStruct, verification, flags,
                      parse_func);
  if (struct_map == nullptr) return info;
  info.SetSerializeFunc([struct_name, struct_map](
                            const ConfigOptions& opts, const std::string& name,
                            const void* addr, std::string* value) {
    return SerializeStruct(opts, struct_name, struct_map, name, addr, value);
  });
  info.SetEqualsFunc(
      [struct_name, struct_map](const ConfigOptions& opts,
                                const std::string& name, const void* addr1,
                                const void* addr2, std::string* mismatch) {
        return StructsAreEqual(opts, struct_name, struct_map, name, addr1,
                               addr2, mismatch);
      });
  return info;
}

namespace {

using Strings = std::map<std::string, std::string>;

bool EqualStrings(const ConfigOptions&, const std::string&, const void* addr1,
                  const void* addr2, std::string*) {
  return *static_cast<const Strings*>(addr1) ==
         *static_cast<const Strings*>(addr2);
}

}  // namespace

OptionTypeInfo OptionTypeInfo::StringMap(int _offset,
                                         OptionVerificationType _verification,
                                         OptionTypeFlags _flags,
                                         char kv_separator,
                                         char item_separator) {
  OptionTypeInfo info(_offset, OptionType::kStringMap, _verification, _flags);
  info.SetParseFunc([=](const ConfigOptions&, const std::string& name,
                        const std::string& value, void* addr) {
    Strings strings;
    size_t end = 0;
    for (size_t start = 0; start < value.size() && end != std::string::npos;
         start = end + 1) {
      std::string item;
      Status s = NextToken(value, item_separator, start, &end, &item);
      if (!s.ok()) return s;
      if (item.empty()) continue;
      const size_t at = item.find(kv_separator);
      std::string key;
      std::string text;
      if (at == std::string::npos || !Slice(item.data(), at).DecodeHex(&key) ||
          !Slice(item.substr(at + 1)).DecodeHex(&text)) {
        return Status::InvalidArgument("not a map of strings", name);
      }
      strings[key] = text;
    }
    *static_cast<Strings*>(addr) = std::move(strings);
    return Status::OK();
  });
  // In hex, so that any bytes may be in it.
  info.SetSerializeFunc([=](const ConfigOptions&, const std::string&,
                            const void* addr, std::string* value) {
    value->clear();
    for (const auto& [key, text] : *static_cast<const Strings*>(addr)) {
      if (!value->empty()) *value += item_separator;
      *value += ToHex(key) + kv_separator + ToHex(text);
    }
    return Status::OK();
  });
  info.SetEqualsFunc(&EqualStrings);
  return info;
}

Status OptionTypeInfo::ParseType(
    const ConfigOptions& config_options, const std::string& opts_str,
    const TypeMap& type_map, void* opt_addr,
    std::unordered_map<std::string, std::string>* unused) {
  std::unordered_map<std::string, std::string> opts_map;
  Status s = StringToMap(opts_str, &opts_map);
  return s.ok()
             ? ParseType(config_options, opts_map, type_map, opt_addr, unused)
             : s;
}

Status OptionTypeInfo::ParseType(
    const ConfigOptions& config_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    const TypeMap& type_map, void* opt_addr,
    std::unordered_map<std::string, std::string>* unused) {
  for (const auto& [name, value] : opts_map) {
    std::string elem_name;
    const OptionTypeInfo* info = Find(name, type_map, &elem_name);
    if (info != nullptr) {
      Status s = info->Parse(config_options, elem_name, value, opt_addr);
      if (!s.ok()) return s;
    } else if (unused != nullptr) {
      (*unused)[name] = value;
    } else {
      return Status::NotFound("Unrecognized option", name);
    }
  }
  return Status::OK();
}

Status OptionTypeInfo::ParseStruct(const ConfigOptions& config_options,
                                   const std::string& struct_name,
                                   const TypeMap* map,
                                   const std::string& opt_name,
                                   const std::string& value, void* opt_addr) {
  if (map == nullptr) {
    return Status::NotSupported("no options are known of the struct",
                                struct_name);
  }
  if (opt_name == struct_name || EndsWith(opt_name, "." + struct_name)) {
    std::unordered_map<std::string, std::string> unused;
    Status s = ParseType(config_options, value, *map, opt_addr, &unused);
    if (s.ok() && !unused.empty()) {
      s = Status::InvalidArgument("Unrecognized option",
                                  struct_name + "." + unused.begin()->first);
    }
    return s;
  }
  const std::string prefix = struct_name + ".";
  const std::string inner =
      StartsWith(opt_name, prefix) ? opt_name.substr(prefix.size()) : opt_name;
  std::string elem_name;
  const OptionTypeInfo* info = Find(inner, *map, &elem_name);
  if (info == nullptr) {
    return Status::InvalidArgument("Unrecognized option",
                                   struct_name + "." + opt_name);
  }
  return info->Parse(config_options, elem_name, value, opt_addr);
}

Status OptionTypeInfo::SerializeType(const ConfigOptions& config_options,
                                     const TypeMap& type_map,
                                     const void* opt_addr, std::string* value) {
  // By name, so that equal options give equal text.
  std::map<std::string, const OptionTypeInfo*> sorted;
  for (const auto& [name, info] : type_map) sorted[name] = &info;
  std::string text;
  for (const auto& [name, info] : sorted) {
    if (!info->ShouldSerialize()) continue;
    std::string single;
    Status s = info->Serialize(config_options, name, opt_addr, &single);
    if (!s.ok()) return s;
    text += name + "=" +
            Enclosed(single, info->GetType() == OptionType::kString) +
            config_options.delimiter;
  }
  *value = std::move(text);
  return Status::OK();
}

Status OptionTypeInfo::SerializeStruct(const ConfigOptions& config_options,
                                       const std::string& struct_name,
                                       const TypeMap* map,
                                       const std::string& opt_name,
                                       const void* opt_addr,
                                       std::string* value) {
  if (map == nullptr) {
    return Status::NotSupported("no options are known of the struct",
                                struct_name);
  }
  if (opt_name == struct_name || EndsWith(opt_name, "." + struct_name)) {
    ConfigOptions embedded = config_options;
    embedded.delimiter = ";";
    std::string text;
    Status s = SerializeType(embedded, *map, opt_addr, &text);
    if (s.ok()) *value = "{" + text + "}";
    return s;
  }
  const std::string prefix = struct_name + ".";
  const std::string inner =
      StartsWith(opt_name, prefix) ? opt_name.substr(prefix.size()) : opt_name;
  std::string elem_name;
  const OptionTypeInfo* info = Find(inner, *map, &elem_name);
  if (info == nullptr) {
    return Status::InvalidArgument("Unrecognized option", opt_name);
  }
  return info->Serialize(config_options, elem_name, opt_addr, value);
}

bool OptionTypeInfo::TypesAreEqual(const ConfigOptions& config_options,
                                   const TypeMap& map, const void* this_addr,
                                   const void* that_addr,
                                   std::string* mismatch) {
  for (const auto& [name, info] : map) {
    if (info.ShouldSerialize() &&
        !info.AreEqual(config_options, name, this_addr, that_addr, mismatch)) {
      return false;
    }
  }
  return true;
}

bool OptionTypeInfo::StructsAreEqual(
    const ConfigOptions& config_options, const std::string& struct_name,
    const TypeMap* map, const std::string& opt_name, const void* this_offset,
    const void* that_offset, std::string* mismatch) {
  if (map == nullptr) {
    *mismatch = opt_name;
    return false;
  }
  std::string inner;
  if (opt_name == struct_name || EndsWith(opt_name, "." + struct_name)) {
    if (TypesAreEqual(config_options, *map, this_offset, that_offset, &inner)) {
      return true;
    }
    *mismatch = struct_name + "." + inner;
    return false;
  }
  const std::string prefix = struct_name + ".";
  std::string elem_name;
  const OptionTypeInfo* info = Find(
      StartsWith(opt_name, prefix) ? opt_name.substr(prefix.size()) : opt_name,
      *map, &elem_name);
  if (info != nullptr) {
    return info->AreEqual(config_options, elem_name, this_offset, that_offset,
                          mismatch);
  }
  *mismatch = opt_name;
  return false;
}

// --- Text --------------------------------------------------------------------

const OptionTypeInfo* OptionTypeInfo::Find(const std::string& opt_name,
                                           const TypeMap& opt_map,
                                           std::string* elem_name) {
  const auto exact = opt_map.find(opt_name);
  if (exact != opt_map.end()) {
    *elem_name = opt_name;
    return &exact->second;
  }
  const size_t dot = opt_name.find('.');
  if (dot == 0 || dot == std::string::npos) return nullptr;
  const auto outer = opt_map.find(opt_name.substr(0, dot));
  if (outer == opt_map.end()) return nullptr;
  if (outer->second.IsStruct()) {
    *elem_name = opt_name.substr(dot + 1);
    return &outer->second;
  }
  if (!outer->second.IsConfigurable()) return nullptr;
  *elem_name = opt_name;
  return &outer->second;
}

Status OptionTypeInfo::NextToken(const std::string& opts, char delimiter,
                                 size_t start, size_t* end,
                                 std::string* token) {
  int depth = 0;
  size_t at = start;
  for (; at < opts.size(); ++at) {
    if (opts[at] == '{') ++depth;
    if (opts[at] == '}' && --depth < 0) break;
    if (opts[at] == delimiter && depth == 0) break;
  }
  if (depth != 0) {
    return Status::InvalidArgument("Mismatched curly braces", opts);
  }
  *end = at < opts.size() ? at : std::string::npos;
  const std::string_view text =
      TrimSpace(std::string_view(opts).substr(start, at - start));
  *token = std::string(StripBraces(text));
  return Status::OK();
}

std::string OptionTypeInfo::StripOuterBraces(const std::string& value) {
  return std::string(StripBraces(value));
}

// --- Objects that register options -------------------------------------------

class RegisteredOptionCallsImpl final : public RegisteredOptionCalls {
 public:
  Status Split(const std::string& text, Texts* texts) const override {
    return StringToMap(text, texts);
  }

  // All or nothing.
  Status SetAll(const ConfigOptions& config, const Texts& texts, Texts* unused,
                Configurable* object) const override {
    ConfigOptions printed = config;
    printed.delimiter = ";";
    printed.mutable_options_only = false;
    printed.depth = ConfigOptions::kDepthDetailed;
    std::string before;
    Status s = PrintAll(printed, "", *object, &before);
    for (const Texts::value_type* text : InOrder(texts, *object)) {
      if (!s.ok()) break;
      const auto& [name, value] = *text;
      s = object->ConfigureOption(config, name, value);
      if (!s.IsNotFound()) continue;
      if (unused != nullptr) {
        (*unused)[name] = value;
        s = Status::OK();
      } else if (config.ignore_unknown_options) {
        s = Status::OK();
      }
    }
    if (s.ok()) {
      return config.invoke_prepare_options ? object->PrepareOptions(config) : s;
    }
    Texts restored;
    printed.input_strings_escaped = true;
    StringToMap(before, &restored).PermitUncheckedError();
    for (const auto& [name, value] : restored) {
      object->ConfigureOption(printed, name, value).PermitUncheckedError();
    }
    return s;
  }

  Status Set(const ConfigOptions& config, const std::string& name,
             const std::string& value, Configurable* object) const override {
    std::string inner;
    const auto [options, info] = Find(*object, name, &inner);
    if (info == nullptr) {
      return Status::NotFound("Could not find option", name);
    }
    if (!info->IsEditable(config)) {
      return Status::InvalidArgument("Option not changeable", name);
    }
    return object->ParseOption(config, *info, inner, value,
                               Address(*options, object));
  }

  Status PrintAll(const ConfigOptions& config, const std::string& prefix,
                  const Configurable& object,
                  std::string* text) const override {
    std::string printed;
    for (const auto& options : object.registered_) {
      std::map<std::string, const OptionTypeInfo*> sorted;
      for (const auto& [name, info] : *options.type_map) sorted[name] = &info;
      for (const auto& [name, info] : sorted) {
        if (!info->ShouldSerialize() || !info->IsEditable(config)) continue;
        std::string value;
        Status s =
            info->Serialize(config, name, Address(options, &object), &value);
        if (!s.ok()) return s;
        printed += prefix + name + "=" +
                   Enclosed(value, info->GetType() == OptionType::kString) +
                   config.delimiter;
      }
    }
    *text = std::move(printed);
    return Status::OK();
  }

  Status Print(const ConfigOptions& config, const std::string& name,
               const Configurable& object, std::string* text) const override {
    std::string inner;
    const auto [options, info] = Find(object, name, &inner);
    if (info == nullptr) return Status::NotFound("Cannot find option: ", name);
    ConfigOptions embedded = config;
    embedded.delimiter = ";";
    return info->Serialize(embedded, inner, Address(*options, &object), text);
  }

  void Names(const ConfigOptions& config, const Configurable& object,
             std::unordered_set<std::string>* names) const override {
    for (const auto& options : object.registered_) {
      for (const auto& [name, info] : *options.type_map) {
        if (info.ShouldSerialize() && info.IsEditable(config)) {
          names->insert(name);
        }
      }
    }
  }

  Status Prepare(const ConfigOptions& config,
                 Configurable* object) const override {
    for (const auto& options : object->registered_) {
      for (const auto& [name, info] : *options.type_map) {
        Status s = info.Prepare(config, name, Address(options, object));
        if (!s.ok()) return s;
      }
    }
    return Status::OK();
  }

  Status Validate(const DBOptions& db_options,
                  const ColumnFamilyOptions& cf_options,
                  const Configurable& object) const override {
    for (const auto& options : object.registered_) {
      for (const auto& [name, info] : *options.type_map) {
        Status s = info.Validate(db_options, cf_options, name,
                                 Address(options, &object));
        if (!s.ok()) return s;
      }
    }
    return Status::OK();
  }

  bool AreEqual(const ConfigOptions& config, const Configurable& a,
                const Configurable& b, std::string* mismatch) const override {
    for (const auto& options : a.registered_) {
      const void* const mine = a.GetOptionsPtr(options.name);
      const void* const theirs = b.GetOptionsPtr(options.name);
      if (mine == theirs) continue;
      if (theirs == nullptr) {
        *mismatch = options.name;
        return false;
      }
      for (const auto& [name, info] : *options.type_map) {
        if (info.ShouldSerialize() &&
            !a.OptionsAreEqual(config, info, name, mine, theirs, mismatch)) {
          return false;
        }
      }
    }
    return true;
  }

  Status ParseOne(const ConfigOptions& config, const OptionTypeInfo& info,
                  const std::string& name, const std::string& value,
                  void* options) const override {
    return info.Parse(config, name, value, options);
  }

  bool OneIsEqual(const ConfigOptions& config, const OptionTypeInfo& info,
                  const std::string& name, const void* a, const void* b,
                  std::string* mismatch) const override {
    return info.AreEqual(config, name, a, b, mismatch);
  }

 private:
  using Registered = Configurable::RegisteredOptions;

  static void* Address(const Registered& options, Configurable* object) {
    return reinterpret_cast<char*>(object) + options.opt_offset;
  }
  static const void* Address(const Registered& options,
                             const Configurable* object) {
    return reinterpret_cast<const char*>(object) + options.opt_offset;
  }

  // All but the id. Other names of options come last: beside them may stand
  // what an object has said of itself, which the text is to change.
  static std::vector<const Texts::value_type*> InOrder(
      const Texts& texts, const Configurable& object) {
    std::vector<const Texts::value_type*> in_order;
    for (const bool is_alias : {false, true}) {
      for (const Texts::value_type& text : texts) {
        if (text.first == OptionTypeInfo::kIdPropName()) continue;
        std::string inner;
        const OptionTypeInfo* const info =
            Find(object, text.first, &inner).second;
        if ((info != nullptr && info->IsAlias()) == is_alias) {
          in_order.push_back(&text);
        }
      }
    }
    return in_order;
  }

  static std::pair<const Registered*, const OptionTypeInfo*> Find(
      const Configurable& object, const std::string& name, std::string* inner) {
    for (const std::string& tried : {name, object.GetOptionName(name)}) {
      for (const auto& options : object.registered_) {
        const auto* info =
            OptionTypeInfo::Find(tried, *options.type_map, inner);
        if (info != nullptr) return {&options, info};
      }
    }
    return {nullptr, nullptr};
  }
};

namespace {

void ShowOptionCalls() {
  static const RegisteredOptionCallsImpl kCalls;
  registered_option_calls.store(&kCalls, std::memory_order_release);
}

ROCKSDB_REGISTER_OBJECTS(ShowOptionCalls);

}  // namespace

void Configurable::RegisterOptions(const std::string& name, void* opt_ptr,
                                   const TypeMap* opt_map) {
  ShowOptionCalls();
  const intptr_t offset =
      static_cast<char*>(opt_ptr) - reinterpret_cast<char*>(this);
  static const TypeMap kNone;
  registered_.push_back({name, offset, opt_map != nullptr ? opt_map : &kNone});
}

Status Configurable::GetOptionsMap(
    const std::string& opt_value, const std::string& default_id,
    std::string* id, std::unordered_map<std::string, std::string>* options) {
  options->clear();
  id->clear();
  if (IsNullText(TrimSpace(opt_value))) {
    *id = default_id;
    return Status::OK();
  }
  ObjectText parts;
  Status s = SplitObjectText(opt_value, &parts);
  if (!s.ok()) return s;
  if (parts.id.empty() && default_id.empty()) {
    return Status::InvalidArgument("Name property is missing", opt_value);
  }
  *id = parts.id.empty() ? default_id : parts.id;
  if (IsNullText(*id)) id->clear();
  *options = std::move(parts.options);
  return s;
}

Status Customizable::GetOptionsMap(
    const ConfigOptions& config_options, const Customizable* custom,
    const std::string& opt_value, std::string* id,
    std::unordered_map<std::string, std::string>* options) {
  if (custom == nullptr) {
    return Configurable::GetOptionsMap(opt_value, "", id, options);
  }
  Status s =
      Configurable::GetOptionsMap(opt_value, custom->GetId(), id, options);
  if (!s.ok() || !custom->IsInstanceOf(*id)) return s;
  ConfigOptions embedded = config_options;
  embedded.delimiter = ";";
  std::string text;
  if (!custom->GetOptionString(embedded, &text).ok()) return s;
  std::unordered_map<std::string, std::string> present;
  s = StringToMap(text, &present);
  present.erase(OptionTypeInfo::kIdPropName());
  if (s.ok()) options->insert(present.begin(), present.end());
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
