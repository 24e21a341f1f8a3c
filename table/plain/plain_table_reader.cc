#include "table/plain/plain_table_reader.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "file/input_stream.h"
#include "file/random_access_file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "table/plain/plain_file_index.h"
#include "table/plain/plain_table_format.h"
#include "table/point_lookup.h"
#include "table/properties_block.h"
#include "table/unframed_tail.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status NeedsAnIndex() {
  return Status::NotSupported("PlainTable: full_scan_mode=true",
                              "a seek or a lookup");
}

bool HasNoPrefixes(const TableProperties& properties) {
  return properties.prefix_extractor_name.empty() ||
         properties.prefix_extractor_name == "nullptr";
}

uint32_t FilterLinesOf(const TableProperties& properties) {
  const auto& all = properties.user_collected_properties;
  const auto found = all.find(kPlainBloomLinesProperty);
  uint32_t lines = 0;
  if (found == all.end()) return 0;
  Slice text = found->second;
  return GetVarint32(&text, &lines) ? lines : 0;
}

}  // namespace

// Backwards it goes by anchors, and from there forwards.
class PlainTableReader::Iterator final : public InternalIterator {
 public:
  Iterator(const PlainTableReader& table, const TableIteratorOptions& options)
      : table_(table),
        cursor_(table.rows(), table.shape_),
        read_(options.read_options),
        asks_filter_(!options.skip_filters &&
                     table.HasPrefixesOf(options.prefix_extractor)) {}

  bool Valid() const override { return cursor_.Valid() && status_.ok(); }
  Slice key() const override { return cursor_.key(); }
  Slice value() const override { return cursor_.value(); }
  Status status() const override { return status_; }
  bool IsKeyPinned() const override { return cursor_.IsKeyInRows(); }
  bool IsValuePinned() const override { return true; }

  void SeekToFirst() override {
    status_ = Status::OK();
    GoTo(0);
  }
  void SeekToLast() override {
    if (!Begin()) return;
    GoBefore(table_.rows().size(), anchors().size());
  }
  void Seek(const Slice& target) override {
    if (Begin()) SeekInOrder(target);
  }
  void SeekInPrefix(const Slice& target) override {
    if (!Begin()) return;
    if (asks_filter_ && read_ != nullptr && !read_->auto_prefix_mode &&
        !table_.index_.MayHoldPrefix(ExtractUserKey(target))) {
      GoTo(table_.rows().size());
      return;
    }
    SeekInOrder(target);
  }
  void SeekForPrev(const Slice& target) override {
    if (!Begin()) return;
    SeekInOrder(target);
    if (!status_.ok()) return;
    if (!cursor_.Valid()) {
      SeekToLast();
    } else if (table_.order_.Compare(cursor_.key(), target) > 0) {
      Prev();
    }
  }
  void Next() override {
    assert(Valid());
    cursor_.Next();
    NoteProblem();
  }
  void Prev() override {
    assert(Valid());
    if (!Begin()) return;
    const uint64_t here = cursor_.offset();
    const auto after =
        std::lower_bound(anchors().begin(), anchors().end(), here);
    GoBefore(here, static_cast<size_t>(after - anchors().begin()));
  }

 private:
  const std::vector<uint64_t>& anchors() const {
    return table_.index_.anchors();
  }
  // False: there is nothing to look into, or it cannot be sought.
  bool Begin() {
    status_ = table_.table_.full_scan_mode ? NeedsAnIndex() : Status::OK();
    if (status_.ok() && !anchors().empty()) return true;
    cursor_.SeekTo(table_.rows().size());
    return false;
  }
  void GoTo(uint64_t offset) {
    cursor_.SeekTo(offset);
    NoteProblem();
  }
  void SeekInOrder(const Slice& target) {
    GoTo(anchors()[table_.index_.AnchorBefore(target)]);
    while (Valid() && table_.order_.Compare(cursor_.key(), target) < 0) Next();
  }
  // To the last row in front of `end`, which follows the first `count` anchors.
  void GoBefore(uint64_t end, size_t count) {
    if (count == 0) {
      cursor_.SeekTo(table_.rows().size());
      return;
    }
    GoTo(anchors()[count - 1]);
    while (Valid() && cursor_.next_offset() < end) Next();
  }
  void NoteProblem() {
    if (cursor_.problem() == nullptr) return;
    status_ = table_.Corrupt(cursor_.offset(), cursor_.problem());
  }

  const PlainTableReader& table_;
  PlainRowCursor cursor_;
  const ReadOptions* const read_;
  const bool asks_filter_;
  Status status_;
};

PlainTableReader::PlainTableReader(const PlainTableOptions& table,
                                   const TableReaderOptions& options)
    : table_(table),
      order_(options.cf->user_comparator),
      prefix_extractor_(options.mutable_cf->prefix_extractor) {}

PlainTableReader::~PlainTableReader() = default;

Status PlainTableReader::Open(const PlainTableOptions& table,
                              const TableReaderOptions& options,
                              std::unique_ptr<RandomAccessFileReader>&& file,
                              uint64_t file_size,
                              std::unique_ptr<TableReader>* result) {
  INVARIANT(file != nullptr && result != nullptr);
  INVARIANT(options.cf != nullptr && options.mutable_cf != nullptr);
  auto reader = std::make_unique<PlainTableReader>(table, options);
  Status s = reader->Load(options, *file, file_size);
  if (!s.ok()) return s;
  reader->file_ = std::move(file);
  *result = std::move(reader);
  return s;
}

Status PlainTableReader::Load(const TableReaderOptions& options,
                              const RandomAccessFileReader& file,
                              uint64_t file_size) {
  std::shared_ptr<TableProperties> properties;
  Metaindex blocks;
  uint64_t blocks_end = 0;
  Status s = ReadPlainTail(file, file_size, &properties, &blocks, &blocks_end);
  if (!s.ok()) return s;
  properties_ = std::move(properties);
  s = CheckProperties(options, file.file_name());
  if (s.ok()) s = data_.Load(file, properties_->data_size);
  if (!s.ok()) return s;
  tombstones_ = FragmentedTombstones::Build({}, order_.user_comparator());
  return table_.full_scan_mode ? s
                               : LoadIndex(options, file, blocks, blocks_end);
}

// Takes the index that the file has, or else builds one from the rows.
Status PlainTableReader::LoadIndex(const TableReaderOptions& options,
                                   const RandomAccessFileReader& file,
                                   const Metaindex& blocks,
                                   uint64_t blocks_end) {
  PlainIndex::Request request;
  request.rows = rows();
  request.shape = shape_;
  request.order = &order_;
  request.prefix_extractor = HasPrefixesOf(prefix_extractor_.get())
                                 ? prefix_extractor_.get()
                                 : nullptr;
  request.table = &table_;
  request.has_filter = !options.skip_filters;
  const BlockHandle* const index = blocks.Find(kPlainIndexBlock);
  if (index == nullptr) {
    const PlainIndex::Problem problem = index_.Build(request);
    if (problem.what == nullptr) return Status::OK();
    return CorruptTable(file.file_name(), problem.offset, problem.what);
  }
  PlainIndex::Stored stored;
  stored.has_whole_keys = HasNoPrefixes(*properties_);
  stored.filter_lines = FilterLinesOf(*properties_);
  std::string bytes;
  Status s = ReadUnframedBlock(file, *index, blocks_end, &bytes);
  stored.index = bytes;
  const BlockHandle* const filter = blocks.Find(kPlainFilterBlock);
  if (s.ok() && filter != nullptr) {
    s = ReadUnframedBlock(file, *filter, blocks_end, &stored.filter);
  }
  if (!s.ok()) return s;
  const char* const problem = index_.Load(request, std::move(stored));
  return problem == nullptr
             ? s
             : CorruptTable(file.file_name(), index->offset, problem);
}

Status PlainTableReader::CheckProperties(const TableReaderOptions& options,
                                         const std::string& name) {
  const TableProperties& p = *properties_;
  if (Status s = CheckUnframedProperties(p, options, name); !s.ok()) return s;
  const uint32_t encoding = CollectedFixed32(p, kPlainEncodingProperty, kPlain);
  if (encoding != kPlain && encoding != kPrefix) {
    return Status::NotSupported(
        name, "PlainTable: encoding " + std::to_string(encoding));
  }
  shape_.encoding = static_cast<EncodingType>(encoding);
  if (p.fixed_key_len > UINT32_MAX) {
    return CorruptTable(name, 0, "length of all keys out of range");
  }
  shape_.user_key_len = static_cast<uint32_t>(p.fixed_key_len);
  return Status::OK();
}

Status PlainTableReader::Corrupt(uint64_t offset,
                                 const std::string& what) const {
  return CorruptTable(file_->file_name(), offset, what);
}

bool PlainTableReader::HasPrefixesOf(const SliceTransform* extractor) const {
  return extractor != nullptr &&
         properties_->prefix_extractor_name == extractor->AsString();
}

std::unique_ptr<InternalIterator> PlainTableReader::NewIterator(
    const TableIteratorOptions& options) const {
  return std::make_unique<Iterator>(*this, options);
}

Status PlainTableReader::NewBulkIterator(
    const TableIteratorOptions& options, std::unique_ptr<InputStream> data,
    std::unique_ptr<InternalIterator>* result) const {
  INVARIANT(result != nullptr);
  data.reset();
  *result = NewIterator(options);
  return Status::OK();
}

Status PlainTableReader::Get(const ReadOptions& /*options*/,
                             const Slice& internal_key,
                             const SliceTransform* prefix_extractor,
                             PointLookup* lookup) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  if (table_.full_scan_mode) return NeedsAnIndex();
  if (index_.anchors().empty()) return Status::OK();
  if (!index_.MayHold(ExtractUserKey(internal_key))) return Status::OK();
  size_t anchor = 0;
  if (!HasPrefixesOf(prefix_extractor)) {
    anchor = index_.AnchorBefore(internal_key);
  } else if (!index_.FindAnchor(internal_key, &anchor)) {
    return Status::OK();
  }
  PlainRowCursor cursor(rows(), shape_);
  cursor.SeekTo(index_.anchors()[anchor]);
  while (cursor.Valid() && order_.Compare(cursor.key(), internal_key) < 0) {
    cursor.Next();
  }
  for (; cursor.Valid(); cursor.Next()) {
    ParsedInternalKey key;
    if (!ParseInternalKey(cursor.key(), &key)) {
      return Corrupt(cursor.offset(), "a row with a bad key");
    }
    // The mapping may go before the value does: it is copied.
    if (!lookup->Add(key, cursor.value(), nullptr)) return Status::OK();
  }
  return cursor.problem() == nullptr
             ? Status::OK()
             : Corrupt(cursor.offset(), cursor.problem());
}

std::unique_ptr<TableBatch> PlainTableReader::NewBatch(
    const TableBatchOptions& options, TableLookup* lookups,
    size_t count) const {
  return std::make_unique<MemoryBatch>(*this, options, lookups, count);
}

uint64_t PlainTableReader::ApproximateOffsetOf(
    const Slice& internal_key) const {
  if (index_.anchors().empty()) return 0;
  Iterator it(*this, {});
  it.Seek(internal_key);
  if (it.Valid()) {
    return static_cast<uint64_t>(it.value().data() - rows().data());
  }
  return rows().size();
}

Status PlainTableReader::Anchors(const ReadOptions& /*options*/,
                                 size_t max_count,
                                 std::vector<Anchor>* anchors) const {
  INVARIANT(anchors != nullptr);
  anchors->clear();
  const std::vector<uint64_t>& all = index_.anchors();
  const size_t parts = std::min(max_count, all.size());
  PlainRowCursor cursor(rows(), shape_);
  uint64_t done = 0;
  for (size_t i = 1; i <= parts; ++i) {
    cursor.SeekTo(all[i * all.size() / parts - 1]);
    if (!cursor.Valid()) return Corrupt(cursor.offset(), cursor.problem());
    anchors->push_back({.user_key = ExtractUserKey(cursor.key()).ToString(),
                        .range_bytes = cursor.next_offset() - done});
    done = cursor.next_offset();
  }
  return Status::OK();
}

// Pages of a mapping are the operating system's to count.
Status PlainTableReader::CollectHeat(const KeyBounds& /*bounds*/,
                                     KeyHeat* /*heat*/) const {
  return Status::OK();
}

Status PlainTableReader::InheritHeat(const KeyBounds& /*bounds*/,
                                     KeyHeat* /*heat*/,
                                     std::vector<HotBlock>* blocks) const {
  INVARIANT(blocks != nullptr);
  return Status::OK();
}

Status PlainTableReader::CacheBlock(const HotBlock& /*block*/,
                                    const Slice& /*stored*/) const {
  return Status::OK();
}

FSRandomAccessFile* PlainTableReader::file() const { return file_->file(); }

size_t PlainTableReader::ApproximateMemoryUsage() const {
  return sizeof(*this) + properties_->ApproximateMemoryUsage() +
         index_.memory_bytes() + data_.memory_bytes();
}

Status PlainTableReader::VerifyChecksum(const ReadOptions& /*options*/,
                                        InputStream* /*data*/) const {
  uint64_t count = 0;
  std::string last;
  PlainRowCursor cursor(rows(), shape_);
  for (cursor.SeekTo(0); cursor.Valid(); cursor.Next(), ++count) {
    if (!last.empty() && order_.Compare(last, cursor.key()) >= 0) {
      return Corrupt(cursor.offset(), "a row out of order");
    }
    last = cursor.key().ToString();
  }
  if (cursor.problem() != nullptr) {
    return Corrupt(cursor.offset(), cursor.problem());
  }
  if (count == properties_->num_entries) return Status::OK();
  return Corrupt(rows().size(), "expected " +
                                    std::to_string(properties_->num_entries) +
                                    " rows, found " + std::to_string(count));
}

}  // namespace ROCKSDB_NAMESPACE
