// RowConfigurable: a Customizable whose options are a struct with rows.
//
//   class StringAppend
//       : public RowConfigurable<MergeOperator, StringAppendOptions,
//                                &StringAppendOptionStruct> { ... };
//
// gives it text form, comparison and GetOptions<StringAppendOptions>().
//
// Threads  As Configurable.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "options/option_row.h"
#include "options/parse.h"
#include "options/print.h"
#include "rocksdb/convenience.h"
#include "rocksdb/customizable.h"

namespace ROCKSDB_NAMESPACE {

// `T` has a static kName(); `GetStruct` answers its rows.
template <class Base, class T, const OptionStruct& (*GetStruct)()>
class RowConfigurable : public Base {
 public:
  explicit RowConfigurable(const T& options = T()) : options_(options) {}

  Status ConfigureFromMap(
      const ConfigOptions& config,
      const std::unordered_map<std::string, std::string>& texts) override {
    return Configure(config, OptionTexts(texts.begin(), texts.end()));
  }

  Status ConfigureFromString(const ConfigOptions& config,
                             const std::string& text) override {
    OptionTexts texts;
    Status s = SplitOptionText(text, &texts);
    return s.ok() ? Configure(config, texts) : s;
  }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    return ConfigureFromMap(config, {{name, value}});
  }

  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override {
    *result = PrintOptions(config, GetStruct(), &options_);
    return Status::OK();
  }

  Status GetOption(const ConfigOptions& config, const std::string& name,
                   std::string* value) const override {
    const OptionRow* row = GetStruct().Find(name);
    if (row == nullptr) return Status::NotFound("Cannot find option: ", name);
    *value = PrintOption(config, *row, &options_);
    return Status::OK();
  }

  Status GetOptionNames(
      const ConfigOptions& config,
      std::unordered_set<std::string>* result) const override {
    for (const OptionRow& row : GetStruct().rows) {
      if (config.mutable_options_only && !row.IsDynamic()) continue;
      result->emplace(row.name);
    }
    return Status::OK();
  }

  std::string GetPrintableOptions() const override {
    const ConfigOptions config;
    std::string text;
    for (const OptionRow& row : GetStruct().rows) {
      text.append("  ").append(row.name).append(": ");
      text.append(PrintOption(config, row, &options_)).append("\n");
    }
    return text;
  }

  bool AreEquivalent(const ConfigOptions& config, const Configurable* other,
                     std::string* mismatch) const override {
    const T* theirs =
        other == nullptr ? nullptr : other->template GetOptions<T>();
    if (theirs == nullptr) {
      *mismatch = T::kName();
      return false;
    }
    const OptionRow* row =
        FirstDifference(config, GetStruct(), &options_, theirs);
    if (row != nullptr) *mismatch = row->name;
    return row == nullptr;
  }

 protected:
  const void* GetOptionsPtr(const std::string& name) const override {
    return name == T::kName() ? &options_ : nullptr;
  }

  T options_;

 private:
  Status Configure(const ConfigOptions& config, const OptionTexts& texts) {
    T copy = options_;
    Status s = ParseMembers(config, GetStruct(), texts, &copy);
    if (s.IsNotFound()) return UnknownOption(s.getState());
    if (s.ok()) options_ = std::move(copy);
    return s;
  }
};

}  // namespace ROCKSDB_NAMESPACE
