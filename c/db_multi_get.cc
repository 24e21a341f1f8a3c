// Looking up several keys at one point in time.

#include <string>
#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// The keys of one call, and what was found for them.
class Batch {
 public:
  explicit Batch(size_t count) : keys_(count), values_(count), found_(count) {}

  void SetKey(size_t i, const Slice& key) { keys_[i] = key; }

  void Run(DB* db, const ReadOptions& options, ColumnFamilyHandle* family,
           bool is_sorted) {
    db->MultiGet(options, family, keys_.size(), keys_.data(), values_.data(),
                 found_.data(), is_sorted);
  }
  void Run(DB* db, const ReadOptions& options,
           std::vector<ColumnFamilyHandle*>* families) {
    db->MultiGet(options, keys_.size(), families->data(), keys_.data(),
                 values_.data(), found_.data(), /*sorted_input=*/false);
  }
  void FailAll(const Status& status) { found_.assign(found_.size(), status); }

  // Copies for the caller, key by key.
  void CopyTo(char** values, size_t* sizes, char** errors) const {
    for (size_t i = 0; i < keys_.size(); ++i) {
      const bool is_there = found_[i].ok();
      values[i] = is_there ? CopyBytes(values_[i]) : nullptr;
      sizes[i] = is_there ? values_[i].size() : 0;
      TellError(i, errors);
    }
  }
  void MoveTo(rocksdb_pinnableslice_t** values, char** errors) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      values[i] = nullptr;
      if (found_[i].ok()) {
        values[i] = Own<rocksdb_pinnableslice_t>();
        values[i]->rep = std::move(values_[i]);
      }
      TellError(i, errors);
    }
  }
  rocksdb_pinnable_multi_get_t* Keep() {
    auto* result = Own<rocksdb_pinnable_multi_get_t>();
    for (const Status& s : found_) {
      const bool is_error = !s.ok() && !s.IsNotFound();
      result->errors.push_back(is_error ? s.ToString() : "");
    }
    result->values = std::move(values_);
    result->statuses = std::move(found_);
    return result;
  }

 private:
  void TellError(size_t i, char** errors) const {
    errors[i] = nullptr;
    if (!found_[i].IsNotFound()) (void)Fails(found_[i], &errors[i]);
  }

  std::vector<Slice> keys_;
  std::vector<PinnableSlice> values_;
  std::vector<Status> found_;
};

Batch BatchOf(size_t count, const char* const* keys, const size_t* sizes) {
  Batch batch(count);
  for (size_t i = 0; i < count; ++i) {
    batch.SetKey(i, BytesOf(keys[i], sizes[i]));
  }
  return batch;
}

Batch BatchOf(size_t count, const rocksdb_slice_t* keys) {
  Batch batch(count);
  for (size_t i = 0; i < count; ++i) {
    batch.SetKey(i, BytesOf(keys[i].data, keys[i].size));
  }
  return batch;
}

// Runs over one family, or fails every key where a handle is NULL.
void RunOne(Batch* batch, rocksdb_t* db, const rocksdb_readoptions_t* options,
            rocksdb_column_family_handle_t* column_family, bool is_sorted) {
  if (db == nullptr || options == nullptr || column_family == nullptr) {
    batch->FailAll(Status::InvalidArgument("a required handle is NULL"));
  } else {
    batch->Run(db->rep, options->rep, column_family->rep, is_sorted);
  }
}

}  // namespace

extern "C" {

// For each key: a copy of its value for rocksdb_free(), its size, and the text
// of an error; NULL where there is none.
void rocksdb_multi_get(rocksdb_t* db, const rocksdb_readoptions_t* options,
                       size_t num_keys, const char* const* keys,
                       const size_t* key_sizes, char** values,
                       size_t* value_sizes, char** errors) {
  Batch batch = BatchOf(num_keys, keys, key_sizes);
  rocksdb_column_family_handle_t family;
  if (db != nullptr) family.rep = db->rep->DefaultColumnFamily();
  RunOne(&batch, db, options, &family, /*is_sorted=*/false);
  batch.CopyTo(values, value_sizes, errors);
}

// The same, where column_families[i] is the family of keys[i].
void rocksdb_multi_get_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    const rocksdb_column_family_handle_t* const* column_families,
    size_t num_keys, const char* const* keys, const size_t* key_sizes,
    char** values, size_t* value_sizes, char** errors) {
  Batch batch = BatchOf(num_keys, keys, key_sizes);
  std::vector<ColumnFamilyHandle*> families;
  bool is_any_null =
      db == nullptr || options == nullptr || column_families == nullptr;
  for (size_t i = 0; i < num_keys && !is_any_null; ++i) {
    is_any_null = column_families[i] == nullptr;
    if (!is_any_null) families.push_back(column_families[i]->rep);
  }
  if (is_any_null) {
    batch.FailAll(Status::InvalidArgument("a required handle is NULL"));
  } else {
    batch.Run(db->rep, options->rep, &families);
  }
  batch.CopyTo(values, value_sizes, errors);
}

// The same for one family, with values where they lie; they go before the
// database. `sorted_input` says that the keys are in order.
void rocksdb_batched_multi_get_cf(rocksdb_t* db,
                                  const rocksdb_readoptions_t* options,
                                  rocksdb_column_family_handle_t* column_family,
                                  size_t num_keys, const char* const* keys,
                                  const size_t* key_sizes,
                                  rocksdb_pinnableslice_t** values,
                                  char** errors, const bool sorted_input) {
  Batch batch = BatchOf(num_keys, keys, key_sizes);
  RunOne(&batch, db, options, column_family, sorted_input);
  batch.MoveTo(values, errors);
}

void rocksdb_batched_multi_get_cf_slice(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, size_t num_keys,
    const rocksdb_slice_t* keys, rocksdb_pinnableslice_t** values,
    char** errors, const bool sorted_input) {
  Batch batch = BatchOf(num_keys, keys);
  RunOne(&batch, db, options, column_family, sorted_input);
  batch.MoveTo(values, errors);
}

// All results behind one handle, which goes before the database.
rocksdb_pinnable_multi_get_t* rocksdb_batched_multi_get_pinned_cf(
    rocksdb_t* db, const rocksdb_readoptions_t* options,
    rocksdb_column_family_handle_t* column_family, size_t num_keys,
    const rocksdb_slice_t* keys, unsigned char sorted_input) {
  Batch batch = BatchOf(num_keys, keys);
  RunOne(&batch, db, options, column_family, sorted_input != 0);
  return batch.Keep();
}

size_t rocksdb_pinnable_multi_get_count(
    const rocksdb_pinnable_multi_get_t* results) {
  return results->values.size();
}

// One of rocksdb_pinnable_multi_get_{not_found, found, error, out_of_bounds},
// with the value or the error's text where there is one.
int rocksdb_pinnable_multi_get_result(
    const rocksdb_pinnable_multi_get_t* results, size_t index,
    const char** value, size_t* value_size, const char** error,
    size_t* error_size) {
  const auto lend = [](const char** to, size_t* size, const Slice& bytes) {
    if (to != nullptr) *to = bytes.empty() ? nullptr : bytes.data();
    if (size != nullptr) *size = bytes.size();
  };
  lend(value, value_size, Slice());
  lend(error, error_size, Slice());
  if (index >= results->values.size()) {
    return rocksdb_pinnable_multi_get_out_of_bounds;
  }
  const Status& s = results->statuses[index];
  if (s.IsNotFound()) return rocksdb_pinnable_multi_get_not_found;
  if (!s.ok()) {
    lend(error, error_size, results->errors[index]);
    return rocksdb_pinnable_multi_get_error;
  }
  lend(value, value_size, results->values[index]);
  if (value != nullptr) *value = results->values[index].data();
  return rocksdb_pinnable_multi_get_found;
}

void rocksdb_pinnable_multi_get_destroy(rocksdb_pinnable_multi_get_t* results) {
  End(results);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
