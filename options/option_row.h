// What an option is: a row that ties a field of a public struct to its name,
// type, limits and text form.
//
// Everything that lists options (parsing, printing, OPTIONS files, SetOptions,
// comparison, the reference page, random testing, generated bindings) is a
// loop over rows. The field in the public header and its row are the whole of
// an option.
//
// Threads    Rows are constants, made before their first use.
// Ownership  A row points into the object that it is asked about.
// Errors     Parsing answers InvalidArgument and leaves the field untouched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Random64;
struct ConfigOptions;
struct OptionLine;
struct OptionStruct;

// Appends the lines of LOG that tell the value of a field, which goes there by
// `name` (options/log_lines.h).
using TellField = void (*)(const std::string& name, const void* value,
                           std::vector<OptionLine>* lines);

// May the option change on an open database?
enum class Mutability : uint8_t { kFixed, kDynamic };

// What the C++ type of a field knows to do. One for each type, from
// kKindOf<T> (options/option_kinds.h, options/object_kinds.h).
struct OptionKind {
  // The type's name, as reference pages and bindings show it.
  std::string_view type;
  size_t size_bytes = 0;
  // How RocksDB names the reading of such a value, in the message about one
  // that cannot be read.
  std::string_view reader = {};

  // Null for a field that only C++ can set.
  Status (*parse)(const ConfigOptions& config, std::string_view text,
                  void* value) = nullptr;
  void (*print)(const ConfigOptions& config, const void* value,
                std::string* text) = nullptr;
  bool (*equal)(const ConfigOptions& config, const void* a,
                const void* b) = nullptr;
  TellField tell = nullptr;
  // Numbers only: for comparison with a row's limits.
  double (*number)(const void* value) = nullptr;
  // Some value as text; null where only the default can be tested.
  std::string (*random)(Random64* random) = nullptr;
  // The rows of a struct; null for other kinds.
  const OptionStruct& (*members)() = nullptr;
};

// What else a row may say; the defaults are those of most options.
struct OptionTraits {
  // Limits of numbers, checked by DB::Open().
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();

  // The values that the engine can honour so far, as text joined by '|'; ""
  // stands for all. A value that is followed by ':' in an object's text also
  // matches. DB::Open() answers NotSupported to any other, with `note` as the
  // reason.
  std::string_view built = {};

  // Values for tests, as text joined by '|', instead of the kind's random ones.
  std::string_view samples = {};

  // Written to OPTIONS files and option strings.
  bool written = true;

  // The default, as text, of an option that RocksDB does not have. It is not
  // written, so that RocksDB can read what else is.
  std::string_view implied = {};

  // A remark for the reference page.
  std::string_view note = {};

  // Where LOG tells it by another name than the row's, or otherwise than its
  // kind is told.
  std::string_view log_name = {};
  TellField tell = nullptr;
};

struct OptionRow {
  std::string_view name;
  // Where the field is in an object of the row's struct.
  void* (*field)(void* object);
  const OptionKind* kind;
  Mutability mutability;
  OptionTraits traits;

  const void* Field(const void* object) const {
    return field(const_cast<void*>(object));
  }
  bool IsDynamic() const { return mutability == Mutability::kDynamic; }
};

// Another name for a row.
struct OptionAlias {
  std::string_view alias;
  std::string_view name;
  // Joined in front of the value's text, e.g. "id=BlockBasedTable;".
  std::string_view value_prefix = {};
};

// A public struct as a list of rows.
struct OptionStruct {
  std::string_view name;
  std::span<const OptionRow> rows;
  // Accepted and ignored: options that once were.
  std::span<const std::string_view> deprecated = {};
  std::span<const OptionAlias> aliases = {};
  // Rows in the order in which RocksDB's LOG tells them, others come behind.
  // Empty: that of the rows.
  std::span<const std::string_view> log_order = {};
  // Which rows the values of a text without names belong to, by their number:
  // old OPTIONS files have "1:2:3". Empty: that many cannot be. Null: the
  // struct has no such text.
  std::vector<std::string_view> (*positions)(size_t count) = nullptr;

  // Null if there is none of that name.
  const OptionRow* Find(std::string_view option) const;
  const OptionAlias* FindAlias(std::string_view option) const;
  bool IsDeprecated(std::string_view option) const;
};

// True if `text` is one of `values`, which are joined by '|'.
bool IsOneOf(std::string_view text, std::string_view values);

}  // namespace ROCKSDB_NAMESPACE

// A row. The further arguments are designated members of OptionTraits:
//   OPTION(DBOptions, max_open_files, Mutability::kDynamic, .min = -1)
#define OPTION(StructType, member, mutability_, ...)                        \
  OptionRow {                                                               \
    #member,                                                                \
        [](void* object) -> void* {                                         \
          return &static_cast<StructType*>(object)->member;                 \
        },                                                                  \
        &kKindOf<decltype(StructType::member)>, mutability_, OptionTraits { \
      __VA_ARGS__                                                           \
    }                                                                       \
  }
