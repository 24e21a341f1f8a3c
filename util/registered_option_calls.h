// What an object does with text of options, and with those that it has
// registered. Both are known above this floor, which says here who knows them.
#pragma once

#include <atomic>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "rocksdb/configurable.h"

namespace ROCKSDB_NAMESPACE {

class RegisteredOptionCalls {
 public:
  using Texts = std::unordered_map<std::string, std::string>;

  virtual ~RegisteredOptionCalls() = default;

  // Takes text of the form `name=value;name={nested=value}` apart.
  virtual Status Split(const std::string& text, Texts* texts) const = 0;
  // Names that the object lacks go to *unused, if that is not null.
  virtual Status SetAll(const ConfigOptions& config, const Texts& texts,
                        Texts* unused, Configurable* object) const = 0;
  virtual Status Set(const ConfigOptions& config, const std::string& name,
                     const std::string& value, Configurable* object) const = 0;
  virtual Status PrintAll(const ConfigOptions& config,
                          const std::string& prefix, const Configurable& object,
                          std::string* text) const = 0;
  virtual Status Print(const ConfigOptions& config, const std::string& name,
                       const Configurable& object, std::string* text) const = 0;
  virtual void Names(const ConfigOptions& config, const Configurable& object,
                     std::unordered_set<std::string>* names) const = 0;
  virtual Status Prepare(const ConfigOptions& config,
                         Configurable* object) const = 0;
  virtual Status Validate(const DBOptions& db_options,
                          const ColumnFamilyOptions& cf_options,
                          const Configurable& object) const = 0;
  virtual bool AreEqual(const ConfigOptions& config, const Configurable& a,
                        const Configurable& b, std::string* mismatch) const = 0;

  // One option of the structs at the pointers.
  virtual Status ParseOne(const ConfigOptions& config,
                          const OptionTypeInfo& info, const std::string& name,
                          const std::string& value, void* options) const = 0;
  virtual bool OneIsEqual(const ConfigOptions& config,
                          const OptionTypeInfo& info, const std::string& name,
                          const void* a, const void* b,
                          std::string* mismatch) const = 0;
};

// Set before main(), and before the first object has registered options. Null
// in programs that have nothing above this floor.
inline std::atomic<const RegisteredOptionCalls*> registered_option_calls{};

}  // namespace ROCKSDB_NAMESPACE
