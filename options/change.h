// The heart of SetOptions() and SetDBOptions(): a copy of a struct with some
// dynamic options changed.
//
// Threads  Pure function.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "options/option_row.h"
#include "options/parse.h"
#include "options/print.h"
#include "rocksdb/convenience.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// InvalidArgument, and neither result touched, for a name that is unknown or
// fixed or a value that does not parse. An object that cannot be made is an
// error here, never silently null.
template <class T>
Status ChangeOptions(
    const OptionStruct& options, const T& current,
    const std::unordered_map<std::string, std::string>& changes, T* result,
    std::vector<std::string>* changed_names) {
  if (changes.empty()) {
    return Status::InvalidArgument("empty input", "no option to change");
  }
  ConfigOptions config;
  config.mutable_options_only = true;
  config.ignore_unsupported_options = false;
  const OptionTexts texts(changes.begin(), changes.end());
  T changed = current;
  if (Status s = ParseOptions(config, options, texts, &changed); !s.ok()) {
    return s;
  }
  changed_names->clear();
  for (const OptionRow& row : options.rows) {
    if (!row.IsDynamic() || row.kind->equal == nullptr) continue;
    if (!row.kind->equal(config, row.Field(&current), row.Field(&changed))) {
      changed_names->emplace_back(row.name);
    }
  }
  *result = std::move(changed);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
