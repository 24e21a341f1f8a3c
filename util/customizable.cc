#include "rocksdb/customizable.h"

namespace ROCKSDB_NAMESPACE {

Status Configurable::ConfigureFromMap(
    const ConfigOptions& config_options,
    const std::unordered_map<std::string, std::string>& opts_map) {
  for (const auto& [name, value] : opts_map) {
    if (name == "id") continue;  // Says which class this is.
    Status s = ConfigureOption(config_options, name, value);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status Configurable::ConfigureFromString(
    const ConfigOptions& /*config_options*/, const std::string& opts) {
  if (opts.empty()) return Status::OK();
  return Status::InvalidArgument("object has no options", opts);
}

Status Configurable::ConfigureOption(const ConfigOptions& /*config_options*/,
                                     const std::string& name,
                                     const std::string& value) {
  return Status::NotFound("no such option", name + "=" + value);
}

Status Configurable::GetOptionString(const ConfigOptions& /*config_options*/,
                                     std::string* result) const {
  result->clear();
  return Status::OK();
}

Status Configurable::GetOption(const ConfigOptions& /*config_options*/,
                               const std::string& name,
                               std::string* /*value*/) const {
  return Status::NotFound("no such option", name);
}

Status Configurable::GetOptionNames(
    const ConfigOptions& /*config_options*/,
    std::unordered_set<std::string>* result) const {
  result->clear();
  return Status::OK();
}

Status Configurable::PrepareOptions(const ConfigOptions& /*config_options*/) {
  return Status::OK();
}

Status Configurable::ValidateOptions(
    const DBOptions& /*db_opts*/,
    const ColumnFamilyOptions& /*cf_opts*/) const {
  return Status::OK();
}

bool Configurable::AreEquivalent(const ConfigOptions& config_options,
                                 const Configurable* other,
                                 std::string* name) const {
  name->clear();
  if (this == other) return true;
  if (other == nullptr) return false;
  std::string mine;
  std::string theirs;
  return GetOptionString(config_options, &mine).ok() &&
         other->GetOptionString(config_options, &theirs).ok() && mine == theirs;
}

const void* Configurable::GetOptionsPtr(const std::string& /*name*/) const {
  return nullptr;
}

std::string Configurable::SerializeOptions(const ConfigOptions& config_options,
                                           const std::string& prefix) const {
  std::string text;
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

}  // namespace ROCKSDB_NAMESPACE
