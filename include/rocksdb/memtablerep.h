#pragma once

// Which structure keeps the entries of a memtable in order.
//
// Threads  Factories are immutable.
// Errors   DB::Open answers NotSupported, with the name, for a factory that is
//          not of this header.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class MemTableRepFactory : public Customizable {
 public:
  ~MemTableRepFactory() override = default;

  static const char* Type() { return "MemTableRepFactory"; }
  // Makes a factory from its name, with `:<parameter>` behind it if need be:
  // "SkipListFactory", "skip_list:16", "vector"; or a registered one. For an
  // unknown name null, or NotSupported without
  // ConfigOptions::ignore_unsupported_options.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::unique_ptr<MemTableRepFactory>* factory);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<MemTableRepFactory>* factory);

  const char* Name() const override = 0;

  // Many threads may insert at once.
  virtual bool IsInsertConcurrentlySupported() const { return false; }
  // An insert of a key and sequence that are there already is refused, rather
  // than stored twice.
  virtual bool CanHandleDuplicatedKey() const { return false; }
};

// An ordered structure with concurrent inserts and reads that take no lock.
// The default. `lookahead` (default 0) is a hint for seeks near the last
// position; our structure looks there first whatever it says.
class SkipListFactory : public MemTableRepFactory {
 public:
  explicit SkipListFactory(size_t lookahead = 0) : lookahead_(lookahead) {}

  static const char* kClassName() { return "SkipListFactory"; }
  static const char* kNickName() { return "skip_list"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override {
    std::string id = Name();
    if (lookahead_ > 0) id.append(":").append(std::to_string(lookahead_));
    return id;
  }
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }
  size_t lookahead() const { return lookahead_; }

 private:
  size_t lookahead_;
};

// Entries in the order of writing, sorted when they are read: for bulk loads.
// `count` entries are reserved at first (default 0). In text "vector".
class VectorRepFactory : public MemTableRepFactory {
 public:
  explicit VectorRepFactory(size_t count = 0) : count_(count) {}

  static const char* kClassName() { return "VectorRepFactory"; }
  static const char* kNickName() { return "vector"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override {
    std::string id = Name();
    if (count_ > 0) id.append(":").append(std::to_string(count_));
    return id;
  }
  size_t count() const { return count_; }

 private:
  size_t count_;
};

// Buckets by key prefix, each an ordered structure: for writes and reads of
// single keys whose cost does not grow with the memtable. Cursors, flushes
// included, sort all of it first. Without a prefix_extractor the memtable is
// that of SkipListFactory, and LOG says so. In text "prefix_hash", or
// "prefix_hash:<buckets>".
//
// `skiplist_height` and `skiplist_branching_factor` have no effect.
MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count = 1000000, int32_t skiplist_height = 4,
    int32_t skiplist_branching_factor = 4);

// The same with buckets that are sorted lists of up to `threshold_use_skiplist`
// entries. In text "hash_linkedlist", or "hash_linkedlist:<buckets>".
//
// `huge_page_tlb_size`, `bucket_entries_logging_threshold` and
// `if_log_bucket_dist_when_flash` have no effect; memory is the memtable's, to
// which memtable_huge_page_size applies.
MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count = 50000, size_t huge_page_tlb_size = 0,
    int bucket_entries_logging_threshold = 4096,
    bool if_log_bucket_dist_when_flash = true,
    uint32_t threshold_use_skiplist = 256);

}  // namespace ROCKSDB_NAMESPACE
