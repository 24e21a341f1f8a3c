#pragma once

// A function from a key to its prefix, for prefix filters and prefix seeks.
//
// Threads  All calls must be safe from many threads at once.

#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class SliceTransform : public Customizable {
 public:
  ~SliceTransform() override = default;

  // Makes a built-in transform from `fixed:N`, `capped:N`, `rocksdb.Noop`, the
  // identifiers of the functions below, or `nullptr`; or a registered one.
  // NotSupported for an unknown name, InvalidArgument for a bad length.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<const SliceTransform>* result);
  static const char* Type() { return "SliceTransform"; }

  // The text that table files record; readers use a prefix filter only if it
  // is equal to their own.
  virtual std::string AsString() const { return GetId(); }

  // The prefix of `key`, which is in the domain. It points into `key`.
  virtual Slice Transform(const Slice& key) const = 0;
  // True if `key` has a prefix.
  virtual bool InDomain(const Slice& key) const = 0;
  // No longer called; kept so that older subclasses compile.
  virtual bool InRange(const Slice& /*dst*/) const { return false; }

  // True, with the length, if every prefix of that length or more is whole.
  virtual bool FullLengthEnabled(size_t* /*len*/) const { return false; }
  // True if every key that starts with `prefix` has the prefix of `prefix`.
  virtual bool SameResultWhenAppended(const Slice& /*prefix*/) const {
    return false;
  }
};

// The first `prefix_len` bytes; shorter keys are outside the domain.
const SliceTransform* NewFixedPrefixTransform(size_t prefix_len);
// At most the first `cap_len` bytes; every key is in the domain.
const SliceTransform* NewCappedPrefixTransform(size_t cap_len);
// The whole key.
const SliceTransform* NewNoopTransform();

}  // namespace ROCKSDB_NAMESPACE
