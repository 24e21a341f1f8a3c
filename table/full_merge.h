// Running a merge operator: the one way in which reads, scans and compactions
// call it.
//
// Threads  Any; the operator is called in the caller's thread.
// Errors   An operator that is missing, fails or throws gives a status:
//          InvalidArgument, Corruption (sub-code kMergeOperatorFailed).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class Statistics;
class SystemClock;

struct MergeContext {
  const MergeOperator* merge_operator = nullptr;
  Logger* logger = nullptr;
  Statistics* statistics = nullptr;  // may be null, so may the clock
  SystemClock* clock = nullptr;
};

// What the operands are applied to.
struct MergeBase {
  enum class Kind { kNone, kPlain, kEntity };
  Kind kind = Kind::kNone;
  Slice value;  // for kEntity in the stored form

  static MergeBase None() { return {}; }
  static MergeBase Plain(const Slice& v) { return {Kind::kPlain, v}; }
  static MergeBase Entity(const Slice& v) { return {Kind::kEntity, v}; }
};

struct MergeResult {
  // kTypeValue, or kTypeWideColumnEntity with the value in the stored form.
  ValueType type = kTypeValue;
  std::string value;
  // How much a failure spoils.
  MergeOperator::OpFailureScope failure_scope =
      MergeOperator::OpFailureScope::kDefault;
};

// Applies `operands`, oldest first, to `base`. On failure only
// result->failure_scope is set.
Status FullMerge(const MergeContext& context, const Slice& user_key,
                 const MergeBase& base, const std::vector<Slice>& operands,
                 MergeResult* result);

// Combines `operands`, oldest first, into one: at least two, or one if the
// operator takes one alone. False if it cannot, or throws.
bool PartialMerge(const MergeContext& context, const Slice& user_key,
                  const std::vector<Slice>& operands, std::string* result);

}  // namespace ROCKSDB_NAMESPACE
