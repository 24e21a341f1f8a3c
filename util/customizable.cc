#include "rocksdb/customizable.h"

#include <unistd.h>

#include <sstream>

#include "rocksdb/convenience.h"
#include "util/registered_option_calls.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Texts = RegisteredOptionCalls::Texts;

const RegisteredOptionCalls& Calls() {
  return *registered_option_calls.load(std::memory_order_acquire);
}

Status SplitOptions(const std::string& text, Texts* texts) {
  const RegisteredOptionCalls* const calls =
      registered_option_calls.load(std::memory_order_acquire);
  return calls != nullptr
             ? calls->Split(text, texts)
             : Status::NotSupported("nothing here reads options", text);
}

// What an object that has registered nothing says of itself.
Status OwnOptions(const ConfigOptions& config_options,
                  const Configurable& object, Texts* texts) {
  ConfigOptions embedded = config_options;
  embedded.delimiter = ";";
  std::string text;
  Status s = object.GetOptionString(embedded, &text);
  return s.ok() && !text.empty() ? SplitOptions(text, texts) : s;
}

}  // namespace

Status Configurable::ConfigureFromMap(
    const ConfigOptions& config_options,
    const std::unordered_map<std::string, std::string>& opts_map) {
  return ConfigureOptions(config_options, opts_map, nullptr);
}

Status Configurable::ConfigureFromMap(
    const ConfigOptions& config_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    std::unordered_map<std::string, std::string>* unused) {
  return unused == nullptr ? ConfigureFromMap(config_options, opts_map)
                           : ConfigureOptions(config_options, opts_map, unused);
}

Status Configurable::ConfigureOptions(
    const ConfigOptions& config_options,
    const std::unordered_map<std::string, std::string>& opts_map,
    std::unordered_map<std::string, std::string>* unused) {
  if (HasRegisteredOptions()) {
    return Calls().SetAll(config_options, opts_map, unused, this);
  }
  for (const auto& [name, value] : opts_map) {
    if (name == "id") continue;  // Says which class this is.
    Status s = ConfigureOption(config_options, GetOptionName(name), value);
    if (s.IsNotFound() && unused != nullptr) {
      (*unused)[name] = value;
    } else if (!s.ok() &&
               !(s.IsNotFound() && config_options.ignore_unknown_options)) {
      return s;
    }
  }
  return Status::OK();
}

Status Configurable::ConfigureFromString(const ConfigOptions& config_options,
                                         const std::string& opts) {
  if (opts.empty()) return Status::OK();
  if (opts.find_first_of("=;") == std::string::npos) {
    return ParseStringOptions(config_options, opts);
  }
  Texts texts;
  Status s = SplitOptions(opts, &texts);
  return s.ok() ? ConfigureFromMap(config_options, texts) : s;
}

Status Configurable::ParseStringOptions(const ConfigOptions& /*config_options*/,
                                        const std::string& opts_str) {
  return Status::InvalidArgument("not options of the object", opts_str);
}

Status Configurable::ParseOption(const ConfigOptions& config_options,
                                 const OptionTypeInfo& opt_info,
                                 const std::string& opt_name,
                                 const std::string& opt_value, void* opt_ptr) {
  if (!HasRegisteredOptions()) return Status::NotFound("no option", opt_name);
  return Calls().ParseOne(config_options, opt_info, opt_name, opt_value,
                          opt_ptr);
}

bool Configurable::OptionsAreEqual(const ConfigOptions& config_options,
                                   const OptionTypeInfo& opt_info,
                                   const std::string& name,
                                   const void* const this_ptr,
                                   const void* const that_ptr,
                                   std::string* bad_name) const {
  if (HasRegisteredOptions()) {
    return Calls().OneIsEqual(config_options, opt_info, name, this_ptr,
                              that_ptr, bad_name);
  }
  *bad_name = name;
  return false;
}

Status Configurable::ConfigureOption(const ConfigOptions& config_options,
                                     const std::string& name,
                                     const std::string& value) {
  if (HasRegisteredOptions()) {
    return Calls().Set(config_options, name, value, this);
  }
  return Status::NotFound("no such option", name + "=" + value);
}

Status Configurable::GetOptionString(const ConfigOptions& config_options,
                                     std::string* result) const {
  result->clear();
  if (HasRegisteredOptions()) {
    return Calls().PrintAll(config_options, "", *this, result);
  }
  return Status::OK();
}

Status Configurable::GetOption(const ConfigOptions& config_options,
                               const std::string& name,
                               std::string* value) const {
  if (HasRegisteredOptions()) {
    return Calls().Print(config_options, name, *this, value);
  }
  Texts texts;
  if (Status s = OwnOptions(config_options, *this, &texts); !s.ok()) return s;
  const auto found = texts.find(GetOptionName(name));
  if (found == texts.end()) return Status::NotFound("no such option", name);
  *value = found->second;
  return Status::OK();
}

Status Configurable::GetOptionNames(
    const ConfigOptions& config_options,
    std::unordered_set<std::string>* result) const {
  result->clear();
  if (HasRegisteredOptions()) {
    Calls().Names(config_options, *this, result);
    return Status::OK();
  }
  Texts texts;
  Status s = OwnOptions(config_options, *this, &texts);
  for (const auto& [name, value] : texts) result->insert(name);
  return s;
}

Status Configurable::PrepareOptions(const ConfigOptions& config_options) {
  return HasRegisteredOptions() ? Calls().Prepare(config_options, this)
                                : Status::OK();
}

Status Configurable::ValidateOptions(const DBOptions& db_opts,
                                     const ColumnFamilyOptions& cf_opts) const {
  return HasRegisteredOptions() ? Calls().Validate(db_opts, cf_opts, *this)
                                : Status::OK();
}

bool Configurable::AreEquivalent(const ConfigOptions& config_options,
                                 const Configurable* other,
                                 std::string* name) const {
  name->clear();
  if (this == other) return true;
  if (other == nullptr) return false;
  if (HasRegisteredOptions()) {
    return Calls().AreEqual(config_options, *this, *other, name);
  }
  std::string mine;
  std::string theirs;
  return GetOptionString(config_options, &mine).ok() &&
         other->GetOptionString(config_options, &theirs).ok() && mine == theirs;
}

const void* Configurable::GetOptionsPtr(const std::string& name) const {
  for (const RegisteredOptions& options : registered_) {
    if (options.name != name) continue;
    return reinterpret_cast<const char*>(this) + options.opt_offset;
  }
  return nullptr;
}

std::string Configurable::SerializeOptions(const ConfigOptions& config_options,
                                           const std::string& prefix) const {
  std::string text;
  if (HasRegisteredOptions()) {
    const Status s = Calls().PrintAll(config_options, prefix, *this, &text);
    return s.ok() ? text : "";
  }
  if (!GetOptionString(config_options, &text).ok()) return "";
  return prefix + text;
}

bool Customizable::AreEquivalent(const ConfigOptions& config_options,
                                 const Configurable* other,
                                 std::string* mismatch) const {
  const auto* that = dynamic_cast<const Customizable*>(other);
  if (that == nullptr || GetId() != that->GetId()) {
    *mismatch = "id";
    return false;
  }
  return Configurable::AreEquivalent(config_options, other, mismatch);
}

const void* Customizable::GetOptionsPtr(const std::string& name) const {
  const void* options = Configurable::GetOptionsPtr(name);
  if (options != nullptr || Inner() == nullptr) return options;
  return Inner()->GetOptionsPtr(name);
}

std::string Customizable::GetOptionName(const std::string& long_name) const {
  const std::string prefix = std::string(Name()) + ".";
  return StartsWith(long_name, prefix) ? long_name.substr(prefix.size())
                                       : long_name;
}

std::string Customizable::GenerateIndividualId() const {
  std::ostringstream id;
  id << Name() << "@" << static_cast<const void*>(this) << "#" << getpid();
  return id.str();
}

Status Customizable::ConfigureNewObject(
    const ConfigOptions& config_options, Customizable* object,
    const std::unordered_map<std::string, std::string>& options) {
  if (object != nullptr) {
    return object->ConfigureFromMap(config_options, options);
  }
  return options.empty() ? Status::OK()
                         : Status::InvalidArgument("options without an object");
}

}  // namespace ROCKSDB_NAMESPACE
