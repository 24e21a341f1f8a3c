#pragma once

// An object with options of its own that text can set and show.
//
// The defaults below serve an object without options: it accepts an empty list
// and refuses any name. A class with options registers them, as
// utilities/options_type.h shows, or overrides ConfigureOption() and
// GetOptionString(), by which the other calls go then.
//
// Threads  Configure before use, from one thread; const calls from any.

#include <atomic>
#include <cstdint>
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
class OptionTypeInfo;

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
  // Names that the object lacks go to `*unused`, if that is not null.
  Status ConfigureFromMap(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& opts_map,
      std::unordered_map<std::string, std::string>* unused);
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

  // Takes the text of an object apart: {id=...;option=value}, or an id. Without
  // an id it is `default_id`, or InvalidArgument if that is empty.
  static Status GetOptionsMap(
      const std::string& opt_value, const std::string& default_id,
      std::string* id, std::unordered_map<std::string, std::string>* options);

 protected:
  // Options that are described, at an offset from this object, so that a copy
  // of the object has its own.
  struct RegisteredOptions {
    std::string name;
    intptr_t opt_offset;
    const std::unordered_map<std::string, OptionTypeInfo>* type_map;
  };

  // Declares the struct at `opt_ptr`, a member of this object, with what is in
  // it. For constructors; the map must outlive the object.
  template <typename T>
  void RegisterOptions(
      T* opt_ptr,
      const std::unordered_map<std::string, OptionTypeInfo>* opt_map) {
    RegisterOptions(T::kName(), opt_ptr, opt_map);
  }
  void RegisterOptions(
      const std::string& name, void* opt_ptr,
      const std::unordered_map<std::string, OptionTypeInfo>* opt_map);
  bool HasRegisteredOptions() const { return !registered_.empty(); }

  // What ConfigureFromString() does with text that has no option names.
  virtual Status ParseStringOptions(const ConfigOptions& config_options,
                                    const std::string& opts_str);
  // What ConfigureFromMap() does.
  virtual Status ConfigureOptions(
      const ConfigOptions& config_options,
      const std::unordered_map<std::string, std::string>& opts_map,
      std::unordered_map<std::string, std::string>* unused);
  // What is done with one registered option.
  virtual Status ParseOption(const ConfigOptions& config_options,
                             const OptionTypeInfo& opt_info,
                             const std::string& opt_name,
                             const std::string& opt_value, void* opt_ptr);
  virtual bool OptionsAreEqual(const ConfigOptions& config_options,
                               const OptionTypeInfo& opt_info,
                               const std::string& name,
                               const void* const this_ptr,
                               const void* const that_ptr,
                               std::string* bad_name) const;
  // The name of an option without what stands for this object in front of it.
  virtual std::string GetOptionName(const std::string& long_name) const {
    return long_name;
  }

  // Null if there are none of that name.
  virtual const void* GetOptionsPtr(const std::string& name) const;
  virtual std::string SerializeOptions(const ConfigOptions& config_options,
                                       const std::string& prefix) const;

 private:
  friend class RegisteredOptionCallsImpl;

  std::vector<RegisteredOptions> registered_;
};

}  // namespace ROCKSDB_NAMESPACE
