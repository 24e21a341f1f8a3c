#include "rocksdb/convenience.h"

#include <map>
#include <memory>
#include <string>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/enum_names.h"
#include "options/parse.h"
#include "options/print.h"
#include "options/table_rows.h"
#include "options/text.h"
#include "rocksdb/env.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/object_registry.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using TextMap = std::unordered_map<std::string, std::string>;

// An object that cannot be had is a bad input like any other here; only
// CreateFromString() calls it NotSupported.
Status AsInvalid(const Status& s) {
  return s.IsNotSupported() ? Status::InvalidArgument(s.getState()) : s;
}

template <class T>
Status FromTexts(const ConfigOptions& config, const OptionStruct& options,
                 const T& base, const OptionTexts& texts, T* out) {
  T result = base;
  Status s = ParseOptions(config, options, texts, &result);
  if (s.ok()) *out = result;
  return AsInvalid(s);
}

template <class T>
Status FromMap(const ConfigOptions& config, const OptionStruct& options,
               const T& base, const TextMap& map, T* out) {
  return FromTexts(config, options, base, OptionTexts(map.begin(), map.end()),
                   out);
}

template <class T>
Status FromString(const ConfigOptions& config, const OptionStruct& options,
                  const T& base, const std::string& text, T* out) {
  OptionTexts texts;
  Status s = SplitOptionText(text, &texts);
  return s.ok() ? FromTexts(config, options, base, texts, out) : s;
}

}  // namespace

ConfigOptions::ConfigOptions()
    : env(Env::Default()), registry(ObjectRegistry::NewInstance()) {}

ConfigOptions::ConfigOptions(const DBOptions& db_options)
    : env(db_options.env), registry(ObjectRegistry::NewInstance()) {}

Status StringToMap(const std::string& opts_str, TextMap* opts_map) {
  OptionTexts texts;
  Status s = SplitOptionText(opts_str, &texts);
  if (!s.ok()) return s;
  opts_map->clear();
  for (auto& [name, value] : texts) (*opts_map)[name] = std::move(value);
  return s;
}

Status MapToString(const TextMap& opts_map, std::string* opts_str) {
  if (opts_str == nullptr) return Status::InvalidArgument("opts_str is null");
  // In order, so that equal maps give equal text.
  const std::map<std::string, std::string> sorted(opts_map.begin(),
                                                  opts_map.end());
  std::string text;
  for (const auto& [name, value] : sorted) {
    const bool is_plain = value.find_first_of("=;") == std::string::npos ||
                          (value.front() == '{' && value.back() == '}');
    text += name + "=" + (is_plain ? value : "{" + value + "}") + ";";
  }
  *opts_str = std::move(text);
  return Status::OK();
}

Status GetMemTableRepFactoryFromString(
    const std::string& opts_str,
    std::unique_ptr<MemTableRepFactory>* new_mem_factory) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  return MemTableRepFactory::CreateFromString(config, opts_str,
                                              new_mem_factory);
}

Status GetColumnFamilyOptionsFromMap(const ConfigOptions& config_options,
                                     const ColumnFamilyOptions& base,
                                     const TextMap& opts_map,
                                     ColumnFamilyOptions* out) {
  return FromMap(config_options, ColumnFamilyOptionStruct(), base, opts_map,
                 out);
}

Status GetDBOptionsFromMap(const ConfigOptions& config_options,
                           const DBOptions& base, const TextMap& opts_map,
                           DBOptions* out) {
  return FromMap(config_options, DBOptionStruct(), base, opts_map, out);
}

Status GetBlockBasedTableOptionsFromMap(const ConfigOptions& config_options,
                                        const BlockBasedTableOptions& base,
                                        const TextMap& opts_map,
                                        BlockBasedTableOptions* out) {
  return FromMap(config_options, BlockBasedTableOptionStruct(), base, opts_map,
                 out);
}

Status GetPlainTableOptionsFromMap(const ConfigOptions& config_options,
                                   const PlainTableOptions& base,
                                   const TextMap& opts_map,
                                   PlainTableOptions* out) {
  return FromMap(config_options, PlainTableOptionStruct(), base, opts_map, out);
}

Status GetColumnFamilyOptionsFromString(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& base,
                                        const std::string& opts_str,
                                        ColumnFamilyOptions* out) {
  return FromString(config_options, ColumnFamilyOptionStruct(), base, opts_str,
                    out);
}

Status GetDBOptionsFromString(const ConfigOptions& config_options,
                              const DBOptions& base,
                              const std::string& opts_str, DBOptions* out) {
  return FromString(config_options, DBOptionStruct(), base, opts_str, out);
}

Status GetBlockBasedTableOptionsFromString(const ConfigOptions& config_options,
                                           const BlockBasedTableOptions& base,
                                           const std::string& opts_str,
                                           BlockBasedTableOptions* out) {
  return FromString(config_options, BlockBasedTableOptionStruct(), base,
                    opts_str, out);
}

Status GetPlainTableOptionsFromString(const ConfigOptions& config_options,
                                      const PlainTableOptions& base,
                                      const std::string& opts_str,
                                      PlainTableOptions* out) {
  return FromString(config_options, PlainTableOptionStruct(), base, opts_str,
                    out);
}

Status GetOptionsFromString(const Options& base, const std::string& opts_str,
                            Options* out) {
  return GetOptionsFromString(ConfigOptions(base), base, opts_str, out);
}

Status GetOptionsFromString(const ConfigOptions& config_options,
                            const Options& base, const std::string& opts_str,
                            Options* out) {
  OptionTexts texts;
  Status s = SplitOptionText(opts_str, &texts);
  if (!s.ok()) return s;
  DBOptions db = base;
  ColumnFamilyOptions cf = base;
  for (const auto& [name, text] : texts) {
    const bool of_family = IsOptionName(ColumnFamilyOptionStruct(), name);
    s = of_family
            ? ParseOption(config_options, ColumnFamilyOptionStruct(), name,
                          text, &cf)
            : ParseOption(config_options, DBOptionStruct(), name, text, &db);
    if (!s.ok()) return AsInvalid(s);
  }
  *out = Options(db, cf);
  return s;
}

Status GetStringFromDBOptions(const ConfigOptions& config_options,
                              const DBOptions& db_options,
                              std::string* opts_str) {
  *opts_str = PrintOptions(config_options, DBOptionStruct(), &db_options);
  return Status::OK();
}

Status GetStringFromDBOptions(std::string* opts_str,
                              const DBOptions& db_options,
                              const std::string& delimiter) {
  ConfigOptions config(db_options);
  config.delimiter = delimiter;
  return GetStringFromDBOptions(config, db_options, opts_str);
}

Status GetStringFromColumnFamilyOptions(const ConfigOptions& config_options,
                                        const ColumnFamilyOptions& cf_options,
                                        std::string* opts_str) {
  *opts_str =
      PrintOptions(config_options, ColumnFamilyOptionStruct(), &cf_options);
  return Status::OK();
}

Status GetStringFromColumnFamilyOptions(std::string* opts_str,
                                        const ColumnFamilyOptions& cf_options,
                                        const std::string& delimiter) {
  ConfigOptions config;
  config.delimiter = delimiter;
  return GetStringFromColumnFamilyOptions(config, cf_options, opts_str);
}

Status GetStringFromCompressionType(std::string* compression_str,
                                    CompressionType compression_type) {
  const std::string_view name = NameOfEnum(compression_type);
  if (name.empty()) {
    return Status::InvalidArgument("unknown compression type",
                                   std::to_string(compression_type));
  }
  *compression_str = name;
  return Status::OK();
}

std::vector<CompressionType> GetSupportedCompressions() {
  std::vector<CompressionType> supported;
  for (const auto& [name, type] : EnumNames<CompressionType>()) {
    if (type != kDisableCompressionOption && CompressionTypeSupported(type)) {
      supported.push_back(type);
    }
  }
  return supported;
}

}  // namespace ROCKSDB_NAMESPACE
