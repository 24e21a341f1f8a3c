#include "tools/db_bench/merge_operators.h"

#include <cstdint>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr size_t kCounterBytes = 8;

class LastOperand : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* /*existing*/,
             const Slice& operand, std::string* result,
             Logger* /*logger*/) const override {
    result->assign(operand.data(), operand.size());
    return true;
  }

  const char* Name() const override { return "PutOperator"; }
};

// Benchmarks merge values of any size: what is shorter or longer than a
// counter counts as 0, as RocksDB's operator has it.
uint64_t DecodeCounter(const Slice& bytes) {
  if (bytes.size() != kCounterBytes) return 0;
  uint64_t value = 0;
  for (size_t i = kCounterBytes; i > 0; --i) {
    value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  }
  return value;
}

class Counter : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& operand,
             std::string* result, Logger* /*logger*/) const override {
    uint64_t sum = DecodeCounter(operand);
    if (existing != nullptr) sum += DecodeCounter(*existing);
    result->clear();
    for (size_t i = 0; i < kCounterBytes; ++i) {
      result->push_back(static_cast<char>(sum >> (8 * i) & 0xff));
    }
    return true;
  }

  const char* Name() const override { return "UInt64AddOperator"; }
};

}  // namespace

std::shared_ptr<MergeOperator> MakeMergeOperator(const std::string& name) {
  if (name == "put") return std::make_shared<LastOperand>();
  if (name == "uint64add") return std::make_shared<Counter>();
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE::bench
