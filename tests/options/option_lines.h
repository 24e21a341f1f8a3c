// What options say that others do not, as text: "name=value" of each row that
// differs, in the order of the rows; "-" if none does.
//
// The rows of a struct within an option, and of the tables' options, stand as
// "option.row=value".
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/option_row.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class OptionLines {
 public:
  // What `now` says otherwise than `base`.
  void Add(const DBOptions& base, const DBOptions& now) {
    AddRows("", DBOptionStruct(), &base, &now);
  }
  void Add(const ColumnFamilyOptions& base, const ColumnFamilyOptions& now) {
    AddRows("", ColumnFamilyOptionStruct(), &base, &now);
    const auto* before = TableOf(base);
    const auto* after = TableOf(now);
    if (before != nullptr && after != nullptr) {
      AddRows("table_factory.", BlockBasedTableOptionStruct(), before, after);
    }
  }
  void Add(const BlockBasedTableOptions& base,
           const BlockBasedTableOptions& now) {
    AddRows("", BlockBasedTableOptionStruct(), &base, &now);
  }

  const std::vector<std::string>& lines() const { return lines_; }
  std::string Joined(const std::string& between = " ") const {
    std::string text;
    for (const std::string& line : lines_) {
      text += (text.empty() ? "" : between) + line;
    }
    return text.empty() ? "-" : text;
  }

 private:
  static const BlockBasedTableOptions* TableOf(
      const ColumnFamilyOptions& options) {
    return options.table_factory == nullptr
               ? nullptr
               : options.table_factory->GetOptions<BlockBasedTableOptions>();
  }
  static bool IsBlockBased(const void* field) {
    const auto& factory =
        *static_cast<const std::shared_ptr<TableFactory>*>(field);
    return factory != nullptr &&
           factory->GetOptions<BlockBasedTableOptions>() != nullptr;
  }
  void AddRows(const std::string& prefix, const OptionStruct& options,
               const void* base, const void* now) {
    for (const OptionRow& row : options.rows) {
      const std::string name = prefix + std::string(row.name);
      if (row.kind->print == nullptr) continue;
      if (row.kind->members != nullptr) {
        AddRows(name + ".", row.kind->members(), row.Field(base),
                row.Field(now));
        continue;
      }
      // Add() shows each option of a block-based table by itself, so its
      // factory is not printed in depth here.
      ConfigOptions config;
      if (row.name == "table_factory" && IsBlockBased(row.Field(now))) {
        config.depth = ConfigOptions::kDepthShallow;
      }
      const std::string value = PrintOption(config, row, now);
      if (value == PrintOption(config, row, base)) continue;
      lines_.push_back(name + "=" + value);
    }
  }

  std::vector<std::string> lines_;
};

// T is Options, or one of the structs that OptionLines::Add() takes.
template <class T>
std::string OptionDifference(const T& base, const T& now) {
  OptionLines lines;
  if constexpr (std::is_same_v<T, Options>) {
    lines.Add(static_cast<const DBOptions&>(base), now);
    lines.Add(static_cast<const ColumnFamilyOptions&>(base), now);
  } else {
    lines.Add(base, now);
  }
  return lines.Joined();
}

}  // namespace ROCKSDB_NAMESPACE
