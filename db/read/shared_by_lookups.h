// What the point lookups of one call share: how keys are ordered and merged,
// and where the blobs of the version are.
//
// Threads    One.
// Ownership  Borrows the read; stays where it is as long as the lookups live.
#pragma once

#include "db/read/point_read.h"
#include "db/version/version_blobs.h"
#include "table/point_lookup.h"

namespace ROCKSDB_NAMESPACE {

class SharedByLookups {
 public:
  explicit SharedByLookups(const PointRead& read);
  SharedByLookups(const SharedByLookups&) = delete;
  SharedByLookups& operator=(const SharedByLookups&) = delete;

  // Not null: operands are gathered there instead of being merged.
  void GatherInto(MergeOperandList* operands) { context_.gather = operands; }
  const PointLookup::Context& context() const { return context_; }

 private:
  const VersionBlobs blobs_;
  PointLookup::Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
