// What every table factory does with its struct of options: sets and prints
// them by their rows.
//
// Threads    Const calls from any thread; options change through a Clone()
//            only.
// Errors     Those of the rows; options are as before then.
#pragma once

#include <cassert>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "options/log_lines.h"
#include "options/option_row.h"
#include "options/parse.h"
#include "options/print.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

// `Rows` makes the table of Options' rows.
template <class Options, const OptionStruct& (*Rows)()>
class TableFactoryOf : public TableFactory {
 public:
  using TableFactory::ConfigureFromMap;
  Status ConfigureFromMap(
      const ConfigOptions& config,
      const std::unordered_map<std::string, std::string>& texts) override {
    OptionTexts own(texts.begin(), texts.end());
    // Says which class this is.
    std::erase_if(own, [](const auto& text) { return text.first == "id"; });
    return Configure(config, std::move(own));
  }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    return Configure(config, {{name, value}});
  }
  Status ConfigureFromString(const ConfigOptions& config,
                             const std::string& text) override {
    OptionTexts texts;
    Status s = SplitOptionText(text, &texts);
    return s.ok() ? Configure(config, std::move(texts)) : s;
  }
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override {
    *result = PrintOptions(config, Rows(), &options_);
    return Status::OK();
  }
  Status GetOption(const ConfigOptions& config, const std::string& name,
                   std::string* value) const override {
    const OptionRow* row = Rows().Find(name);
    if (row == nullptr) return Status::NotFound("Cannot find option: ", name);
    *value = PrintOption(config, *row, &options_);
    return Status::OK();
  }
  std::string GetPrintableOptions() const override {
    return TellOptionsAsText(Rows(), &options_);
  }
  bool AreEquivalent(const ConfigOptions& config, const Configurable* other,
                     std::string* name) const override {
    const auto* theirs =
        other != nullptr ? other->GetOptions<Options>() : nullptr;
    if (theirs == nullptr) {
      *name = Name();
      return false;
    }
    const OptionRow* difference =
        FirstDifference(config, Rows(), &options_, theirs);
    *name = difference != nullptr ? std::string(difference->name) : "";
    return difference == nullptr;
  }

 protected:
  explicit TableFactoryOf(const Options& options) : options_(options) {}

  const void* GetOptionsPtr(const std::string& name) const override {
    return name == Options::kName() ? &options_ : nullptr;
  }
  // Options that were parsed take effect.
  virtual void Adopt(Options changed) { options_ = std::move(changed); }

  Options options_;

 private:
  Status Configure(const ConfigOptions& config, OptionTexts texts) {
    for (auto& [name, value] : texts) name = GetOptionName(name);
    Options changed = options_;
    Status s = ParseMembers(config, Rows(), texts, &changed);
    assert(!s.IsNotFound() || s.getState() != nullptr);
    if (s.IsNotFound()) return UnknownOption(s.getState());
    if (s.ok()) Adopt(std::move(changed));
    return s;
  }
};

}  // namespace ROCKSDB_NAMESPACE
