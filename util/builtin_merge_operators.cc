#include "util/builtin_merge_operators.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class PutOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "PutOperator"; }
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    assert(!merge_in.operand_list.empty());
    merge_out->existing_operand = merge_in.operand_list.back();
    return true;
  }
  bool PartialMerge(const Slice& /*key*/, const Slice& /*left_operand*/,
                    const Slice& right_operand, std::string* new_value,
                    Logger* /*logger*/) const override {
    new_value->assign(right_operand.data(), right_operand.size());
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    assert(!operand_list.empty());
    *new_value = operand_list.back().ToString();
    return true;
  }
  // The newest operand decides alone.
  bool ShouldMerge(const std::vector<Slice>& operands) const override {
    return !operands.empty();
  }

 protected:
  const char* NickName() const override { return "put"; }
};

class UInt64AddOperator final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "UInt64AddOperator"; }
  bool Merge(const Slice& /*key*/, const Slice* existing_value,
             const Slice& value, std::string* new_value,
             Logger* /*logger*/) const override {
    uint64_t sum = NumberIn(value);
    if (existing_value != nullptr) sum += NumberIn(*existing_value);
    new_value->clear();
    PutFixed64(new_value, sum);
    return true;
  }

 protected:
  const char* NickName() const override { return "uint64add"; }

 private:
  // Anything that has not eight bytes counts as 0: a merge that fails would
  // stop the compaction that meets it, and so writes.
  static uint64_t NumberIn(const Slice& value) {
    return value.size() == sizeof(uint64_t) ? DecodeFixed64(value.data()) : 0;
  }
};

class MaxOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "MaxOperator"; }
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    Slice greatest;
    if (merge_in.existing_value != nullptr) {
      greatest = *merge_in.existing_value;
    }
    for (const Slice& operand : merge_in.operand_list) {
      if (greatest.compare(operand) < 0) greatest = operand;
    }
    merge_out->existing_operand = greatest;
    return true;
  }
  bool PartialMerge(const Slice& /*key*/, const Slice& left_operand,
                    const Slice& right_operand, std::string* new_value,
                    Logger* /*logger*/) const override {
    const Slice& greatest =
        left_operand.compare(right_operand) >= 0 ? left_operand : right_operand;
    new_value->assign(greatest.data(), greatest.size());
    return true;
  }

 protected:
  const char* NickName() const override { return "max"; }
};

class BytesXOROperator final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "BytesXOR"; }
  bool Merge(const Slice& /*key*/, const Slice* existing_value,
             const Slice& value, std::string* new_value,
             Logger* /*logger*/) const override {
    std::string result = value.ToString();
    if (existing_value != nullptr) {
      result.resize(std::max(result.size(), existing_value->size()));
      for (size_t i = 0; i < existing_value->size(); ++i) {
        result[i] = static_cast<char>(result[i] ^ (*existing_value)[i]);
      }
    }
    *new_value = std::move(result);
    return true;
  }

 protected:
  const char* NickName() const override { return "bytesxor"; }
};

// Lists such as "1,5,12".
class MergeSortOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "MergeSortOperator"; }
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    Numbers merged;
    if (merge_in.existing_value != nullptr &&
        !MergeInto(*merge_in.existing_value, &merged)) {
      return false;
    }
    for (const Slice& operand : merge_in.operand_list) {
      if (!MergeInto(operand, &merged)) return false;
    }
    merge_out->new_value = Print(merged);
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    Numbers merged;
    for (const Slice& operand : operand_list) {
      if (!MergeInto(operand, &merged)) return false;
    }
    *new_value = Print(merged);
    return true;
  }

 protected:
  const char* NickName() const override { return "sortlist"; }

 private:
  using Numbers = std::vector<int64_t>;

  // False if the text is no list of numbers.
  static bool MergeInto(const Slice& text, Numbers* merged) {
    const auto old_size = static_cast<ptrdiff_t>(merged->size());
    if (text.empty()) return true;
    for (const std::string& word : SplitString(text.ToStringView(), ',')) {
      int64_t number = 0;
      if (!ParseInt64(word, &number)) return false;
      merged->push_back(number);
    }
    std::inplace_merge(merged->begin(), merged->begin() + old_size,
                       merged->end());
    return true;
  }
  static std::string Print(const Numbers& numbers) {
    std::string text;
    for (const int64_t number : numbers) {
      if (!text.empty()) text += ',';
      text += std::to_string(number);
    }
    return text;
  }
};

class StringAppendOperator : public MergeOperator {
 public:
  static const char* kClassName() { return "StringAppendOperator"; }

  explicit StringAppendOperator(const std::string& delimiter = ",")
      : delimiter_(delimiter) {}
  const char* Name() const override { return kClassName(); }

  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override {
    if (name != "delimiter") {
      return MergeOperator::ConfigureOption(config, name, value);
    }
    delimiter_ = value;
    return Status::OK();
  }
  Status GetOptionString(const ConfigOptions& /*config*/,
                         std::string* result) const override {
    const bool is_enclosed = delimiter_.find(';') != std::string::npos;
    *result = is_enclosed ? "delimiter={" + delimiter_ + "};"
                          : "delimiter=" + delimiter_ + ";";
    return Status::OK();
  }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    std::string& joined = merge_out->new_value;
    joined.clear();
    size_t size = 0;
    for (const Slice& operand : merge_in.operand_list) {
      size += operand.size() + delimiter_.size();
    }
    bool is_first = merge_in.existing_value == nullptr;
    if (!is_first) {
      joined.reserve(size + merge_in.existing_value->size());
      joined.append(merge_in.existing_value->data(),
                    merge_in.existing_value->size());
    }
    for (const Slice& operand : merge_in.operand_list) {
      if (!is_first) joined += delimiter_;
      joined.append(operand.data(), operand.size());
      is_first = false;
    }
    return true;
  }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    std::string joined;
    for (size_t i = 0; i < operand_list.size(); ++i) {
      if (i > 0) joined += delimiter_;
      joined.append(operand_list[i].data(), operand_list[i].size());
    }
    *new_value = std::move(joined);
    return true;
  }

 protected:
  const char* NickName() const override { return "stringappend"; }

 private:
  std::string delimiter_;
};

// The form that never combines operands before the value is known.
class StringAppendTESTOperator final : public StringAppendOperator {
 public:
  using StringAppendOperator::StringAppendOperator;
  const char* Name() const override { return "StringAppendTESTOperator"; }
  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& /*operand_list*/,
                         std::string* /*new_value*/,
                         Logger* /*logger*/) const override {
    return false;
  }

 protected:
  const char* NickName() const override { return "stringappendtest"; }
};

template <class Operator>
std::unique_ptr<MergeOperator> Make() {
  return std::make_unique<Operator>();
}

constexpr BuiltinMergeOperator kBuiltin[] = {
    {&Make<PutOperator>, "put", "put_v1"},
    {&Make<UInt64AddOperator>, "uint64add"},
    {&Make<MaxOperator>, "max"},
    {&Make<BytesXOROperator>, "bytesxor"},
    {&Make<MergeSortOperator>, "sortlist"},
    {&Make<StringAppendOperator>, "stringappend"},
    {&Make<StringAppendTESTOperator>, "stringappendtest"},
};

}  // namespace

std::shared_ptr<MergeOperator> NewPutOperator() {
  return std::make_shared<PutOperator>();
}

std::shared_ptr<MergeOperator> NewUInt64AddOperator() {
  return std::make_shared<UInt64AddOperator>();
}

std::shared_ptr<MergeOperator> NewMaxOperator() {
  return std::make_shared<MaxOperator>();
}

std::shared_ptr<MergeOperator> NewStringAppendOperator(
    const std::string& delimiter) {
  return std::make_shared<StringAppendOperator>(delimiter);
}

std::shared_ptr<MergeOperator> NewBytesXOROperator() {
  return std::make_shared<BytesXOROperator>();
}

std::shared_ptr<MergeOperator> NewSortListOperator() {
  return std::make_shared<MergeSortOperator>();
}

std::shared_ptr<MergeOperator> NewStringAppendTESTOperator(
    const std::string& delimiter) {
  return std::make_shared<StringAppendTESTOperator>(delimiter);
}

std::span<const BuiltinMergeOperator> BuiltinMergeOperators() {
  return kBuiltin;
}

}  // namespace ROCKSDB_NAMESPACE
