#include "table/cuckoo/cuckoo_table_reader.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "file/input_stream.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/comparator.h"
#include "table/format.h"
#include "table/point_lookup.h"
#include "table/unframed_tail.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class CuckooTableReader::Iterator final : public InternalIterator {
 public:
  explicit Iterator(const CuckooTableReader& table) : table_(table) {}

  bool Valid() const override { return at_ < count_; }
  Slice key() const override { return key_; }
  Slice value() const override { return table_.ValueIn(buckets()[at_]); }
  Status status() const override { return status_; }
  bool IsValuePinned() const override { return true; }

  void SeekToFirst() override {
    if (Begin()) GoTo(0);
  }
  void SeekToLast() override {
    if (Begin()) GoTo(count_ - 1);
  }
  void Seek(const Slice& target) override {
    if (Begin()) GoTo(FirstNotBefore(target));
  }
  void SeekForPrev(const Slice& target) override {
    if (!Begin()) return;
    const size_t found = FirstNotBefore(target);
    GoTo(found);
    if (!Valid() || table_.order_.Compare(key_, target) > 0) GoTo(found - 1);
  }
  void Next() override {
    assert(Valid());
    GoTo(at_ + 1);
  }
  void Prev() override {
    assert(Valid());
    GoTo(at_ - 1);
  }

 private:
  const std::vector<uint64_t>& buckets() const {
    return table_.InOrder().buckets;
  }
  // False: there is nothing to look into.
  bool Begin() {
    const Order& order = table_.InOrder();
    status_ = order.status;
    count_ = status_.ok() ? order.buckets.size() : 0;
    at_ = count_;
    return count_ > 0;
  }
  // In front of the first entry is behind the last: the number wraps round.
  void GoTo(size_t position) {
    at_ = std::min(position, count_);
    if (!Valid()) return;
    ParsedInternalKey entry;
    const bool is_entry = table_.EntryIn(buckets()[at_], &entry);
    INVARIANT(is_entry);  // The sort looked.
    key_.clear();
    AppendInternalKey(&key_, entry.user_key, entry.sequence, entry.type);
  }
  size_t FirstNotBefore(const Slice& target) const {
    const auto found = std::lower_bound(
        buckets().begin(), buckets().end(), target,
        [this](uint64_t bucket, const Slice& wanted) {
          std::string key;
          ParsedInternalKey entry;
          table_.EntryIn(bucket, &entry);
          AppendInternalKey(&key, entry.user_key, entry.sequence, entry.type);
          return table_.order_.Compare(key, wanted) < 0;
        });
    return static_cast<size_t>(found - buckets().begin());
  }

  const CuckooTableReader& table_;
  Status status_;
  size_t count_ = 0;
  size_t at_ = 0;  // count_: at no entry
  std::string key_;
};

CuckooTableReader::CuckooTableReader(const TableReaderOptions& options)
    : order_(options.cf->user_comparator) {}

CuckooTableReader::~CuckooTableReader() = default;

Status CuckooTableReader::Open(const TableReaderOptions& options,
                               std::unique_ptr<RandomAccessFileReader>&& file,
                               uint64_t file_size,
                               std::unique_ptr<TableReader>* result) {
  INVARIANT(file != nullptr && result != nullptr);
  INVARIANT(options.db != nullptr && options.cf != nullptr);
  if (!options.db->allow_mmap_reads) {
    return Status::InvalidArgument("File is not mmaped", file->file_name());
  }
  auto reader = std::make_unique<CuckooTableReader>(options);
  Status s = reader->Load(options, *file, file_size);
  if (!s.ok()) return s;
  reader->file_ = std::move(file);
  *result = std::move(reader);
  return s;
}

Status CuckooTableReader::Load(const TableReaderOptions& options,
                               const RandomAccessFileReader& file,
                               uint64_t file_size) {
  std::shared_ptr<TableProperties> properties;
  Status s = ReadCuckooProperties(file, file_size, &properties);
  if (!s.ok()) return s;
  properties_ = std::move(properties);
  s = CheckUnframedProperties(*properties_, options, file.file_name());
  if (!s.ok()) return s;
  if (const char* problem = shape_.ReadFrom(*properties_)) {
    return CorruptTable(file.file_name(), properties_->data_size, problem);
  }
  tombstones_ = FragmentedTombstones::Build({}, order_.user_comparator());
  return data_.Load(file, properties_->data_size);
}

Slice CuckooTableReader::KeyIn(uint64_t bucket) const {
  assert(bucket < shape_.bucket_count());
  return Slice(data_.bytes().data() + bucket * shape_.bucket_bytes(),
               shape_.key_bytes);
}

Slice CuckooTableReader::UserKeyIn(uint64_t bucket) const {
  return Slice(KeyIn(bucket).data(), shape_.user_key_bytes);
}

Slice CuckooTableReader::ValueIn(uint64_t bucket) const {
  return Slice(KeyIn(bucket).data() + shape_.key_bytes, shape_.value_bytes);
}

bool CuckooTableReader::IsEmpty(uint64_t bucket) const {
  return KeyIn(bucket) == Slice(shape_.empty_key);
}

bool CuckooTableReader::EntryIn(uint64_t bucket,
                                ParsedInternalKey* entry) const {
  if (!shape_.is_last_level) return ParseInternalKey(KeyIn(bucket), entry);
  *entry = ParsedInternalKey(KeyIn(bucket), 0, kTypeValue);
  return true;
}

// False: the file does not have the key.
bool CuckooTableReader::FindBucket(const Slice& user_key,
                                   uint64_t* bucket) const {
  if (shape_.home_count == 0 || user_key.size() != shape_.user_key_bytes) {
    return false;
  }
  for (uint32_t hash = 0; hash < shape_.hash_count; ++hash) {
    const uint64_t home = shape_.HomeOf(user_key, hash);
    for (uint64_t i = 0; i < shape_.block_buckets; ++i) {
      if (IsEmpty(home + i)) return false;
      if (UserKeyIn(home + i) != user_key) continue;
      *bucket = home + i;
      return true;
    }
  }
  return false;
}

Status CuckooTableReader::Get(const ReadOptions& /*options*/,
                              const Slice& internal_key,
                              const SliceTransform* /*prefix_extractor*/,
                              PointLookup* lookup) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  uint64_t bucket = 0;
  if (!FindBucket(ExtractUserKey(internal_key), &bucket)) return Status::OK();
  ParsedInternalKey entry;
  if (!EntryIn(bucket, &entry)) return CorruptAt(bucket, "a bad key");
  // Newer than what the lookup may see.
  if (entry.sequence > ExtractTrailer(internal_key) >> 8) return Status::OK();
  // The mapping may go before the value does: it is copied.
  lookup->Add(entry, ValueIn(bucket), nullptr);
  return Status::OK();
}

const CuckooTableReader::Order& CuckooTableReader::InOrder() const {
  std::call_once(sorts_once_, [this] {
    in_order_.status = Sort(&in_order_.buckets);
    INVARIANT(in_order_.status.ok() || in_order_.buckets.empty());
  });
  return in_order_;
}

Status CuckooTableReader::Sort(std::vector<uint64_t>* buckets) const {
  std::vector<uint64_t> found;
  for (uint64_t bucket = 0; bucket < shape_.bucket_count(); ++bucket) {
    if (IsEmpty(bucket)) continue;
    ParsedInternalKey entry;
    if (!EntryIn(bucket, &entry)) return CorruptAt(bucket, "a bad key");
    found.push_back(bucket);
  }
  if (found.size() != properties_->num_entries) {
    return CorruptAt(0, "expected " + std::to_string(properties_->num_entries) +
                            " entries, found " + std::to_string(found.size()));
  }
  const Comparator& order = *order_.user_comparator();
  std::sort(found.begin(), found.end(), [&](uint64_t a, uint64_t b) {
    return order.Compare(UserKeyIn(a), UserKeyIn(b)) < 0;
  });
  for (size_t i = 1; i < found.size(); ++i) {
    if (order.Equal(UserKeyIn(found[i - 1]), UserKeyIn(found[i]))) {
      return CorruptAt(found[i], "a key that another bucket has, too");
    }
  }
  *buckets = std::move(found);
  return Status::OK();
}

Status CuckooTableReader::CorruptAt(uint64_t bucket,
                                    const std::string& what) const {
  return CorruptTable(file_->file_name(), bucket * shape_.bucket_bytes(), what);
}

std::unique_ptr<InternalIterator> CuckooTableReader::NewIterator(
    const TableIteratorOptions& /*options*/) const {
  return std::make_unique<Iterator>(*this);
}

Status CuckooTableReader::NewBulkIterator(
    const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
    std::unique_ptr<InternalIterator>* result) const {
  INVARIANT(result != nullptr);
  data.reset();
  *result = NewIterator(options);
  return Status::OK();
}

std::unique_ptr<TableBatch> CuckooTableReader::NewBatch(
    const TableBatchOptions& options, TableLookup* lookups,
    size_t count) const {
  return std::make_unique<MemoryBatch>(*this, options, lookups, count);
}

Status CuckooTableReader::Anchors(const ReadOptions& /*options*/,
                                  size_t max_count,
                                  std::vector<Anchor>* anchors) const {
  INVARIANT(anchors != nullptr);
  anchors->clear();
  const Order& order = InOrder();
  if (!order.status.ok()) return order.status;
  const size_t count = order.buckets.size();
  const size_t parts = std::min(max_count, count);
  size_t done = 0;
  for (size_t i = 1; i <= parts; ++i) {
    const size_t end = i * count / parts;
    anchors->push_back(
        {.user_key = UserKeyIn(order.buckets[end - 1]).ToString(),
         .range_bytes = (end - done) * shape_.bucket_bytes()});
    done = end;
  }
  return Status::OK();
}

Status CuckooTableReader::CollectHeat(const KeyBounds& /*bounds*/,
                                      KeyHeat* /*heat*/) const {
  return Status::OK();
}

Status CuckooTableReader::InheritHeat(const KeyBounds& /*bounds*/,
                                      KeyHeat* /*heat*/,
                                      std::vector<HotBlock>* blocks) const {
  INVARIANT(blocks != nullptr);
  return Status::OK();
}

Status CuckooTableReader::CacheBlock(const HotBlock& /*block*/,
                                     const Slice& /*stored*/) const {
  return Status::OK();
}

FSRandomAccessFile* CuckooTableReader::file() const { return file_->file(); }

size_t CuckooTableReader::ApproximateMemoryUsage() const {
  return sizeof(*this) + properties_->ApproximateMemoryUsage() +
         data_.memory_bytes();
}

Status CuckooTableReader::VerifyChecksum(const ReadOptions& /*options*/,
                                         InputStream* /*data*/) const {
  const Order& order = InOrder();
  if (!order.status.ok()) return order.status;
  for (const uint64_t bucket : order.buckets) {
    uint64_t found = 0;
    if (!FindBucket(UserKeyIn(bucket), &found) || found != bucket) {
      return CorruptAt(bucket, "a key where no lookup finds it");
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
