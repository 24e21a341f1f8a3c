// Between what the keys of a table file are, by some part of the key.
//
// Why a file may be passed over: take bounds whose keys agree in all that comes
// before the selected part. Every key of the range then begins with that, so
// that its part is between those of the bounds. Where the file has none
// between them, it has no such key.
//
// Format   In the user property basalt.sqfc, for each filter: byte of flags (1:
//          has keys, 2: has others), length-prefixed smallest and largest.
// Threads  As values.
#pragma once

#include <string>

#include "rocksdb/experimental.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// A key that has been cut.
struct CutKey {
  using Extractor = experimental::KeySegmentsExtractor;

  Slice key;
  Extractor::Result cut;

  // `extractor` may be null: then there are no segments.
  static CutKey Of(const Extractor* extractor, const Slice& key,
                   Extractor::KeyKind kind);
};

class KeyRangeConfig final : public experimental::SstQueryFilterConfig {
 public:
  using CategorySet = experimental::KeySegmentsExtractor::KeyCategorySet;
  enum class Order { kBytewise, kReverseBytewise };

  KeyRangeConfig(const experimental::FilterInput& select,
                 const CategorySet& categories, Order order)
      : select_(select), categories_(categories), order_(order) {}

  // Can it be used with this extractor, which may be null?
  Status Check(const experimental::KeySegmentsExtractor* extractor) const;

  bool Covers(const CutKey& key) const;
  // The part of the key that it is about, which lies in the key.
  Slice PartOf(const CutKey& key) const;
  Order order() const { return order_; }
  bool is_whole_key() const {
    return std::holds_alternative<experimental::SelectWholeKey>(select_);
  }

 private:
  const experimental::FilterInput select_;
  const CategorySet categories_;
  const Order order_;
};

class KeyRangeFilter {
 public:
  void Add(const KeyRangeConfig& config, const CutKey& key);
  // May the file have a key in [lower, upper), in the order of the config?
  bool MayHold(const KeyRangeConfig& config, const CutKey& lower,
               const CutKey& upper) const;

  void EncodeTo(std::string* out) const;
  bool DecodeFrom(Slice* in);

 private:
  bool has_keys_ = false;
  bool has_others_ = false;  // keys that it is not about
  std::string smallest_;
  std::string largest_;
};

}  // namespace ROCKSDB_NAMESPACE
