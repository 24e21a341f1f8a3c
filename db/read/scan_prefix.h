// The prefix that a scan stays in (ReadOptions::prefix_same_as_start).
//
// Threads  One, that of the iterator.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"

namespace ROCKSDB_NAMESPACE {

// All keys until the next seek have this prefix. It keeps its extractor: the
// options may change before that.
class ScanPrefix {
 public:
  // Takes the prefix of `key`, a key as the user gives it. False: it has none.
  bool Take(std::shared_ptr<const SliceTransform> extractor, const Slice& key) {
    if (extractor == nullptr || !extractor->InDomain(key)) return false;
    bytes_ = extractor->Transform(key).ToString();
    extractor_ = std::move(extractor);
    return true;
  }
  bool Has(const Slice& key) const {
    return extractor_->InDomain(key) &&
           extractor_->Transform(key) == Slice(bytes_);
  }

 private:
  std::shared_ptr<const SliceTransform> extractor_;
  std::string bytes_;
};

}  // namespace ROCKSDB_NAMESPACE
