// A merge operator whose operands say which function combines them.
//
// A value, or an operand, is the name of a function and a payload:
//
//   length-prefixed name | payload
//
// The payloads of a key are given to its function together, oldest first, the
// value below them in front. Where the name changes, what came before is
// combined by its own function, and the result is the first payload of the
// next. An operand without a name (kUnnamedFuncName) joins its neighbours.
//
// Errors   Where a function is not known or fails, or an operand makes no
//          sense, the merged value has the name kErrorFuncName, and its payload
//          is the list of what was to be merged (see ExtractList()): nothing is
//          lost, and reads go on.
// Threads  Every call from any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// A function. Its calls may come from several threads at once.
class Aggregator {
 public:
  virtual ~Aggregator() {}

  // Combines payloads, of which there is at least one, oldest first. False:
  // they cannot be combined.
  virtual bool Aggregate(const std::vector<Slice>& values,
                         std::string& result) const = 0;

  // True if operands may be combined before the value below them is known: if
  // the result of some of them is as good as they are.
  virtual bool DoPartialAggregate() const { return true; }
};

// Makes a function known in this process, for good. Where the name is taken the
// older function stays, and the answer is OK. InvalidArgument: kErrorFuncName,
// or no function.
Status AddAggregator(const std::string& function_name,
                     std::unique_ptr<Aggregator>&& agg);

// The operator. Its name is "AggMergeOperator.v1"; it is not made from text.
std::shared_ptr<MergeOperator> GetAggMergeOperator();

// Puts into `output` a value, or an operand. InvalidArgument, with `output`
// unchanged, where no function has that name.
Status EncodeAggFuncAndPayload(const Slice& function_name, const Slice& payload,
                               std::string& output);

// Takes one apart; `func` and `value` point into `op`. False if it is none.
bool ExtractAggFuncAndValue(const Slice& op, Slice& func, Slice& value);

// Takes apart a list of length-prefixed strings, such as the payload of
// kErrorFuncName. False, with what was understood in `decoded_list`, where the
// list is damaged.
bool ExtractList(const Slice& encoded_list, std::vector<Slice>& decoded_list);

// No name: "".
extern const std::string kUnnamedFuncName;
// "kErrorFuncName".
extern const std::string kErrorFuncName;

}  // namespace ROCKSDB_NAMESPACE
