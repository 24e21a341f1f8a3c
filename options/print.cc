#include "options/print.h"

namespace ROCKSDB_NAMESPACE {

std::string PrintOption(const ConfigOptions& config, const OptionRow& row,
                        const void* object) {
  std::string text;
  row.kind->print(config, row.Field(object), &text);
  return text;
}

std::string PrintOptions(const ConfigOptions& config,
                         const OptionStruct& options, const void* object) {
  // Nested structs always use ";", whatever stands between the options here.
  ConfigOptions nested = config;
  nested.delimiter = ";";
  std::string text;
  for (const OptionRow& row : options.rows) {
    if (!row.traits.written || row.kind->parse == nullptr) continue;
    if (config.mutable_options_only && !row.IsDynamic()) continue;
    std::string value = PrintOption(nested, row, object);
    if (!row.traits.implied.empty() && value == row.traits.implied) continue;
    // A value with separators of its own would end early.
    const bool enclosed = !value.empty() && value.front() == '{';
    if (!enclosed && value.find(';') != std::string::npos) {
      value = "{" + value + "}";
    }
    text.append(row.name).append("=").append(value).append(config.delimiter);
  }
  return text;
}

const OptionRow* FirstDifference(const ConfigOptions& config,
                                 const OptionStruct& options, const void* a,
                                 const void* b) {
  for (const OptionRow& row : options.rows) {
    if (row.kind->equal == nullptr) continue;
    if (config.mutable_options_only && !row.IsDynamic()) continue;
    if (!row.kind->equal(config, row.Field(a), row.Field(b))) return &row;
  }
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE
