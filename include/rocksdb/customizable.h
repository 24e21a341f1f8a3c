#pragma once

// A Configurable that an application may replace by a class of its own, known
// by its name.

#include <string>
#include <unordered_map>

#include "rocksdb/configurable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Customizable : public Configurable {
 public:
  ~Customizable() override = default;

  // The name of the class. It is written to files where the class decides how
  // they are read, so it must never change.
  virtual const char* Name() const = 0;

  // The text from which an equal object can be made; the name if the class
  // has nothing to set.
  virtual std::string GetId() const { return Name(); }

  // True if `name` is the name or the nickname of this class.
  virtual bool IsInstanceOf(const std::string& name) const {
    return !name.empty() && (name == Name() || name == NickName());
  }

  // This object as a T, looking through wrappers; nullptr if it is none. The
  // class says who it is through T::kClassName().
  template <typename T>
  const T* CheckedCast() const {
    return static_cast<const T*>(FindInstance(T::kClassName()));
  }
  template <typename T>
  T* CheckedCast() {
    return const_cast<T*>(static_cast<const T*>(FindInstance(T::kClassName())));
  }

  // The object that this one wraps, or nullptr.
  virtual const Customizable* Inner() const { return nullptr; }

  // Looks through wrappers too.
  const void* GetOptionsPtr(const std::string& name) const override;

  bool AreEquivalent(const ConfigOptions& config_options,
                     const Configurable* other,
                     std::string* mismatch) const override;

  // Like Configurable::GetOptionsMap(), but a text without an id gets the id of
  // `custom`. If the text then names the class of `custom`, the options that it
  // lacks are taken from `custom`, which may be null.
  static Status GetOptionsMap(
      const ConfigOptions& config_options, const Customizable* custom,
      const std::string& opt_value, std::string* id,
      std::unordered_map<std::string, std::string>* options);
  // Gives a new object its options. A null one has none.
  static Status ConfigureNewObject(
      const ConfigOptions& config_options, Customizable* object,
      const std::unordered_map<std::string, std::string>& options);

 protected:
  // An id that no other object has while this one lives.
  std::string GenerateIndividualId() const;
  std::string GetOptionName(const std::string& long_name) const override;

  // A second, shorter name; empty if there is none.
  virtual const char* NickName() const { return ""; }

  const Customizable* FindInstance(const std::string& name) const {
    for (const Customizable* c = this; c != nullptr; c = c->Inner()) {
      if (c->IsInstanceOf(name)) return c;
    }
    return nullptr;
  }
};

}  // namespace ROCKSDB_NAMESPACE
