// Structs and shared objects of the public interface as objects of Java's.
//
// Threads    A struct may be used by one thread at a time, as in C++.
// Ownership  What a struct points to without owning it, it keeps alive: so may
//            Java close a comparator while options, and a database that was
//            opened with them, still use it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>

#include "java/jni/call.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
class BlobFilePartitionStrategy;
class CompactionFilterFactory;
class CompactionService;
class CompressionManager;
class FileChecksumGenFactory;
class FilterPolicy;
class FlushBlockPolicyFactory;
class PersistentCache;
class SliceTransform;
class UserDefinedIndexFactory;
struct ExportImportFilesMetaData;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::jni {

// What keeps alive the things that a struct only points to, by field.
using Kept = std::map<const void*, std::shared_ptr<const void>>;

// Adds what another struct keeps, whose pointers were copied: by the objects
// themselves. Its fields may go, and others come to be where they were; or they
// point elsewhere, and another copy has kept that.
inline void AddKept(const Kept& of_source, Kept* kept) {
  for (const auto& [field, object] : of_source) {
    if (object != nullptr) (*kept)[object.get()] = object;
  }
}

// A struct, found by its type: Options are DBOptions too.
class StructObject : public Object {
 public:
  static constexpr TypeTag kTag{"options object", nullptr};

  StructObject() = default;
  StructObject(const StructObject& that) : Object(that) {
    AddKept(that.kept, &kept);
  }

  // The address of the struct of this type, or null if there is none.
  virtual void* StructOf(const std::type_info& type) = 0;
  template <class T>
  T* Struct() {
    return static_cast<T*>(StructOf(typeid(T)));
  }

  Kept kept;
};

// More than the struct itself: nothing, but for those below.
template <class T>
struct Extra {
  void Attach(T*) {}
};

// The bounds, timestamps and more of a read, which the struct points to.
template <>
struct Extra<ReadOptions> {
  struct Bytes {
    std::string bytes;
    Slice slice;
  };
  std::optional<Bytes> lower, upper, timestamp, start_timestamp;
  Handle snapshot = 0;
  std::shared_ptr<const std::function<bool(const TableProperties&)>> filter;
  std::shared_ptr<const UserDefinedIndexFactory> index_factory;
  std::optional<std::string> request_id;

  // Lets `options` point to what is here.
  void Attach(ReadOptions* options);
};

template <>
struct Extra<CompactRangeOptions> {
  std::shared_ptr<std::atomic<bool>> canceled =
      std::make_shared<std::atomic<bool>>(false);
  std::optional<std::string> history;
  Slice history_slice;
  int64_t history_start = 0;
  int64_t history_range = 0;

  void Attach(CompactRangeOptions* options);
};

template <>
struct Extra<CompactionOptions> {
  std::shared_ptr<std::atomic<bool>> canceled =
      std::make_shared<std::atomic<bool>>(false);

  void Attach(CompactionOptions* options) const {
    options->canceled = canceled.get();
  }
};

template <class T>
class Value : public StructObject {
 public:
  static constexpr TypeTag kTag{"options object", &StructObject::kTag};

  template <class... Args>
  explicit Value(std::in_place_t, Args&&... args)
      : rep(std::forward<Args>(args)...) {
    extra.Attach(&rep);
  }
  Value(const Value& that)
      : StructObject(that), rep(that.rep), extra(that.extra) {
    extra.Attach(&rep);
  }
  Value& operator=(const Value&) = delete;

  const TypeTag* Tag() const override { return &kTag; }
  void* StructOf(const std::type_info& type) override {
    if (type == typeid(T)) return &rep;
    if constexpr (std::is_same_v<T, Options>) {
      if (type == typeid(DBOptions)) return static_cast<DBOptions*>(&rep);
      if (type == typeid(ColumnFamilyOptions)) {
        return static_cast<ColumnFamilyOptions*>(&rep);
      }
    }
    return nullptr;
  }

  T rep;
  Extra<T> extra;
};

// An object that the engine shares by reference counts.
template <class T>
class Shared : public Object {
 public:
  static const TypeTag kTag;
  explicit Shared(std::shared_ptr<T> object) : rep(std::move(object)) {}
  const TypeTag* Tag() const override { return &kTag; }

  std::shared_ptr<T> rep;
};

template <>
inline constexpr TypeTag Shared<Cache>::kTag{"Cache", nullptr};
template <>
inline constexpr TypeTag Shared<const FilterPolicy>::kTag{"Filter", nullptr};
template <>
inline constexpr TypeTag Shared<Env>::kTag{"Env", nullptr};
template <>
inline constexpr TypeTag Shared<Statistics>::kTag{"Statistics", nullptr};
template <>
inline constexpr TypeTag Shared<RateLimiter>::kTag{"RateLimiter", nullptr};
template <>
inline constexpr TypeTag Shared<SstFileManager>::kTag{"SstFileManager",
                                                      nullptr};
template <>
inline constexpr TypeTag Shared<WriteBufferManager>::kTag{"WriteBufferManager",
                                                          nullptr};
template <>
inline constexpr TypeTag Shared<Logger>::kTag{"Logger", nullptr};
template <>
inline constexpr TypeTag Shared<MergeOperator>::kTag{"MergeOperator", nullptr};
template <>
inline constexpr TypeTag Shared<const Comparator>::kTag{"Comparator", nullptr};
template <>
inline constexpr TypeTag Shared<const CompactionFilter>::kTag{
    "CompactionFilter", nullptr};
template <>
inline constexpr TypeTag Shared<CompactionFilterFactory>::kTag{
    "CompactionFilterFactory", nullptr};
template <>
inline constexpr TypeTag Shared<TableFactory>::kTag{"TableFactory", nullptr};
template <>
inline constexpr TypeTag Shared<MemTableRepFactory>::kTag{"MemTableFactory",
                                                          nullptr};
template <>
inline constexpr TypeTag Shared<EventListener>::kTag{"EventListener", nullptr};
template <>
inline constexpr TypeTag Shared<WalFilter>::kTag{"WalFilter", nullptr};
template <>
inline constexpr TypeTag Shared<ConcurrentTaskLimiter>::kTag{
    "ConcurrentTaskLimiter", nullptr};
template <>
inline constexpr TypeTag Shared<SstPartitionerFactory>::kTag{
    "SstPartitionerFactory", nullptr};
template <>
inline constexpr TypeTag Shared<TablePropertiesCollectorFactory>::kTag{
    "TablePropertiesCollectorFactory", nullptr};
template <>
inline constexpr TypeTag Shared<PersistentCache>::kTag{"PersistentCache",
                                                       nullptr};
template <>
inline constexpr TypeTag Shared<ExportImportFilesMetaData>::kTag{
    "ExportImportFilesMetaData", nullptr};
template <>
inline constexpr TypeTag Shared<FileChecksumGenFactory>::kTag{
    "FileChecksumGenFactory", nullptr};
template <>
inline constexpr TypeTag Shared<FlushBlockPolicyFactory>::kTag{
    "FlushBlockPolicyFactory", nullptr};
template <>
inline constexpr TypeTag Shared<UserDefinedIndexFactory>::kTag{
    "UserDefinedIndexFactory", nullptr};
template <>
inline constexpr TypeTag Shared<CompressionManager>::kTag{"CompressionManager",
                                                          nullptr};
template <>
inline constexpr TypeTag Shared<const SliceTransform>::kTag{"SliceTransform",
                                                            nullptr};
template <>
inline constexpr TypeTag Shared<CompactionService>::kTag{"CompactionService",
                                                         nullptr};
template <>
inline constexpr TypeTag Shared<BlobFilePartitionStrategy>::kTag{
    "BlobFilePartitionStrategy", nullptr};
// A function of C's that calls one object of Java's, as long as this is there.
struct InplaceFunction {
  decltype(ColumnFamilyOptions::inplace_callback) call = nullptr;
};
template <>
inline constexpr TypeTag Shared<const InplaceFunction>::kTag{"InplaceCallback",
                                                             nullptr};
using TableFilterFunction = std::function<bool(const TableProperties&)>;
template <>
inline constexpr TypeTag Shared<const TableFilterFunction>::kTag{"TableFilter",
                                                                 nullptr};

// A new object that Java shares.
template <class T>
Handle Share(std::shared_ptr<T> object) {
  return PublishNew<Shared<T>>(std::move(object));
}

// Something that lives for ever.
template <class T>
std::shared_ptr<T> Forever(T* object) {
  return std::shared_ptr<T>(object, [](T*) {});
}

// The struct behind a handle, pinned.
template <class T>
class PinStruct {
 public:
  explicit PinStruct(Handle handle) : pin_(handle) {
    struct_ = pin_->template Struct<T>();
    if (struct_ == nullptr) {
      Fail(Wrong::kArgument, "an options object of another kind");
    }
  }
  T* get() const { return struct_; }
  T* operator->() const { return struct_; }
  T& operator*() const { return *struct_; }
  StructObject& object() const { return *pin_; }

 private:
  Pin<StructObject> pin_;
  T* struct_;
};

// The options of one read: those of the handle, or defaults for 0. A snapshot
// in them must be open, and stays so for the call.
class ReadSettings {
 public:
  explicit ReadSettings(Handle handle);
  ~ReadSettings();
  ReadSettings(const ReadSettings&) = delete;
  ReadSettings& operator=(const ReadSettings&) = delete;

  const ReadOptions& operator*() const { return *options_; }
  // To be kept by what outlives the call; null for defaults.
  Value<ReadOptions>* object() const {
    return options_object_
               ? static_cast<Value<ReadOptions>*>(options_object_.get())
               : nullptr;
  }
  // The snapshot, for an iterator that goes back to it; null if there is none.
  // One that a transaction may let go before is refused.
  std::shared_ptr<const void> KeepSnapshot() const;

 private:
  Pin<StructObject> options_object_;
  HandleSlot* snapshot_ = nullptr;
  const ReadOptions* options_;
};

}  // namespace ROCKSDB_NAMESPACE::jni
