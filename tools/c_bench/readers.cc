#include "tools/c_bench/readers.h"

#include "tools/c_bench/keys.h"
#include "tools/c_bench/text.h"

namespace c_bench {

KeyReader::KeyReader(const Database& database)
    : database_(database),
      keys_(database.flags().Number("num")),
      batch_size_(database.flags().Number("batch_size")),
      steps_(database.flags().Number("seek_nexts")),
      is_batched_(database.flags().IsOn("multiread_batched")),
      options_(rocksdb_readoptions_create()),
      key_(database.flags().Number("key_size"), '0'),
      keys_of_batch_(batch_size_, key_),
      key_sizes_(batch_size_, key_.size()) {
  rocksdb_readoptions_set_prefix_same_as_start(
      options_, database.flags().IsOn("prefix_same_as_start"));
  for (const std::string& key : keys_of_batch_) {
    key_pointers_.push_back(key.data());
  }
}

KeyReader::~KeyReader() {
  if (iterator_ != nullptr) rocksdb_iter_destroy(iterator_);
  rocksdb_readoptions_destroy(options_);
}

void KeyReader::Read(uint64_t number, Worker* worker) {
  SetKey(number, &key_);
  char* error = nullptr;
  rocksdb_pinnableslice_t* value =
      rocksdb_get_pinned_cf(database_.db(), options_, database_.Family(number),
                            key_.data(), key_.size(), &error);
  Check(error, "get");
  size_t size = 0;
  if (value != nullptr) {
    rocksdb_pinnableslice_value(value, &size);
    rocksdb_pinnableslice_destroy(value);
  }
  worker->Done(1, value != nullptr, value != nullptr ? key_.size() + size : 0);
}

void KeyReader::ReadMany(Worker* worker) {
  for (std::string& key : keys_of_batch_) SetKey(Draw(worker), &key);
  is_batched_ ? CallBatched(worker) : CallPlain(worker);
}

void KeyReader::CallBatched(Worker* worker) {
  std::vector<rocksdb_pinnableslice_t*> values(batch_size_);
  std::vector<char*> errors(batch_size_);
  rocksdb_batched_multi_get_cf(database_.db(), options_, database_.Family(0),
                               batch_size_, key_pointers_.data(),
                               key_sizes_.data(), values.data(), errors.data(),
                               /*sorted_input=*/false);
  uint64_t found = 0, bytes = 0;
  for (size_t i = 0; i < batch_size_; ++i) {
    Check(errors[i], "batched_multi_get");
    if (values[i] == nullptr) continue;
    size_t size = 0;
    rocksdb_pinnableslice_value(values[i], &size);
    rocksdb_pinnableslice_destroy(values[i]);
    ++found;
    bytes += key_.size() + size;
  }
  worker->Done(batch_size_, found, bytes);
}

void KeyReader::CallPlain(Worker* worker) {
  std::vector<char*> values(batch_size_), errors(batch_size_);
  std::vector<size_t> sizes(batch_size_);
  rocksdb_multi_get(database_.db(), options_, batch_size_, key_pointers_.data(),
                    key_sizes_.data(), values.data(), sizes.data(),
                    errors.data());
  uint64_t found = 0, bytes = 0;
  for (size_t i = 0; i < batch_size_; ++i) {
    Check(errors[i], "multi_get");
    if (values[i] == nullptr) continue;
    rocksdb_free(values[i]);
    ++found;
    bytes += key_.size() + sizes[i];
  }
  worker->Done(batch_size_, found, bytes);
}

// A new iterator for each seek, so that writes are seen, as by db_bench.
void KeyReader::Seek(uint64_t number, Worker* worker) {
  SetKey(number, &key_);
  if (iterator_ != nullptr) rocksdb_iter_destroy(iterator_);
  iterator_ = rocksdb_create_iterator_cf(database_.db(), options_,
                                         database_.Family(number));
  rocksdb_iter_seek(iterator_, key_.data(), key_.size());
  bool is_found = false;
  uint64_t bytes = 0;
  for (int64_t step = 0; rocksdb_iter_valid(iterator_); ++step) {
    size_t key_size = 0, value_size = 0;
    const char* key = rocksdb_iter_key(iterator_, &key_size);
    rocksdb_iter_value(iterator_, &value_size);
    if (step == 0) is_found = std::string_view(key, key_size) == key_;
    bytes += key_size + value_size;
    if (step == steps_) break;
    rocksdb_iter_next(iterator_);
  }
  char* error = nullptr;
  rocksdb_iter_get_error(iterator_, &error);
  Check(error, "seek");
  worker->Done(1, is_found, bytes);
}

Pace ReadPace(const Flags& flags) {
  Pace pace;
  pace.is_timed = flags.IsOn("histogram");
  pace.seconds = flags.Number("duration");
  pace.per_second =
      static_cast<double>(flags.Number("benchmark_read_rate_limit"));
  if (pace.seconds == 0) {
    const int64_t reads = flags.Number("reads");
    pace.operations = reads < 0 ? flags.Number("num") : reads;
  }
  return pace;
}

}  // namespace c_bench
