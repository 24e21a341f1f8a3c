// A merge operator that was asked for by a name that none has. It stands in
// options until a family is to be opened or made with it, which is refused.
#pragma once

#include <string>
#include <utility>

#include "java/jni/call.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::jni {

class UnknownOperator : public MergeOperator {
 public:
  explicit UnknownOperator(std::string name) : name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }
  bool FullMergeV2(const MergeOperationInput&,
                   MergeOperationOutput*) const override {
    return false;
  }

 private:
  const std::string name_;
};

inline void RefuseUnknownOperator(const ColumnFamilyOptions& options) {
  const auto* unknown =
      dynamic_cast<const UnknownOperator*>(options.merge_operator.get());
  if (unknown == nullptr) return;
  throw StatusError{Status::InvalidArgument("no merge operator has the name",
                                            unknown->Name())};
}

}  // namespace ROCKSDB_NAMESPACE::jni
