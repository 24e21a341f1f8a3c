#include "rocksdb/utilities/agg_merge.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "util/coding.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

// Plain strings, so that other globals may use them before main().
[[gnu::init_priority(300)]] const std::string kUnnamedFuncName;
[[gnu::init_priority(300)]] const std::string kErrorFuncName("kErrorFuncName");

namespace {

// The functions of this process. Nothing is ever removed.
class AggregatorTable {
 public:
  static AggregatorTable& Instance() {
    static NoDestructor<AggregatorTable> table;
    return *table;
  }

  void Add(const std::string& name, std::unique_ptr<Aggregator> function) {
    const std::unique_lock lock(mutex_);
    functions_.try_emplace(name, std::move(function));
  }
  // nullptr if there is none.
  const Aggregator* Find(const std::string& name) const {
    const std::shared_lock lock(mutex_);
    const auto it = functions_.find(name);
    return it != functions_.end() ? it->second.get() : nullptr;
  }

 private:
  mutable std::shared_mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<std::string, std::unique_ptr<const Aggregator>> functions_;
};

void EncodeNamed(const Slice& name, const Slice& payload, std::string* output) {
  output->clear();
  PutLengthPrefixedSlice(output, name);
  output->append(payload.data(), payload.size());
}

// Payloads that come in, oldest first, and what they come to.
class AggregatedRun {
 public:
  // False: it is no value, or what came before cannot be combined.
  bool Add(const Slice& op) {
    Slice name;
    Slice payload;
    if (!ExtractAggFuncAndValue(op, name, payload)) return false;
    if (!name.empty() && name != Slice(name_)) {
      // Payloads before the first name belong to it.
      if (!name_.empty() && !Combine()) return false;
      name_ = name.ToString();
    }
    payloads_.push_back(payload);
    return true;
  }
  // The value as it is stored.
  bool Finish(std::string* value) {
    if (!Combine()) return false;
    EncodeNamed(name_, combined_, value);
    return true;
  }

 private:
  bool Combine() {
    const Aggregator* function = AggregatorTable::Instance().Find(name_);
    std::string result;
    if (function == nullptr || !function->Aggregate(payloads_, result)) {
      return false;
    }
    combined_ = std::move(result);
    payloads_.assign(1, Slice(combined_));
    return true;
  }

  std::string name_;
  std::vector<Slice> payloads_;
  std::string combined_;
};

class AggMergeOperator final : public MergeOperator {
 public:
  const char* Name() const override { return "AggMergeOperator.v1"; }

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    AggregatedRun run;
    bool ok =
        merge_in.existing_value == nullptr || run.Add(*merge_in.existing_value);
    for (const Slice& operand : merge_in.operand_list) {
      ok = ok && run.Add(operand);
    }
    if (!ok || !run.Finish(&merge_out->new_value)) {
      Preserve(merge_in, &merge_out->new_value);
    }
    return true;
  }

  bool PartialMergeMulti(const Slice& /*key*/,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value,
                         Logger* /*logger*/) const override {
    Slice common;
    AggregatedRun run;
    for (size_t i = 0; i < operand_list.size(); ++i) {
      Slice name;
      Slice payload;
      if (!ExtractAggFuncAndValue(operand_list[i], name, payload)) return false;
      if (i == 0) common = name;
      if (name != common || !run.Add(operand_list[i])) return false;
    }
    const Aggregator* function =
        AggregatorTable::Instance().Find(common.ToString());
    return function != nullptr && function->DoPartialAggregate() &&
           run.Finish(new_value);
  }

 private:
  static void Preserve(const MergeOperationInput& merge_in,
                       std::string* value) {
    value->clear();
    PutLengthPrefixedSlice(value, kErrorFuncName);
    if (merge_in.existing_value != nullptr) {
      PutLengthPrefixedSlice(value, *merge_in.existing_value);
    }
    for (const Slice& operand : merge_in.operand_list) {
      PutLengthPrefixedSlice(value, operand);
    }
  }
};

}  // namespace

Status AddAggregator(const std::string& function_name,
                     std::unique_ptr<Aggregator>&& agg) {
  if (function_name == kErrorFuncName) {
    return Status::InvalidArgument("This name is reserved", function_name);
  }
  if (agg == nullptr) return Status::InvalidArgument("no aggregator was given");
  AggregatorTable::Instance().Add(function_name, std::move(agg));
  return Status::OK();
}

std::shared_ptr<MergeOperator> GetAggMergeOperator() {
  static NoDestructor<std::shared_ptr<MergeOperator>> shared(
      std::make_shared<AggMergeOperator>());
  return *shared;
}

Status EncodeAggFuncAndPayload(const Slice& function_name, const Slice& payload,
                               std::string& output) {
  const std::string name = function_name.ToString();
  if (name != kUnnamedFuncName &&
      AggregatorTable::Instance().Find(name) == nullptr) {
    return Status::InvalidArgument("Function name is not registered", name);
  }
  EncodeNamed(function_name, payload, &output);
  return Status::OK();
}

bool ExtractAggFuncAndValue(const Slice& op, Slice& func, Slice& value) {
  Slice rest = op;
  Slice name;
  if (!GetLengthPrefixedSlice(&rest, &name)) return false;
  func = name;
  value = rest;
  return true;
}

bool ExtractList(const Slice& encoded_list, std::vector<Slice>& decoded_list) {
  decoded_list.clear();
  Slice rest = encoded_list;
  while (!rest.empty()) {
    Slice item;
    if (!GetLengthPrefixedSlice(&rest, &item)) return false;
    decoded_list.push_back(item);
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
