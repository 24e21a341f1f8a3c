// The kinds of option fields, derived from their C++ types.
//
// kKindOf<T> is the OptionKind of T: boolean, number, text, enumeration, list,
// struct with rows of its own, object by name, or opaque (C++ only).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "options/enum_names.h"
#include "options/log_lines.h"
#include "options/object_kinds.h"
#include "options/option_row.h"
#include "options/parse.h"
#include "options/print.h"
#include "options/text.h"
#include "rocksdb/cache.h"
#include "rocksdb/status.h"
#include "util/random.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

// The OptionKind::reader of enumerations: those that are a type of option of
// their own in RocksDB, and those that it reads by a map of names. Its messages
// about a name that there is not differ.
inline constexpr std::string_view kReaderOfNames = "name";
inline constexpr std::string_view kReaderByMap = "map";
inline constexpr const char* kOutOfRange = "number out of range";
template <class T>
inline constexpr bool kHasOptionType =
    std::is_same_v<T, ChecksumType> || std::is_same_v<T, CompactionPri> ||
    std::is_same_v<T, CompactionStopStyle> ||
    std::is_same_v<T, CompactionStyle> || std::is_same_v<T, CompressionType> ||
    std::is_same_v<T, EncodingType> || std::is_same_v<T, Temperature>;

// How to read, write and compare one value of type T. Specialised below; a
// source with rows of a struct specialises StructOf (options/log_lines.h) for
// it.
template <class T>
struct ValueText;

template <>
struct ValueText<bool> {
  static constexpr std::string_view kType = "bool";
  static Status Parse(const ConfigOptions&, std::string_view text,
                      bool* value) {
    const std::string_view trimmed = TrimSpace(text);
    const bool is_true = trimmed == "true" || trimmed == "1";
    if (!is_true && trimmed != "false" && trimmed != "0") {
      return Status::InvalidArgument("neither true nor false");
    }
    *value = is_true;
    return Status::OK();
  }
  static void Print(const ConfigOptions&, bool value, std::string* text) {
    text->append(value ? "true" : "false");
  }
  static bool Equal(const ConfigOptions&, bool a, bool b) { return a == b; }
  static std::string Random(Random64* random) {
    return random->OneIn(2) ? "true" : "false";
  }
};

template <class T>
constexpr std::string_view IntegerTypeName() {
  if (std::is_same_v<T, int>) return "int";
  if (std::is_same_v<T, unsigned int>) return "uint32_t";
  if (std::is_same_v<T, uint8_t>) return "uint8_t";
  return std::is_signed_v<T> ? "int64_t" : "uint64_t";
}

// RocksDB reads all unsigned numbers alike.
template <class T>
constexpr std::string_view IntegerReader() {
  if (std::is_unsigned_v<T>) return "stoull";
  return sizeof(T) == sizeof(int64_t) ? "stoll" : "stoi";
}

template <std::integral T>
struct ValueText<T> {
  static constexpr std::string_view kReader = IntegerReader<T>();
  static constexpr std::string_view kType = IntegerTypeName<T>();
  // Decimal or 0x, with the suffixes k, m, g and t; "-1" is the largest value
  // of a 64-bit unsigned option.
  static Status Parse(const ConfigOptions&, std::string_view text, T* value) {
    using Limits = std::numeric_limits<T>;
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    Wide number = 0;
    bool is_number = false;
    if constexpr (std::is_signed_v<T>) {
      is_number = ParseInt64(text, &number);
    } else {
      is_number = ParseUint64(text, &number);
    }
    if (!is_number) return Status::InvalidArgument("not a number");
    if (number < Limits::min() || number > Limits::max()) {
      return Status::InvalidArgument(kOutOfRange);
    }
    *value = static_cast<T>(number);
    return Status::OK();
  }
  static void Print(const ConfigOptions&, T value, std::string* text) {
    text->append(std::to_string(value));
  }
  static bool Equal(const ConfigOptions&, T a, T b) { return a == b; }
  static double Number(T value) { return static_cast<double>(value); }
  static std::string Random(Random64* random) {
    return std::to_string(random->Skewed(sizeof(T) == 1 ? 7 : 30));
  }
};

template <>
struct ValueText<double> {
  static constexpr std::string_view kType = "double";
  static constexpr std::string_view kReader = "stod";
  static Status Parse(const ConfigOptions&, std::string_view text,
                      double* value) {
    if (ParseDouble(text, value)) return Status::OK();
    return Status::InvalidArgument("not a number");
  }
  static void Print(const ConfigOptions&, double value, std::string* text) {
    text->append(std::to_string(value));  // six decimals, as files have
  }
  // Equal numbers have the same text form, which has six decimals.
  static bool Equal(const ConfigOptions&, double a, double b) {
    return a == b || std::to_string(a) == std::to_string(b);
  }
  static double Number(double value) { return value; }
  static std::string Random(Random64* random) {
    return std::to_string(static_cast<double>(random->Uniform(1000)) / 8);
  }
};

template <>
struct ValueText<std::string> {
  static constexpr std::string_view kType = "string";
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      std::string* value) {
    *value = config.input_strings_escaped
                 ? UnescapeOptionString(std::string(text))
                 : std::string(text);
    return Status::OK();
  }
  static void Print(const ConfigOptions&, const std::string& value,
                    std::string* text) {
    text->append(EscapeOptionString(value));
  }
  static bool Equal(const ConfigOptions&, const std::string& a,
                    const std::string& b) {
    return a == b;
  }
  static std::string Random(Random64* random) {
    static constexpr std::string_view kLetters = "ab:#\\ c/.-";
    std::string value = "x";
    for (uint64_t n = random->Uniform(12); n > 0; --n) {
      value += kLetters[random->Uniform(kLetters.size())];
    }
    return EscapeOptionString(value + "y");
  }
};

template <class T>
  requires std::is_enum_v<T>
struct ValueText<T> {
  static constexpr std::string_view kType = "enum";
  static constexpr std::string_view kReader =
      kHasOptionType<T> ? kReaderOfNames : kReaderByMap;
  static Status Parse(const ConfigOptions&, std::string_view text, T* value) {
    if (EnumFromName(TrimSpace(text), value)) return Status::OK();
    return Status::InvalidArgument("no such value");
  }
  static void Print(const ConfigOptions&, T value, std::string* text) {
    const std::string_view name = NameOfEnum(value);
    // A value without a name does not parse back, and says which it is.
    text->append(name.empty() ? std::to_string(static_cast<int64_t>(value))
                              : std::string(name));
  }
  static bool Equal(const ConfigOptions&, T a, T b) { return a == b; }
  static std::string Random(Random64* random) {
    const auto names = EnumNames<T>();
    return std::string(names[random->Uniform(names.size())].name);
  }
};

// Flags: their number.
template <>
struct ValueText<VerifyOutputFlags> {
  static constexpr std::string_view kType = "flags";
  static constexpr std::string_view kReader = ValueText<uint32_t>::kReader;
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      VerifyOutputFlags* value) {
    uint32_t number = 0;
    Status s = ValueText<uint32_t>::Parse(config, text, &number);
    if (s.ok()) *value = static_cast<VerifyOutputFlags>(number);
    return s;
  }
  static void Print(const ConfigOptions&, VerifyOutputFlags value,
                    std::string* text) {
    text->append(std::to_string(static_cast<uint32_t>(value)));
  }
  static bool Equal(const ConfigOptions&, VerifyOutputFlags a,
                    VerifyOutputFlags b) {
    return a == b;
  }
  static std::string Random(Random64* random) {
    return std::to_string(random->Uniform(8));
  }
};

template <HasRows T>
struct ValueText<T> {
  static constexpr std::string_view kType = "struct";
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      T* value) {
    T copy = *value;
    OptionTexts texts;
    Status s = SplitOptionText(text, &texts);
    if (s.ok()) s = ParseMembers(config, StructOf<T>::Get(), texts, &copy);
    if (s.ok()) *value = copy;
    return s;
  }
  static void Print(const ConfigOptions& config, const T& value,
                    std::string* text) {
    text->append("{")
        .append(PrintOptions(config, StructOf<T>::Get(), &value))
        .append("}");
  }
  static bool Equal(const ConfigOptions& config, const T& a, const T& b) {
    return FirstDifference(config, StructOf<T>::Get(), &a, &b) == nullptr;
  }
  static std::string Random(Random64* random) {
    std::string text = "{";
    for (const OptionRow& row : StructOf<T>::Get().rows) {
      if (row.kind->random == nullptr) continue;
      text.append(row.name).append("=").append(row.kind->random(random));
      text.append(";");
    }
    return text + "}";
  }
};

template <class T>
concept TextValue =
    requires(const T& value, std::string* text, const ConfigOptions& config) {
      ValueText<T>::Print(config, value, text);
    };

template <class T>
constexpr std::string_view ReaderOf() {
  if constexpr (requires { ValueText<T>::kReader; }) {
    return ValueText<T>::kReader;
  }
  return {};
}

template <TextValue T>
struct ValueText<std::vector<T>> {
  static constexpr std::string_view kType = "list";
  static constexpr std::string_view kReader = ReaderOf<T>();
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      std::vector<T>* value) {
    // Braces around the whole, but not those of a single struct.
    std::string_view inner = TrimSpace(text);
    if (inner.starts_with("{{")) inner = StripBraces(inner);
    std::vector<std::string> elements;
    if (Status s = SplitListText(inner, &elements); !s.ok()) return s;
    std::vector<T> values;
    for (const std::string& element : elements) {
      T parsed{};
      Status s = ValueText<T>::Parse(config, element, &parsed);
      if (!s.ok()) return s;
      // An object of which only the name is known, such as a listener of
      // another program, is left out; null is no element.
      if constexpr (requires { typename T::element_type; }) {
        if (parsed == nullptr && config.ignore_unsupported_options) continue;
      }
      values.push_back(std::move(parsed));
    }
    *value = std::move(values);
    return Status::OK();
  }
  static void Print(const ConfigOptions& config, const std::vector<T>& values,
                    std::string* text) {
    std::string joined;
    for (const T& value : values) {
      if (!joined.empty()) joined += ':';
      std::string element;
      ValueText<T>::Print(config, value, &element);
      const bool enclosed = element.find(':') != std::string::npos;
      joined += enclosed ? "{" + element + "}" : element;
    }
    const bool enclosed =
        joined.find('=') != std::string::npos || joined.starts_with('{');
    text->append(enclosed ? "{" + joined + "}" : joined);
  }
  static bool Equal(const ConfigOptions& config, const std::vector<T>& a,
                    const std::vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!ValueText<T>::Equal(config, a[i], b[i])) return false;
    }
    return true;
  }
  static std::string Random(Random64* random)
    requires requires { ValueText<T>::Random(random); }
  {
    std::string text;
    for (uint64_t n = 1 + random->Uniform(4); n > 0; --n) {
      if (!text.empty()) text += ':';
      text += ValueText<T>::Random(random);
    }
    const bool enclosed = text.starts_with('{');
    return enclosed ? "{" + text + "}" : text;
  }
};

inline std::string UnescapedObject(const ConfigOptions& config,
                                   std::string_view text) {
  const std::string raw(text);
  return config.input_strings_escaped ? UnescapeOptionString(raw) : raw;
}

template <class T>
  requires NamedObject<std::remove_const_t<T>>
struct ValueText<std::shared_ptr<T>> {
  static constexpr std::string_view kType = "object";
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      std::shared_ptr<T>* value) {
    return ParseSharedObject(config, UnescapedObject(config, text), value);
  }
  static void Print(const ConfigOptions& config,
                    const std::shared_ptr<T>& value, std::string* text) {
    text->append(EscapeObjectText(PrintObject(config, value.get())));
  }
  static bool Equal(const ConfigOptions& config, const std::shared_ptr<T>& a,
                    const std::shared_ptr<T>& b) {
    return SameObject(config, a.get(), b.get());
  }
};

// An object that C++ alone can supply: its text is nullptr, or that it is
// there. To RocksDB it is no option at all.
template <class T>
  requires(!NamedObject<std::remove_const_t<T>>)
struct ValueText<std::shared_ptr<T>> {
  static constexpr std::string_view kType = "object";
  static Status Parse(const ConfigOptions&, std::string_view text,
                      std::shared_ptr<T>* value) {
    if (!IsNullText(TrimSpace(text))) return OnlySetInCode();
    value->reset();
    return Status::OK();
  }
  static void Print(const ConfigOptions&, const std::shared_ptr<T>& value,
                    std::string* text) {
    text->append(value == nullptr ? "nullptr" : "set");
  }
  static bool Equal(const ConfigOptions&, const std::shared_ptr<T>& a,
                    const std::shared_ptr<T>& b) {
    return a == b;
  }
};

// A cache is made from its size, or from its own options in braces. Nobody
// wants to be without one because of a typing error: unlike other objects, one
// that cannot be made is always an error.
template <>
struct ValueText<std::shared_ptr<Cache>> {
  static constexpr std::string_view kType = "object";
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      std::shared_ptr<Cache>* value) {
    const std::string_view trimmed = TrimSpace(text);
    if (IsNullText(trimmed)) {
      value->reset();
      return Status::OK();
    }
    Status s = MakeSharedFromText(config, trimmed, *value, value);
    // What is unsupported would be passed over, together with the object that
    // the cache belongs to.
    return s.IsNotSupported() ? Status::InvalidArgument(s.getState()) : s;
  }
  static void Print(const ConfigOptions&, const std::shared_ptr<Cache>& value,
                    std::string* text) {
    text->append(value == nullptr ? "nullptr" : value->Name());
  }
  static bool Equal(const ConfigOptions&, const std::shared_ptr<Cache>& a,
                    const std::shared_ptr<Cache>& b) {
    return a == b;
  }
};

template <class T>
  requires NamedObject<std::remove_const_t<T>>
struct ValueText<T*> {
  static constexpr std::string_view kType = "object";
  static Status Parse(const ConfigOptions& config, std::string_view text,
                      T** value) {
    return ParseRawObject(config, UnescapedObject(config, text), value);
  }
  static void Print(const ConfigOptions& config, T* value, std::string* text) {
    text->append(EscapeObjectText(PrintObject(config, value)));
  }
  static bool Equal(const ConfigOptions& config, T* a, T* b) {
    return SameObject(config, a, b);
  }
};

// A field that text cannot set: shown as present or not.
template <class T>
void PrintOpaque(const ConfigOptions&, const void* value, std::string* text) {
  const T& field = *static_cast<const T*>(value);
  if constexpr (requires { field == nullptr; }) {
    text->append(field == nullptr ? "nullptr" : "set");
  } else if constexpr (requires { field.empty(); }) {
    text->append(field.empty() ? "empty" : "set");
  } else {
    text->append("unnamed");
  }
}

template <class T>
constexpr OptionKind MakeKind() {
  OptionKind kind;
  kind.size_bytes = sizeof(T);
  kind.tell = &TellValue<T>;
  if constexpr (!TextValue<T>) {
    kind.type = "opaque";
    kind.print = &PrintOpaque<T>;
  } else {
    using Text = ValueText<T>;
    kind.type = Text::kType;
    kind.reader = ReaderOf<T>();
    kind.parse = [](const ConfigOptions& config, std::string_view text,
                    void* value) {
      return Text::Parse(config, text, static_cast<T*>(value));
    };
    kind.print = [](const ConfigOptions& config, const void* value,
                    std::string* text) {
      Text::Print(config, *static_cast<const T*>(value), text);
    };
    kind.equal = [](const ConfigOptions& config, const void* a, const void* b) {
      return Text::Equal(config, *static_cast<const T*>(a),
                         *static_cast<const T*>(b));
    };
    if constexpr (requires(const T& value) { Text::Number(value); }) {
      kind.number = [](const void* value) {
        return Text::Number(*static_cast<const T*>(value));
      };
    }
    if constexpr (requires(Random64* random) { Text::Random(random); }) {
      kind.random = [](Random64* random) { return Text::Random(random); };
    }
    if constexpr (HasRows<T>) kind.members = &StructOf<T>::Get;
  }
  return kind;
}

template <class T>
inline constexpr OptionKind kKindOf = MakeKind<T>();

}  // namespace ROCKSDB_NAMESPACE
