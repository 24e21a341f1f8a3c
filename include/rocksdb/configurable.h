#pragma once

// An object with options of its own that text can set and show.
//
// The defaults below serve an object without options: it accepts an empty list
// and refuses any name. A class with options overrides the virtual calls.
//
// Threads  Configure before use, from one thread; const calls from any.

#include <atomic>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct ColumnFamilyOptions;
struct ConfigOptions;
struct DBOptions;

class Configurable {
 public:
  virtual ~Configurable() = default;

  // The option struct of type T inside this object, which T::kName() names;
  // nullptr if it has none. It belongs to the object.
  template <typename T>
  const T* GetOptions() const {
    return GetOptions<T>(T::kName());
  }
  template <typename T>
  T* GetOptions() {
    return GetOptions<T>(T::kName());
  }
  template <typename T>
  const T* GetOptions(const std::string& name) const {
    return static_cast<const T*>(GetOptionsPtr(name));
  }
  template <typename T>
  T* GetOptions(const std::string& name) {
    return const_cast<T*>(static_cast<const T*>(GetOptionsPtr(name)));
  }

  // Sets options by name. On error nothing is changed.
  virtual Status ConfigureFromMap(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& opts_map);
  // The same from text of the form `name=value;name={nested=value}`.
  virtual Status ConfigureFromString(const ConfigOptions& config_options,
                                     const std::string& opts);
  virtual Status ConfigureOption(const ConfigOptions& config_options,
                                 const std::string& name,
                                 const std::string& value);

  // All options as text that ConfigureFromString() takes.
  virtual Status GetOptionString(const ConfigOptions& config_options,
                                 std::string* result) const;
  virtual Status GetOption(const ConfigOptions& config_options,
                           const std::string& name, std::string* value) const;
  virtual Status GetOptionNames(const ConfigOptions& config_options,
                                std::unordered_set<std::string>* result) const;
  std::string ToString(const ConfigOptions& config_options) const {
    return ToString(config_options, "");
  }
  std::string ToString(const ConfigOptions& config_options,
                       const std::string& prefix) const {
    return SerializeOptions(config_options, prefix);
  }

  // Options as lines for the information log.
  virtual std::string GetPrintableOptions() const { return ""; }

  // Called when all options are set, before the first use.
  virtual Status PrepareOptions(const ConfigOptions& config_options);
  // Checks the options against those of the database.
  virtual Status ValidateOptions(const DBOptions& db_opts,
                                 const ColumnFamilyOptions& cf_opts) const;

  // True if both have the same options. The name of the first difference goes
  // to `*name`.
  virtual bool AreEquivalent(const ConfigOptions& config_options,
                             const Configurable* other,
                             std::string* name) const;

 protected:
  virtual const void* GetOptionsPtr(const std::string& name) const;
  virtual std::string SerializeOptions(const ConfigOptions& config_options,
                                       const std::string& prefix) const;
};

}  // namespace ROCKSDB_NAMESPACE
