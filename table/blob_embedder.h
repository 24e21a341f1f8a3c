// Takes large values of entries, and large columns of entities, out of the
// entries that go to a table, into embedded blobs of it.
//
// Threads    One thread.
// Ownership  Borrows the builder. What Apply() yields is good until the next
//            call.
// Errors     The builder's.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class TableBuilder;

class BlobEmbedder {
 public:
  // Values of at least `min_size` bytes go, unless they are empty.
  BlobEmbedder(TableBuilder* builder, uint64_t min_size);

  // To be called in the order of entries, before each is added: replaces
  // *type and *value where something goes.
  Status Apply(ValueType* type, Slice* value);

 private:
  bool Goes(const Slice& value) const {
    return !value.empty() && value.size() >= min_size_;
  }
  Status ApplyToColumns(Slice* entity);

  TableBuilder* const builder_;
  const uint64_t min_size_;
  std::string stored_;
};

}  // namespace ROCKSDB_NAMESPACE
