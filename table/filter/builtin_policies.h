#pragma once

// The filter policies that NewBloomFilterPolicy() and NewRibbonFilterPolicy()
// make.
//
// Threads  Immutable.

#include <cstdint>
#include <string>

#include "rocksdb/filter_policy.h"

namespace ROCKSDB_NAMESPACE {

// What all built-in kinds share: one name for all filter blocks, since a
// block's metadata says which kind it is.
class BuiltinFilterPolicy : public FilterPolicy {
 public:
  static const char* kCompatibilityName() {
    return "rocksdb.BuiltinBloomFilter";
  }
  const char* CompatibilityName() const override {
    return kCompatibilityName();
  }
  FilterBitsBuilder* GetBuilderWithContext(
      const FilterBuildingContext& context) const override;
  FilterBitsReader* GetFilterBitsReader(const Slice& contents) const override;

  double bits_per_key() const { return bits_per_key_; }

 protected:
  uint64_t millibits() const { return millibits_; }

  explicit BuiltinFilterPolicy(double bits_per_key);

 private:
  const double bits_per_key_;
  uint64_t millibits_;  // 0 = no filter
};

class BloomFilterPolicy final : public BuiltinFilterPolicy {
 public:
  explicit BloomFilterPolicy(double bits_per_key)
      : BuiltinFilterPolicy(bits_per_key) {}
  static const char* kClassName() { return "bloomfilter"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return "rocksdb.BloomFilter"; }
  std::string GetId() const override;
};

// Bloom filters for files of levels above `bloom_before_level`, else Ribbon.
class RibbonFilterPolicy final : public BuiltinFilterPolicy {
 public:
  RibbonFilterPolicy(double bits_per_key, int bloom_before_level)
      : BuiltinFilterPolicy(bits_per_key),
        bloom_before_level_(bloom_before_level) {}
  static const char* kClassName() { return "ribbonfilter"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return "rocksdb.RibbonFilter"; }
  std::string GetId() const override;
  FilterBitsBuilder* GetBuilderWithContext(
      const FilterBuildingContext& context) const override;
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;

 private:
  bool UsesBloom(const FilterBuildingContext& context) const;

  int bloom_before_level_;
};

// Reads filters, builds none.
class ReadFilterPolicy final : public BuiltinFilterPolicy {
 public:
  ReadFilterPolicy() : BuiltinFilterPolicy(0) {}
  static const char* kClassName() { return kCompatibilityName(); }
  const char* Name() const override { return kClassName(); }
};

// One kind of filter, whatever the table is for. Only by name.
class OneKindFilterPolicy final : public BuiltinFilterPolicy {
 public:
  enum class Kind { kLegacyBloom, kFastLocalBloom, kRibbon };
  static const char* NameOf(Kind kind);

  OneKindFilterPolicy(Kind kind, double bits_per_key)
      : BuiltinFilterPolicy(bits_per_key), kind_(kind) {}
  const char* Name() const override { return NameOf(kind_); }
  std::string GetId() const override;
  FilterBitsBuilder* GetBuilderWithContext(
      const FilterBuildingContext& context) const override;

 private:
  const Kind kind_;
};

}  // namespace ROCKSDB_NAMESPACE
