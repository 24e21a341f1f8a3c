// Objects from text: how it names, makes and configures them.
//
//   nullptr  |  id  |  {id=Name;option=value;...}  |  {option=value;...}
//
// The last form, and the others where the name is that of the present object,
// configures a copy of the present object: its clone, where the class has any,
// or else a new one that is given the options of both. An id is looked up in
// ConfigOptions::registry; an URI is one as a whole.
//
// Ownership  A shared_ptr takes new objects; a raw pointer takes static ones,
//            of which there is one for all, so its options are one for all.
// Errors     Those of ObjectRegistry and of the object's own calls; Aborted
//            for one that throws.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "options/option_row.h"
#include "options/text.h"
#include "options/user_code.h"
#include "rocksdb/convenience.h"
#include "rocksdb/customizable.h"
#include "rocksdb/status.h"
#include "rocksdb/utilities/object_registry.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

class Cache;

// Where `config` has objects looked up.
const ObjectRegistry& RegistryOf(const ConfigOptions& config);

struct ObjectText {
  std::string id;  // empty if the text has none
  std::unordered_map<std::string, std::string> options;
};

// Takes apart the forms above, but for nullptr.
Status SplitObjectText(std::string_view text, ObjectText* result);

// nullptr, or nothing.
bool IsNullText(std::string_view text);

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

// What an object answers that lacks the one of its option `option`.
Status MissingObject(const std::string& option);

// NotFound for an option that an object does not have is InvalidArgument of
// the text that names both; all else, MissingObject() too, is as it is.
Status AsBadObjectText(Status s);

// Gives a new object the options of its text, and tells it that these are all.
template <class T>
Status ConfigureObject(const ConfigOptions& config, const ObjectText& parts,
                       T* made) {
  auto* object = const_cast<std::remove_const_t<T>*>(made);
  const std::string name = std::string(T::Type()) + " " + parts.id;
  if constexpr (requires { object->ConfigureFromMap(config, parts.options); }) {
    return CallUserCode(name, [&] {
      Status s;
      if (!parts.options.empty()) {
        s = AsBadObjectText(object->ConfigureFromMap(config, parts.options));
      }
      if (s.ok() && config.invoke_prepare_options) {
        s = object->PrepareOptions(config);
      }
      return s;
    });
  } else if (!parts.options.empty()) {
    return Status::InvalidArgument("the object has no options", name);
  }
  return Status::OK();
}

// Adds the options of `present` that the text lacks, if that is about its
// class; a text without an id is.
Status AddPresentOptions(const ConfigOptions& config,
                         const Customizable& present, ObjectText* parts);

// A new object as the text describes it, not null. NotSupported if nothing has
// the name.
template <class T>
Status MakeUniqueFromParts(const ConfigOptions& config, const ObjectText& parts,
                           std::unique_ptr<T>* result) {
  std::unique_ptr<T> object;
  Status s = RegistryOf(config).NewUniqueObject(parts.id, &object);
  if (s.ok()) s = ConfigureObject(config, parts, object.get());
  if (s.ok()) *result = std::move(object);
  return s;
}
template <class T>
Status MakeUniqueFromText(const ConfigOptions& config, std::string_view text,
                          std::unique_ptr<T>* result) {
  ObjectText parts;
  Status s = SplitObjectText(text, &parts);
  return s.ok() ? MakeUniqueFromParts(config, parts, result) : s;
}

// The same, or a copy of the field's present object, `current`.
template <class T>
Status MakeSharedFromText(const ConfigOptions& config, std::string_view text,
                          const std::shared_ptr<T>& current,
                          std::shared_ptr<T>* result) {
  ObjectText parts;
  Status s = SplitObjectText(text, &parts);
  if (!s.ok()) return s;
  if constexpr (requires { current->Clone(); }) {
    if (current != nullptr &&
        (parts.id.empty() || parts.id == current->Name())) {
      std::shared_ptr<T> copy = current->Clone();
      s = ConfigureObject(config, parts, copy.get());
      if (s.ok()) *result = std::move(copy);
      return s;
    }
  } else if constexpr (std::is_convertible_v<const T*, const Customizable*>) {
    if (current != nullptr) s = AddPresentOptions(config, *current, &parts);
  }
  std::unique_ptr<T> object;
  if (s.ok()) s = MakeUniqueFromParts(config, parts, &object);
  if (s.ok()) *result = std::move(object);
  return s;
}

// A cache. The built-in one has all its options from the beginning: they, or
// its size alone, are part of the id by which it is made.
Status MakeSharedFromText(const ConfigOptions& config, std::string_view text,
                          const std::shared_ptr<Cache>& current,
                          std::shared_ptr<Cache>* result);

// A static object as `text` describes it.
template <class T>
Status MakeStaticFromText(const ConfigOptions& config, std::string_view text,
                          T** result) {
  ObjectText parts;
  if (Status s = SplitObjectText(text, &parts); !s.ok()) return s;
  T* object = nullptr;
  Status s = RegistryOf(config).NewStaticObject(parts.id, &object);
  if (s.ok()) s = ConfigureObject(config, parts, object);
  if (s.ok()) *result = object;
  return s;
}

template <class T>
Status ParseSharedObject(const ConfigOptions& config, std::string_view text,
                         std::shared_ptr<T>* value) {
  const std::string_view trimmed = TrimSpace(text);
  if (IsNullText(trimmed)) {
    value->reset();
    return Status::OK();
  }
  std::shared_ptr<T> object;
  Status s = MakeSharedFromText(config, trimmed, *value, &object);
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
  if (IsNullText(trimmed)) {
    *value = nullptr;
    return Status::OK();
  }
  // Named as it is already: keep it, since it may be the application's own.
  if (*value != nullptr && trimmed == PrintObject(config, *value)) {
    return Status::OK();
  }
  Status s = MakeStaticFromText(config, trimmed, value);
  const bool is_passed_over =
      s.IsNotSupported() && config.ignore_unsupported_options;
  return is_passed_over ? Status::OK() : s;
}

template <class T>
bool SameObject(const ConfigOptions& config, const T* a, const T* b) {
  return a == b || PrintObject(config, a) == PrintObject(config, b);
}

}  // namespace ROCKSDB_NAMESPACE
