#pragma once

// What `DB::Merge` means: how operands combine with each other and with the
// value below them.
//
// Threads  All calls must be safe from many threads at once.
// Errors   A call that returns false makes the read or the compaction answer
//          Corruption, as far as `op_failure_scope` says.

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

class Logger;

// The general operator: operands need not have the form of values.
class MergeOperator : public Customizable {
 public:
  ~MergeOperator() override = default;

  // Makes a built-in operator from its name. NotSupported for an unknown one.
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& id,
                                 std::shared_ptr<MergeOperator>* result);
  static const char* Type() { return "MergeOperator"; }

  // How much must fail when an operator fails.
  enum class OpFailureScope {
    kDefault,
    // Whatever tried to merge, a compaction that only wanted to save space
    // included.
    kTryMerge,
    // Only what cannot go on without the result.
    kMustMerge,
    kOpFailureScopeMax,
  };

  struct MergeOperationInput {
    explicit MergeOperationInput(const Slice& _key,
                                 const Slice* _existing_value,
                                 const std::vector<Slice>& _operand_list,
                                 Logger* _logger)
        : key(_key),
          existing_value(_existing_value),
          operand_list(_operand_list),
          logger(_logger) {}

    const Slice& key;
    // nullptr if the key had no value.
    const Slice* existing_value;
    // Oldest first.
    const std::vector<Slice>& operand_list;
    Logger* logger;
  };

  struct MergeOperationOutput {
    explicit MergeOperationOutput(std::string& _new_value,
                                  Slice& _existing_operand)
        : new_value(_new_value), existing_operand(_existing_operand) {}

    std::string& new_value;
    // Comes in as Slice(nullptr, 0). Set instead of `new_value` if the result
    // is one of the inputs.
    Slice& existing_operand;
    OpFailureScope op_failure_scope = OpFailureScope::kDefault;
  };

  // Older form of FullMergeV2(), which calls it by default.
  virtual bool FullMerge(const Slice& key, const Slice* existing_value,
                         const std::deque<std::string>& operand_list,
                         std::string* new_value, Logger* logger) const;

  // Applies operands to a value.
  virtual bool FullMergeV2(const MergeOperationInput& merge_in,
                           MergeOperationOutput* merge_out) const;

  struct MergeOperationInputV3 {
    using ExistingValue = std::variant<std::monostate, Slice, WideColumns>;
    using OperandList = std::vector<Slice>;

    explicit MergeOperationInputV3(const Slice& _key,
                                   ExistingValue&& _existing_value,
                                   const OperandList& _operand_list,
                                   Logger* _logger)
        : key(_key),
          existing_value(std::move(_existing_value)),
          operand_list(_operand_list),
          logger(_logger) {}

    const Slice& key;
    // Nothing, a plain value, or the columns of an entity.
    ExistingValue existing_value;
    const OperandList& operand_list;
    Logger* logger;
  };

  struct MergeOperationOutputV3 {
    using NewColumns = std::vector<std::pair<std::string, std::string>>;
    using NewValue = std::variant<std::string, NewColumns, Slice>;

    // A new value, new columns, or one of the inputs.
    NewValue new_value;
    OpFailureScope op_failure_scope = OpFailureScope::kDefault;
  };

  // Like FullMergeV2(), for entities too. By default it merges the default
  // column through FullMergeV2() and keeps the other columns.
  virtual bool FullMergeV3(const MergeOperationInputV3& merge_in,
                           MergeOperationOutputV3* merge_out) const;

  // Combines two operands into one; false if that is not possible, which is
  // no failure.
  virtual bool PartialMerge(const Slice& /*key*/, const Slice& /*left_operand*/,
                            const Slice& /*right_operand*/,
                            std::string* /*new_value*/,
                            Logger* /*logger*/) const {
    return false;
  }
  // The same for two or more. By default it goes pair by pair.
  virtual bool PartialMergeMulti(const Slice& key,
                                 const std::deque<Slice>& operand_list,
                                 std::string* new_value, Logger* logger) const;

  // True if PartialMergeMulti() may be called with one operand.
  virtual bool AllowSingleOperand() const { return false; }

  // Asked while a Get gathers operands, newest first: true ends the search,
  // and the operands so far give the value.
  virtual bool ShouldMerge(const std::vector<Slice>& /*operands*/) const {
    return false;
  }
};

// An operator whose operands are values: merging is one function of two values
// of which the order of calls does not matter.
class AssociativeMergeOperator : public MergeOperator {
 public:
  ~AssociativeMergeOperator() override = default;

  // Combines `value` with `*existing_value`, or with nothing if that is
  // nullptr.
  virtual bool Merge(const Slice& key, const Slice* existing_value,
                     const Slice& value, std::string* new_value,
                     Logger* logger) const = 0;

 private:
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override;
  bool PartialMerge(const Slice& key, const Slice& left_operand,
                    const Slice& right_operand, std::string* new_value,
                    Logger* logger) const override;
};

}  // namespace ROCKSDB_NAMESPACE
