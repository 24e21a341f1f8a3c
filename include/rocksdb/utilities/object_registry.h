// An application's own objects by name, so that text such as
// "comparator=my.Order" and OPTIONS files find them.
//
//   ObjectLibrary    factories, each for a type of object and a name or a
//                    pattern of names
//   ObjectRegistry   libraries, of which the newest is asked first; then come
//                    those of the parent, and at last the built-in objects
//
// ConfigOptions::registry says where text looks. Every ConfigOptions begins
// with a registry of its own below ObjectRegistry::Default(): what is added to
// the latter, or to ObjectLibrary::Default(), is found everywhere; what is
// added to the former, by that ConfigOptions and its copies.
//
//   ObjectLibrary::Default()->AddFactory<const Comparator>(
//       "my.Order", [](const std::string&, std::unique_ptr<const Comparator>*,
//                      std::string*) {
//         static const MyOrder order;
//         return &order;
//       });
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class Logger;
class ObjectLibrary;

// Makes the object that the first argument names in full: the id, with what a
// pattern lets follow the name. A new object is put into the second argument
// and returned too; a static one, which lives for ever, is returned alone.
// nullptr is a failure, of which the third argument may say the reason.
template <typename T>
using FactoryFunc =
    std::function<T*(const std::string&, std::unique_ptr<T>*, std::string*)>;

// Adds factories to a library, and returns how many there were. The text is
// whatever the caller of AddLibrary() passed.
using RegistrarFunc = std::function<int(ObjectLibrary&, const std::string&)>;

// Sets up an object that was just made.
template <typename T>
using ConfigureFunc = std::function<Status(T*)>;

// Factories of objects. The type of an object is its base class's T::Type(),
// whether T is const or not.
//
// Threads    Any call from any thread; factories are called without a lock,
//            and several at once.
// Lifetime   A factory stays as long as its library; none is ever removed.
class ObjectLibrary {
 public:
  // The names that a factory is for.
  class Entry {
   public:
    virtual ~Entry() = default;
    virtual bool Matches(const std::string& target) const = 0;
    // The name by which it is listed.
    virtual const char* Name() const = 0;
  };

  // A name, its other names, and what may follow them, part by part.
  //
  //   PatternEntry("mine")                            mine
  //   PatternEntry("mine").AddNumber(":")             mine, mine:12
  //   PatternEntry("mine", false).AddNumber(":")      mine:12
  //   PatternEntry("mine", false).AddSeparator("://") mine://x, but not mine://
  class PatternEntry : public Entry {
   public:
    // With `optional`, the name matches without the parts behind it too. It
    // always does where there are none.
    explicit PatternEntry(const std::string& name, bool optional = true);

    // An id that Customizable objects have for themselves alone: the name,
    // or name@address#number.
    static PatternEntry AsIndividualId(const std::string& name);

    // `separator` and any text behind it; no text, only with `at_least_one`
    // false.
    PatternEntry& AddSeparator(const std::string& separator,
                               bool at_least_one = true);
    // `separator` and a decimal number behind it, which may begin with a minus
    // and, with `is_int` false, have a fraction.
    PatternEntry& AddNumber(const std::string& separator, bool is_int = true);
    // The text itself.
    PatternEntry& AddSuffix(const std::string& suffix);
    // The same parts may follow this name.
    PatternEntry& AnotherName(const std::string& alt);
    // See the constructor.
    PatternEntry& SetOptional(bool optional) {
      optional_ = optional;
      return *this;
    }

    bool Matches(const std::string& target) const override;
    const char* Name() const override { return names_.front().c_str(); }

   private:
    enum class Follows { kAnything, kSomething, kInteger, kDecimal, kNothing };
    struct Part {
      std::string separator;
      Follows follows;
    };

    bool MatchesParts(const std::string& target, size_t position,
                      size_t index) const;
    // True if text[begin, end) may stand behind a separator of that kind.
    static bool MayFollow(Follows kind, const std::string& text, size_t begin,
                          size_t end);

    std::vector<std::string> names_;
    bool optional_;
    std::vector<Part> parts_;
  };

  // A factory without its type. For ObjectRegistry and FindFactory().
  class Factory {
   public:
    // What Make() gives: Erased<T>() of the object.
    struct Made {
      const void* object = nullptr;
      bool owned = false;
    };

    Factory(std::string type, std::unique_ptr<const Entry> entry)
        : type_(std::move(type)), entry_(std::move(entry)) {}
    Factory(const Factory&) = delete;
    Factory& operator=(const Factory&) = delete;
    virtual ~Factory() = default;

    const Entry& entry() const { return *entry_; }

    // InvalidArgument, with type and id, unless the factory made an object.
    // What the application throws goes through.
    virtual Status Make(const std::string& id, Made* made) const = 0;

   protected:
    struct Outcome {
      bool is_null;
      bool is_consistent;  // The object is static, or is the one handed over.
      const std::string& why;
    };
    Status Check(const std::string& id, const Outcome& outcome) const;

   private:
    const std::string type_;
    const std::unique_ptr<const Entry> entry_;
  };

  explicit ObjectLibrary(const std::string& id) : id_(id) {}
  ObjectLibrary(const ObjectLibrary&) = delete;
  ObjectLibrary& operator=(const ObjectLibrary&) = delete;

  // The library that ObjectRegistry::Default() begins with.
  static std::shared_ptr<ObjectLibrary>& Default();

  const std::string& GetID() const { return id_; }

  // Adds a factory of objects of type T for one name. An OPTIONS file names an
  // object as it names itself: one that is to be found again is added by that
  // name too.
  template <typename T>
  const FactoryFunc<T>& AddFactory(const std::string& name,
                                   const FactoryFunc<T>& func) {
    return AddFactory<T>(PatternEntry(name), func);
  }
  // The same for all names that match. Of several factories that match a name,
  // the one that was added first is used.
  template <typename T>
  const FactoryFunc<T>& AddFactory(const PatternEntry& entry,
                                   const FactoryFunc<T>& func) {
    return Add<T>(std::make_unique<PatternEntry>(entry), func);
  }
  template <typename T>
  const FactoryFunc<T>& AddFactory(std::unique_ptr<const Entry> entry,
                                   const FactoryFunc<T>& func) {
    return Add<T>(std::move(entry), func);
  }

  // The factory for a name; empty if there is none.
  template <typename T>
  FactoryFunc<T> FindFactory(const std::string& name) const {
    std::shared_ptr<const Factory> factory = Find(T::Type(), name);
    if (factory == nullptr) return nullptr;
    return [factory = std::move(factory)](const std::string& id,
                                          std::unique_ptr<T>* guard,
                                          std::string* message) -> T* {
      Factory::Made made;
      const Status s = factory->Make(id, &made);
      if (!s.ok()) {
        if (message != nullptr && s.getState() != nullptr) {
          *message = s.getState();
        }
        return nullptr;
      }
      T* object = Restored<T>(made.object);
      guard->reset(made.owned ? object : nullptr);
      return object;
    };
  }
  std::shared_ptr<const Factory> Find(const std::string& type,
                                      const std::string& name) const;

  // The number of factories, and of types that they make.
  size_t GetFactoryCount(size_t* num_types) const;
  // The number of factories of a type.
  size_t GetFactoryCount(const std::string& type) const;
  // Adds the names of the factories of a type.
  void GetFactoryNames(const std::string& type,
                       std::unordered_set<std::string>* names) const;
  void GetFactoryNames(const std::string& type,
                       std::vector<std::string>* names) const;
  // Adds the types.
  void GetFactoryTypes(std::unordered_set<std::string>* types) const;

  // Has `registrar` add factories, and returns what it does.
  int Register(const RegistrarFunc& registrar, const std::string& arg) {
    return registrar(*this, arg);
  }

  // Writes types and names to a log.
  void Dump(Logger* logger) const;

  // A pointer of which the type is forgotten, and back. An object with a name
  // goes by that base, so that a factory may be added for a derived class.
  template <typename T>
  static const void* Erased(const T* object) {
    if constexpr (std::is_convertible_v<const T*, const Customizable*>) {
      return static_cast<const Customizable*>(object);
    } else {
      return object;
    }
  }
  template <typename T>
  static T* Restored(const void* object) {
    using Object = std::remove_const_t<T>;
    if constexpr (std::is_convertible_v<const T*, const Customizable*>) {
      return const_cast<Object*>(
          static_cast<const T*>(static_cast<const Customizable*>(object)));
    } else {
      return const_cast<Object*>(static_cast<const T*>(object));
    }
  }

 private:
  template <typename T>
  class FactoryOf : public Factory {
   public:
    FactoryOf(std::unique_ptr<const Entry> entry, const FactoryFunc<T>& func)
        : Factory(T::Type(), std::move(entry)), func_(func) {}

    const FactoryFunc<T>& func() const { return func_; }

    Status Make(const std::string& id, Made* made) const override {
      std::unique_ptr<T> guard;
      std::string why;
      T* object = func_(id, &guard, &why);
      const bool is_consistent = guard == nullptr || guard.get() == object;
      Status s = Check(id, {object == nullptr, is_consistent, why});
      if (!s.ok()) return s;
      made->object = Erased<T>(object);
      made->owned = guard.release() != nullptr;
      return s;
    }

   private:
    const FactoryFunc<T> func_;
  };

  template <typename T>
  const FactoryFunc<T>& Add(std::unique_ptr<const Entry> entry,
                            const FactoryFunc<T>& func) {
    auto factory = std::make_shared<FactoryOf<T>>(std::move(entry), func);
    const FactoryFunc<T>& result = factory->func();
    Keep(T::Type(), std::move(factory));
    return result;
  }
  void Keep(const std::string& type, std::shared_ptr<const Factory> factory);

  const std::string id_;
  mutable std::mutex mutex_;  // Guards what follows.
  std::map<std::string, std::vector<std::shared_ptr<const Factory>>> factories_;
};

// Makes objects by the names that its libraries know, and remembers shared ones
// for as long as somebody uses them (managed objects).
//
// Errors    NotSupported for a name that no factory matches. InvalidArgument,
//           with type and name, for a factory that returns nullptr, or an
//           object of another kind of ownership; Aborted for one that throws.
//           Results are then untouched.
// Threads   Any call from any thread. Factories are called without a lock.
class ObjectRegistry {
 public:
  // A registry below Default(), or below `parent`. Without a parent it knows
  // what is added to it, and the built-in objects.
  static std::shared_ptr<ObjectRegistry> NewInstance();
  static std::shared_ptr<ObjectRegistry> NewInstance(
      const std::shared_ptr<ObjectRegistry>& parent);
  // The registry above all others. It begins with ObjectLibrary::Default().
  static std::shared_ptr<ObjectRegistry> Default();

  explicit ObjectRegistry(const std::shared_ptr<ObjectRegistry>& parent)
      : parent_(parent) {}
  // With the plug-ins that were compiled into this library.
  explicit ObjectRegistry(const std::shared_ptr<ObjectLibrary>& library);
  ObjectRegistry(const ObjectRegistry&) = delete;
  ObjectRegistry& operator=(const ObjectRegistry&) = delete;

  // Adds a library, which is asked before those that are there: an empty one;
  // one made elsewhere, unless null; or one that `registrar` fills, which is
  // not added if that throws.
  std::shared_ptr<ObjectLibrary> AddLibrary(const std::string& id);
  void AddLibrary(const std::shared_ptr<ObjectLibrary>& library);
  void AddLibrary(const std::string& id, const RegistrarFunc& registrar,
                  const std::string& arg);

  // Adds a library that `registrar` fills, and remembers its name for Dump().
  // Returns what the registrar does; -1 without a name or a registrar.
  int RegisterPlugin(const std::string& name, const RegistrarFunc& registrar);

  // Makes the object named `target`. A new one is owned by `*guard`; for a
  // static one `*guard` is left empty.
  template <typename T>
  Status NewObject(const std::string& target, T** object,
                   std::unique_ptr<T>* guard) const {
    ObjectLibrary::Factory::Made made;
    Status s = Make(T::Type(), target, &made);
    if (!s.ok()) return s;
    *object = ObjectLibrary::Restored<T>(made.object);
    guard->reset(made.owned ? *object : nullptr);
    return s;
  }

  // The same where the object must be a new one.
  template <typename T>
  Status NewUniqueObject(const std::string& target,
                         std::unique_ptr<T>* result) const {
    T* object = nullptr;
    std::unique_ptr<T> guard;
    Status s = NewObject(target, &object, &guard);
    if (!s.ok()) return s;
    if (guard == nullptr) return IsStatic(T::Type(), target);
    *result = std::move(guard);
    return s;
  }
  template <typename T>
  Status NewSharedObject(const std::string& target,
                         std::shared_ptr<T>* result) const {
    std::unique_ptr<T> object;
    Status s = NewUniqueObject(target, &object);
    if (s.ok()) *result = std::move(object);
    return s;
  }
  // The same where it must be a static one.
  template <typename T>
  Status NewStaticObject(const std::string& target, T** result) const {
    T* object = nullptr;
    std::unique_ptr<T> guard;
    Status s = NewObject(target, &object, &guard);
    if (!s.ok()) return s;
    if (guard != nullptr) return IsOwned(T::Type(), target);
    *result = object;
    return s;
  }

  // Managed objects are those of Customizable types. The registry does not
  // keep them: one is gone once its last user is.

  // The object known by `id` here or in a parent; nullptr if there is none.
  template <typename T>
  std::shared_ptr<T> GetManagedObject(const std::string& id) const {
    return std::static_pointer_cast<T>(FindManaged(T::Type(), id));
  }
  // Makes the object known by its GetId(), or by `id`. InvalidArgument for
  // nullptr, or if another object is known by that.
  template <typename T>
  Status SetManagedObject(const std::shared_ptr<T>& object) {
    if (object == nullptr) return IsNull(T::Type());
    return SetManagedObject<T>(object->GetId(), object);
  }
  template <typename T>
  Status SetManagedObject(const std::string& id,
                          const std::shared_ptr<T>& object) {
    if (object == nullptr) return IsNull(T::Type());
    return AddManaged(T::Type(), id, Changeable<T>(object)).second;
  }
  // GetManagedObject(), or else a new object, after `configure`. Threads that
  // ask at once are given the same object.
  template <typename T>
  Status GetOrCreateManagedObject(const std::string& id,
                                  std::shared_ptr<T>* result,
                                  const ConfigureFunc<T>& configure = nullptr) {
    std::shared_ptr<T> object = GetManagedObject<T>(id);
    if (object == nullptr) {
      Status s = NewSharedObject(id, &object);
      if (s.ok() && configure != nullptr) {
        s = Configure(T::Type(), id, [&] { return configure(object.get()); });
      }
      if (!s.ok()) return s;
      object = std::static_pointer_cast<T>(
          AddManaged(T::Type(), id, Changeable<T>(object)).first);
    }
    *result = std::move(object);
    return Status::OK();
  }
  // Adds the objects of type T here and in the parents; with a `name`, those
  // that are instances of it.
  template <typename T>
  Status ListManagedObjects(const std::string& name,
                            std::vector<std::shared_ptr<T>>* results) const {
    for (std::shared_ptr<Customizable>& object : AllManaged(T::Type(), name)) {
      results->push_back(std::static_pointer_cast<T>(std::move(object)));
    }
    return Status::OK();
  }
  template <typename T>
  Status ListManagedObjects(std::vector<std::shared_ptr<T>>* results) const {
    return ListManagedObjects<T>("", results);
  }

  // What can be made: here, by the parents, and the built-in objects. Each
  // call adds to the set.
  void GetFactoryNames(const std::string& type,
                       std::unordered_set<std::string>* names) const;
  void GetFactoryNames(const std::string& type,
                       std::vector<std::string>* names) const;
  void GetFactoryTypes(std::unordered_set<std::string>* types) const;
  // How many factories there are for a type.
  size_t GetFactoryCount(const std::string& type) const;

  // Writes plugins and libraries with their factories to a log.
  void Dump(Logger* logger) const;

 private:
  using Libraries = std::vector<std::shared_ptr<ObjectLibrary>>;

  // From the newest to the oldest.
  Libraries OwnLibraries() const;
  // Those of the parents too, and at last the built-in one.
  Libraries AllLibraries() const;

  Status Make(const std::string& type, const std::string& id,
              ObjectLibrary::Factory::Made* made) const;
  static Status Configure(const std::string& type, const std::string& id,
                          const std::function<Status()>& configure);
  static Status IsStatic(const std::string& type, const std::string& id);
  static Status IsOwned(const std::string& type, const std::string& id);
  static Status IsNull(const std::string& type);

  template <typename T>
  static std::shared_ptr<Customizable> Changeable(
      const std::shared_ptr<T>& object) {
    return std::const_pointer_cast<std::remove_const_t<T>>(object);
  }
  std::shared_ptr<Customizable> FindManaged(const std::string& type,
                                            const std::string& id) const;
  std::vector<std::shared_ptr<Customizable>> AllManaged(
      const std::string& type, const std::string& name) const;
  // The object that is then known by `id`, and whether it is the one given.
  std::pair<std::shared_ptr<Customizable>, Status> AddManaged(
      const std::string& type, const std::string& id,
      const std::shared_ptr<Customizable>& object);

  const std::shared_ptr<ObjectRegistry> parent_;
  mutable std::mutex mutex_;  // Guards what follows.
  Libraries libraries_;
  std::vector<std::string> plugins_;
  // By type and id.
  std::map<std::pair<std::string, std::string>, std::weak_ptr<Customizable>>
      managed_;
};

}  // namespace ROCKSDB_NAMESPACE
