// A table format of an application's own, for tests: entries in a row, sizes
// before keys and values, then the engine's properties, and where these begin.
// A reader holds all in memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/external_table.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// What shall go wrong, and what was asked for.
struct ListedTableState {
  bool keeps_properties = true;
  std::string bad_key;  // its value can be neither read nor written
  Status open, finish, check = Status::NotSupported();
  bool answers_too_little = false;  // MultiGet()
  bool closes_its_file = false;
  uint64_t size_error = 0;  // FileSize() tells so much more
  std::atomic<int> checks{0}, batches{0};
  std::vector<std::pair<std::string, std::string>> prepared;
  std::vector<Status> file_calls;  // closes_its_file
};
using ListedEntries = std::vector<std::pair<std::string, std::string>>;

class ListedTableIterator final : public ExternalTableIterator {
 public:
  ListedTableIterator(const ListedEntries& entries, const Comparator* order,
                      ListedTableState* state)
      : entries_(entries), order_(order), state_(state) {}

  bool Valid() const override { return status_.ok() && at_ < entries_.size(); }
  void SeekToFirst() override { GoTo(0); }
  void SeekToLast() override { GoTo(entries_.size() - 1); }
  void Seek(const Slice& target) override { GoTo(FirstFrom(target)); }
  void SeekForPrev(const Slice& target) override {
    Seek(target);
    if (!Valid()) return SeekToLast();
    if (order_->Compare(key(), target) > 0) Prev();
  }
  void Next() override { ++at_; }
  void Prev() override { --at_; }  // Before the first: a large number.
  Slice key() const override { return entries_[at_].first; }
  Status status() const override { return status_; }
  void Prepare(const ScanOptions scan_opts[], size_t num_opts) override {
    state_->prepared.clear();
    for (size_t i = 0; i < num_opts; ++i) {
      const RangeOpt& range = scan_opts[i].range;
      state_->prepared.emplace_back(range.start->ToString(),
                                    range.limit->ToString());
    }
  }
  bool NextAndGetResult(IterateResult* result) override {
    Next();
    if (!Valid()) return false;
    result->key = key();
    result->value_prepared = false;
    return true;
  }
  bool PrepareValue() override {
    if (key() != Slice(state_->bad_key) || state_->bad_key.empty()) return true;
    status_ = Status::Corruption("bad value");
    return false;
  }
  Slice value() const override { return entries_[at_].second; }
  IterBoundCheck UpperBoundCheckResult() override {
    return IterBoundCheck::kUnknown;
  }

 private:
  size_t FirstFrom(const Slice& target) const {
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), target,
                         [this](const auto& entry, const Slice& wanted) {
                           return order_->Compare(entry.first, wanted) < 0;
                         });
    return static_cast<size_t>(found - entries_.begin());
  }
  void GoTo(size_t at) {
    status_ = Status::OK();
    at_ = at;
  }

  const ListedEntries& entries_;
  const Comparator* const order_;
  ListedTableState* const state_;
  size_t at_ = 0;
  Status status_;
};

class ListedTableReader final : public ExternalTableReader {
 public:
  ListedTableReader(const Comparator* order, ListedTableState* state)
      : order_(order), state_(state) {}

  Status Load(const std::string& path, const ExternalTableOptions& options) {
    uint64_t size = 0;
    Status s = options.fs->GetFileSize(path, IOOptions(), &size, nullptr);
    std::unique_ptr<FSRandomAccessFile> file;
    if (s.ok()) {
      s = options.fs->NewRandomAccessFile(path, options.file_options, &file,
                                          nullptr);
    }
    if (!s.ok()) return s;
    if (size < 8) return Status::Corruption("too short");
    bytes_.resize(size);
    FSReadRequest request;
    request.len = size;
    request.scratch = bytes_.data();
    s = file->MultiRead(&request, 1, IOOptions(), nullptr);
    if (s.ok()) s = request.status;
    if (!s.ok()) return s;
    if (request.result.data() != bytes_.data()) {
      bytes_ = request.result.ToString();
    }
    properties_at_ = DecodeFixed64(bytes_.data() + size - 8);
    if (properties_at_ > size - 8) return Status::Corruption("bad end");
    Slice rest(bytes_.data(), properties_at_);
    while (!rest.empty()) {
      Slice key, value;
      if (!GetLengthPrefixedSlice(&rest, &key) ||
          !GetLengthPrefixedSlice(&rest, &value)) {
        return Status::Corruption("bad entry");
      }
      entries_.emplace_back(key.ToString(), value.ToString());
    }
    return s;
  }

  ExternalTableIterator* NewIterator(const ReadOptions&,
                                     const SliceTransform*) override {
    return std::make_unique<ListedTableIterator>(entries_, order_, state_)
        .release();
  }
  Status Get(const ReadOptions&, const Slice& key, const SliceTransform*,
             PinnableSlice* value) override {
    if (!state_->bad_key.empty() && key == Slice(state_->bad_key)) {
      return Status::Corruption("bad value");
    }
    for (const auto& [own, own_value] : entries_) {
      if (key != Slice(own)) continue;
      value->PinSelf(own_value);
      return Status::OK();
    }
    return Status::NotFound();
  }
  void MultiGet(const ReadOptions& options, const std::vector<Slice>& keys,
                const SliceTransform* prefixes,
                std::vector<PinnableSlice>* values,
                std::vector<Status>* statuses) override {
    ++state_->batches;
    for (size_t i = 0; i < keys.size(); ++i) {
      (*statuses)[i] = Get(options, keys[i], prefixes, &(*values)[i]);
    }
    if (state_->answers_too_little) statuses->pop_back();
  }
  Status GetPropertiesBlock(std::unique_ptr<char[]>* block, uint64_t* size,
                            uint64_t* offset) override {
    if (!state_->keeps_properties) return Status::NotSupported();
    *offset = properties_at_;
    *size = bytes_.size() - 8 - properties_at_;
    *block = std::make_unique<char[]>(*size);
    std::copy_n(bytes_.data() + *offset, *size, block->get());
    return Status::OK();
  }
  std::shared_ptr<const TableProperties> GetTableProperties() const override {
    auto properties = std::make_shared<TableProperties>();
    properties->num_entries = entries_.size();
    return properties;
  }
  Status VerifyChecksum(const ReadOptions&) override {
    ++state_->checks;
    return state_->check;
  }

 private:
  const Comparator* const order_;
  ListedTableState* const state_;
  std::string bytes_;
  uint64_t properties_at_ = 0;
  ListedEntries entries_;
};

class ListedTableBuilder final : public ExternalTableBuilder {
 public:
  ListedTableBuilder(FSWritableFile* file, ListedTableState* state)
      : file_(file), state_(state) {}

  void Add(const Slice& key, const Slice& value) override {
    if (!state_->bad_key.empty() && key == Slice(state_->bad_key)) {
      status_ = Status::IOError("bad key");
      return;
    }
    std::string bytes;
    PutLengthPrefixedSlice(&bytes, key);
    PutLengthPrefixedSlice(&bytes, value);
    Append(bytes);
  }
  Status status() const override { return status_; }
  Status Finish() override {
    if (state_->closes_its_file) {
      state_->file_calls = {file_->Close(IOOptions(), nullptr),
                            file_->Sync(IOOptions(), nullptr),
                            file_->Fsync(IOOptions(), nullptr),
                            file_->Truncate(0, IOOptions(), nullptr)};
    }
    const uint64_t entries = size_ - properties_.size();
    std::string end;
    PutFixed64(&end, entries);
    Append(end);
    if (status_.ok()) status_ = state_->finish;
    return status_;
  }
  void Abandon() override {}
  uint64_t FileSize() const override { return size_ + state_->size_error; }
  Status PutPropertiesBlock(const Slice& block) override {
    if (!state_->keeps_properties) return Status::NotSupported();
    properties_ = block.ToString();
    Append(properties_);
    return status_;
  }
  TableProperties GetTableProperties() const override { return {}; }

 private:
  void Append(const std::string& bytes) {
    status_ = file_->Append(bytes, IOOptions(), nullptr);
    if (status_.ok()) size_ += bytes.size();
  }

  FSWritableFile* const file_;
  ListedTableState* const state_;
  std::string properties_;
  uint64_t size_ = 0;
  Status status_;
};

class ListedTableFactory final : public ExternalTableFactory {
 public:
  explicit ListedTableFactory(ListedTableState* state) : state_(state) {}

  const char* Name() const override { return "ListedTable"; }
  Status NewTableReader(
      const ReadOptions&, const std::string& path,
      const ExternalTableOptions& options,
      std::unique_ptr<ExternalTableReader>* result) const override {
    if (!state_->open.ok()) return state_->open;
    auto reader =
        std::make_unique<ListedTableReader>(options.comparator, state_);
    Status s = reader->Load(path, options);
    if (s.ok()) *result = std::move(reader);
    return s;
  }
  ExternalTableBuilder* NewTableBuilder(const ExternalTableBuilderOptions&,
                                        const std::string&,
                                        FSWritableFile* file) const override {
    return std::make_unique<ListedTableBuilder>(file, state_).release();
  }

 private:
  ListedTableState* const state_;
};

}  // namespace ROCKSDB_NAMESPACE
