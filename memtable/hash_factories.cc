// Memtables with buckets by key prefix, and which structure a factory stands
// for.
#include <charconv>
#include <memory>
#include <string>
#include <string_view>

#include "memtable/entry_store.h"
#include "memtable/hashed_rep.h"
#include "memtable/list_bucket.h"
#include "memtable/tree_bucket.h"
#include "memtable/vector_rep.h"
#include "options/builtin_objects.h"
#include "rocksdb/memtablerep.h"
#include "util/memtable_rep/public_reps.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status BadValue(const std::string& name, const std::string& value) {
  return Status::InvalidArgument("Error parsing " + name,
                                 "out of range or no number: " + value);
}

// A name, and a number of buckets behind a colon if it is not the default.
//
// RocksDB's OPTIONS files have all arguments as options of the object. Those
// without an effect are taken and forgotten.
class HashFactory : public MemTableRepFactory {
 public:
  HashFactory(size_t bucket_count, size_t default_bucket_count)
      : bucket_count_(bucket_count),
        default_bucket_count_(default_bucket_count) {}

  std::string GetId() const override {
    std::string id = Name();
    if (bucket_count_ != default_bucket_count_) {
      id.append(":").append(std::to_string(bucket_count_));
    }
    return id;
  }
  Status ConfigureOption(const ConfigOptions&, const std::string& name,
                         const std::string& value) override {
    if (IsWithoutEffect(name)) return Status::OK();
    if (name != "bucket_count") {
      return Status::NotFound("no such option", name + "=" + value);
    }
    size_t count = 0;
    if (!ParseSizeT(value, &count) || count == 0) return BadValue(name, value);
    bucket_count_ = count;
    return Status::OK();
  }
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }

  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& key_cmp,
                                 Allocator* allocator,
                                 const SliceTransform* prefix_extractor,
                                 Logger* /*logger*/) override {
    std::unique_ptr<MemTableRep> rep =
        prefix_extractor == nullptr
            ? NewSkipListRep(key_cmp, allocator)
            : NewBucketsRep(key_cmp, allocator, prefix_extractor,
                            bucket_count_);
    return rep.release();
  }

  virtual std::unique_ptr<EntryStore> Make(
      const EntryStoreContext& context) const = 0;

 protected:
  size_t bucket_count_;

 private:
  virtual bool IsWithoutEffect(std::string_view option) const = 0;

  const size_t default_bucket_count_;
};

class HashSkipListRepFactory final : public HashFactory {
 public:
  static constexpr size_t kDefaultBucketCount = 1000000;
  static const char* kClassName() { return "HashSkipListRepFactory"; }
  static const char* kNickName() { return "prefix_hash"; }
  explicit HashSkipListRepFactory(size_t bucket_count)
      : HashFactory(bucket_count, kDefaultBucketCount) {}

  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::unique_ptr<EntryStore> Make(
      const EntryStoreContext& context) const override {
    return std::make_unique<HashedRep<TreeBucket>>(context, bucket_count_,
                                                   TreeBucket::Limits());
  }

 private:
  bool IsWithoutEffect(std::string_view option) const override {
    return option == "skiplist_height" || option == "branching_factor";
  }
};

class HashLinkListRepFactory final : public HashFactory {
 public:
  static constexpr size_t kDefaultBucketCount = 50000;
  static const char* kClassName() { return "HashLinkListRepFactory"; }
  static const char* kNickName() { return "hash_linkedlist"; }
  explicit HashLinkListRepFactory(size_t bucket_count,
                                  const ListBucket::Limits& limits = {})
      : HashFactory(bucket_count, kDefaultBucketCount), limits_(limits) {}

  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (name != "threshold") {
      return HashFactory::ConfigureOption(config, name, value);
    }
    uint64_t threshold = 0;
    if (!ParseUint64(value, &threshold) || threshold > UINT32_MAX) {
      return BadValue(name, value);
    }
    limits_.longest_list = static_cast<uint32_t>(threshold);
    return Status::OK();
  }
  std::unique_ptr<EntryStore> Make(
      const EntryStoreContext& context) const override {
    return std::make_unique<HashedRep<ListBucket>>(context, bucket_count_,
                                                   limits_);
  }

 private:
  bool IsWithoutEffect(std::string_view option) const override {
    return option == "huge_page_size" || option == "logging_threshold" ||
           option == "log_when_flash";
  }

  ListBucket::Limits limits_;
};

// By name: a program that embeds us may have no run-time type information.
bool Is(const MemTableRepFactory* factory, const char* class_name) {
  return factory != nullptr && factory->IsInstanceOf(class_name);
}

const HashFactory* AsHashFactory(const MemTableRepFactory* factory) {
  const bool is_hash = Is(factory, HashSkipListRepFactory::kClassName()) ||
                       Is(factory, HashLinkListRepFactory::kClassName());
  return is_hash ? static_cast<const HashFactory*>(factory) : nullptr;
}

// "prefix_hash", "prefix_hash:1000".
template <class Factory>
MemTableRepFactory* MakeFactory(const std::string& id,
                                std::unique_ptr<MemTableRepFactory>* guard,
                                std::string* message) {
  size_t bucket_count = Factory::kDefaultBucketCount;
  const size_t colon = id.find(':');
  if (colon != std::string::npos) {
    const char* const begin = id.data() + colon + 1;
    const char* const end = id.data() + id.size();
    const auto [last, error] = std::from_chars(begin, end, bucket_count);
    if (error != std::errc() || last != end || bucket_count == 0) {
      *message = "not a number of buckets behind the colon";
      return nullptr;
    }
  }
  *guard = std::make_unique<Factory>(bucket_count);
  return guard->get();
}

template <class Factory>
void RegisterFactory() {
  BuiltinLibrary()->AddFactory<MemTableRepFactory>(
      ObjectLibrary::PatternEntry(Factory::kClassName())
          .AnotherName(Factory::kNickName())
          .AddSeparator(":", false),
      MakeFactory<Factory>);
}

void RegisterHashFactories() {
  RegisterFactory<HashSkipListRepFactory>();
  RegisterFactory<HashLinkListRepFactory>();
}
ROCKSDB_REGISTER_OBJECTS(RegisterHashFactories);

}  // namespace

bool IsOfApplication(const MemTableRepFactory* factory) {
  return factory != nullptr && !Is(factory, SkipListFactory::kClassName()) &&
         !Is(factory, VectorRepFactory::kClassName()) &&
         AsHashFactory(factory) == nullptr;
}

bool LacksPrefixes(const MemTableRepFactory* factory,
                   const SliceTransform* prefix_extractor) {
  return prefix_extractor == nullptr && AsHashFactory(factory) != nullptr;
}

std::unique_ptr<EntryStore> MakeEntryStore(const MemTableRepFactory* factory,
                                           const EntryStoreContext& context) {
  if (Is(factory, VectorRepFactory::kClassName())) {
    const auto* vector = static_cast<const VectorRepFactory*>(factory);
    return std::make_unique<VectorRep>(context.order, vector->count());
  }
  const HashFactory* const hash = AsHashFactory(factory);
  if (hash == nullptr || context.prefix_extractor == nullptr) return nullptr;
  return hash->Make(context);
}

// The height of a skip list and its branching are of no use to a tree.
MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count, int32_t /*skiplist_height*/,
    int32_t /*skiplist_branching_factor*/) {
  return std::make_unique<HashSkipListRepFactory>(bucket_count).release();
}

// Huge pages and a log of how full buckets are, are not for us: the first is
// the arena's matter, the second nobody reads.
MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count, size_t /*huge_page_tlb_size*/,
    int /*bucket_entries_logging_threshold*/,
    bool /*if_log_bucket_dist_when_flash*/, uint32_t threshold_use_skiplist) {
  return std::make_unique<HashLinkListRepFactory>(
             bucket_count, ListBucket::Limits{threshold_use_skiplist})
      .release();
}

}  // namespace ROCKSDB_NAMESPACE
