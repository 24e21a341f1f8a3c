// Fields that point to objects: how their text names, makes and configures
// them.
//
//   nullptr  |  id  |  {id=Name;option=value;...}  |  {option=value;...}
//
// The last form, and the third where the name is that of the present object,
// configures a copy of the present object, where its class can be cloned.
//
// Ownership  Objects for raw-pointer fields live as long as the process.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "options/object_registry.h"
#include "options/option_row.h"
#include "options/text.h"
#include "rocksdb/convenience.h"
#include "rocksdb/status.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

struct ObjectText {
  std::string id;  // empty if the text has none
  std::unordered_map<std::string, std::string> options;
};

// Takes apart the forms above, but for nullptr.
Status SplitObjectText(std::string_view text, ObjectText* result);

// Keeps an object that a raw pointer refers to for the rest of the process.
void KeepForProcess(std::shared_ptr<const void> object);

// `id`, or {id=...;options} if the object has options and config asks for them.
std::string JoinObjectText(const std::string& id, const std::string& options);

// An object's text with a backslash in front of # and \, and \n, \r for line
// ends: names are the application's, and must not end a line of a file early.
std::string EscapeObjectText(const std::string& text);

template <class T>
std::string PrintObject(const ConfigOptions& config, const T* object) {
  if (object == nullptr) return "nullptr";
  if constexpr (requires { object->GetId(); }) {
    std::string id = object->GetId();
    if (id.empty()) id = object->Name();
    if (config.IsShallow()) return id;
    std::string options;
    if (!object->GetOptionString(config, &options).ok()) return id;
    return JoinObjectText(id, options);
  } else {
    return object->Name();
  }
}

// The object that `text` describes; `current` is the field's present one.
template <class T>
Status MakeObjectFromText(const ConfigOptions& config, std::string_view text,
                          const std::shared_ptr<T>& current,
                          std::shared_ptr<T>* result) {
  using Object = std::remove_const_t<T>;
  ObjectText parts;
  if (Status s = SplitObjectText(text, &parts); !s.ok()) return s;
  std::shared_ptr<Object> object;
  if constexpr (requires { current->Clone(); }) {
    const bool same =
        current != nullptr && (parts.id.empty() || parts.id == current->Name());
    if (same) object = current->Clone();
  }
  if (object == nullptr) {
    if (parts.id.empty()) {
      return Status::NotSupported("no object to configure", std::string(text));
    }
    if (Status s = MakeObject<Object>(parts.id, &object); !s.ok()) return s;
  }
  if (!parts.options.empty()) {
    if constexpr (requires {
                    object->ConfigureFromMap(config, parts.options);
                  }) {
      Status s = object->ConfigureFromMap(config, parts.options);
      if (!s.ok()) return s;
    } else {
      return Status::InvalidArgument("the object has no options",
                                     std::string(text));
    }
  }
  *result = std::move(object);
  return Status::OK();
}

template <class T>
Status ParseSharedObject(const ConfigOptions& config, std::string_view text,
                         std::shared_ptr<T>* value) {
  const std::string_view trimmed = TrimSpace(text);
  if (trimmed.empty() || trimmed == "nullptr") {
    value->reset();
    return Status::OK();
  }
  std::shared_ptr<T> object;
  Status s = MakeObjectFromText<T>(config, trimmed, *value, &object);
  if (s.IsNotSupported() && config.ignore_unsupported_options) {
    value->reset();
    return Status::OK();
  }
  if (s.ok()) *value = std::move(object);
  return s;
}

template <class T>
Status ParseRawObject(const ConfigOptions& config, std::string_view text,
                      T** value) {
  const std::string_view trimmed = TrimSpace(text);
  if (trimmed.empty() || trimmed == "nullptr") {
    *value = nullptr;
    return Status::OK();
  }
  // Named as it is already: keep it, since it may be the application's own.
  if (*value != nullptr && trimmed == PrintObject(config, *value)) {
    return Status::OK();
  }
  std::shared_ptr<T> object;
  Status s = MakeObjectFromText<T>(config, trimmed, nullptr, &object);
  if (s.IsNotSupported() && config.ignore_unsupported_options) {
    return Status::OK();
  }
  if (!s.ok()) return s;
  *value = object.get();
  KeepForProcess(std::move(object));
  return Status::OK();
}

template <class T>
bool SameObject(const ConfigOptions& config, const T* a, const T* b) {
  return a == b || PrintObject(config, a) == PrintObject(config, b);
}

}  // namespace ROCKSDB_NAMESPACE
