#include "rocksdb/sst_file_reader.h"

#include <algorithm>
#include <numeric>

#include "db/family/column_family.h"
#include "db/read/history_iterator.h"
#include "db/read/multi_get.h"
#include "db/read/read_timestamp.h"
#include "db/read/user_iterator.h"
#include "db/tables/external_table.h"
#include "options/sanitize.h"
#include "rocksdb/db.h"
#include "util/invariant.h"
#include "util/key/entry_type.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A file does not change.
class FileHost final : public IteratorHost {
 public:
  FileHost() : IteratorHost({}) {}
  void Release(SuperVersion* state) override {
    ColumnFamilyData::Release(state);
  }
};

// Entries as they are stored.
class StoredEntries final : public Iterator {
 public:
  StoredEntries(std::shared_ptr<const TableReader> reader,
                const TableIteratorOptions& options)
      : reader_(std::move(reader)), entries_(reader_->NewIterator(options)) {
    INVARIANT(entries_ != nullptr);
  }

  bool Valid() const override { return entries_->Valid(); }
  void SeekToFirst() override { entries_->SeekToFirst(); }
  void SeekToLast() override { entries_->SeekToLast(); }
  void Seek(const Slice& target) override { entries_->Seek(target); }
  void SeekForPrev(const Slice& target) override {
    entries_->SeekForPrev(target);
  }
  void Next() override { entries_->Next(); }
  void Prev() override { entries_->Prev(); }
  Slice key() const override { return entries_->key(); }
  Slice value() const override { return entries_->value(); }
  Status status() const override { return entries_->status(); }

 private:
  const std::shared_ptr<const TableReader> reader_;
  const std::unique_ptr<InternalIterator> entries_;
};

}  // namespace

// A family of one file, which is open already: reads take the ways of a
// database.
struct SstFileReader::Rep {
  explicit Rep(const Options& options)
      : db(options),
        cf(SanitizeColumnFamilyOptions(db, options)),
        file_options(options) {
    // NewTableIterator() goes through the whole file, in the order of its keys.
    table_read.fill_cache = false;
    table_read.total_order_seek = true;
  }
  ~Rep() { Close(); }

  Status CheckOpen() const;
  Status Open(const std::string& path);
  Status BuildFamily(const std::string& path);
  void Close();
  // The entries as they are stored; `read` must outlive the iterator.
  std::unique_ptr<Iterator> Entries(const ReadOptions& read) const;

  const ImmutableDBOptions db;
  const ColumnFamilyOptions cf;
  const FileOptions file_options;
  ReadOptions table_read;
  Mutex mutex;
  std::shared_ptr<ColumnFamilyData> family;  // null: not open
  std::shared_ptr<const TableReader> reader;
  FileRef file;
};

Status SstFileReader::Rep::CheckOpen() const {
  return reader != nullptr ? Status::OK()
                           : Status::InvalidArgument("File is not opened");
}

Status SstFileReader::Rep::Open(const std::string& path) {
  if (reader != nullptr) return Status::InvalidArgument("is open already");
  ColumnFamilyData::Context context;
  context.db = &db;
  context.mutex = &mutex;
  const size_t name = path.find_last_of('/');
  context.tables.paths = {name == std::string::npos ? "."
                                                    : path.substr(0, name)};
  family = std::make_shared<ColumnFamilyData>(0, kDefaultColumnFamilyName, cf,
                                              context);
  ExternalTableRequest request;
  request.db = &db;
  request.cf = &family->ioptions();
  request.mutable_cf = family->options().get();
  request.file_options = file_options;
  request.path = path;
  std::unique_ptr<TableReader> opened;
  file = std::make_shared<FileMeta>();
  Status s = OpenExternalTable(request, &opened, &file->size_bytes);
  if (s.ok()) s = DescribeTable(*opened, family->order(), file.get());
  if (!s.ok()) {
    family.reset();
    return s;
  }
  reader = std::move(opened);
  s = BuildFamily(path);
  if (!s.ok()) Close();
  return s;
}

Status SstFileReader::Rep::BuildFamily(const std::string& path) {
  INVARIANT(family != nullptr && reader != nullptr);
  file->number = 1;
  // The table cache never opens what is pinned.
  file->pinned_owner = reader;
  file->pinned_reader.store(reader.get(), std::memory_order_release);
  auto version = std::make_shared<Version>(family.get(), 1, &family->order(),
                                           family->ioptions().num_levels);
  std::vector<std::vector<FileRef>> levels(version->storage().level_count());
  levels.front().push_back(file);
  Status s = version->mutable_storage()->Build(std::move(levels),
                                               /*check_consistency=*/true);
  if (!s.ok()) return Status::CopyAppendMessage(s, "; ", path);
  std::vector<SuperVersion*> garbage;
  MutexLock lock(&mutex);
  family->InstallVersion(std::move(version));
  family->SwitchMemTable(family->NewMemTable(0));
  family->InstallSuperVersion(WriteStallCondition::kNormal, &garbage);
  INVARIANT(garbage.empty());
  return s;
}

void SstFileReader::Rep::Close() {
  if (family == nullptr) return;
  std::vector<SuperVersion*> garbage;
  {
    MutexLock lock(&mutex);
    family->DropReferences(&garbage);
  }
  for (SuperVersion* state : garbage) {
    const std::unique_ptr<SuperVersion> last(state);
  }
  family.reset();
}

SstFileReader::SstFileReader(const Options& options)
    : rep_(std::make_unique<Rep>(options)) {}

SstFileReader::~SstFileReader() = default;

Status SstFileReader::Open(const std::string& file_path) {
  return rep_->Open(file_path);
}

std::vector<Status> SstFileReader::MultiGet(const ReadOptions& options,
                                            const std::vector<Slice>& keys,
                                            std::vector<std::string>* values) {
  if (values == nullptr) {
    return std::vector<Status>(keys.size(),
                               Status::InvalidArgument("values is null"));
  }
  std::vector<PinnableSlice> pinned;
  std::vector<Status> statuses = MultiGet(options, keys, &pinned);
  if (!rep_->CheckOpen().ok()) return statuses;
  values->assign(keys.size(), "");
  for (size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].ok()) (*values)[i] = pinned[i].ToString();
  }
  return statuses;
}

Status SstFileReader::Get(const ReadOptions& options, const Slice& key,
                          std::string* value) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  PinnableSlice pinned;
  Status s = Get(options, key, &pinned);
  if (s.ok()) value->assign(pinned.data(), pinned.size());
  return s;
}

Status SstFileReader::Get(const ReadOptions& options, const Slice& key,
                          PinnableSlice* value) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  std::vector<PinnableSlice> values;
  Status s = MultiGet(options, {key}, &values).front();
  if (s.ok()) *value = std::move(values.front());
  return s;
}

std::vector<Status> SstFileReader::MultiGet(
    const ReadOptions& options, const std::vector<Slice>& keys,
    std::vector<PinnableSlice>* values) {
  Status usable = rep_->CheckOpen();
  if (values == nullptr) usable = Status::InvalidArgument("values is null");
  if (!usable.ok()) return std::vector<Status>(keys.size(), usable);
  const InternalKeyComparator& stored = rep_->family->order();
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return stored.CompareGiven(keys[a], keys[b]) < 0;
  });
  const Status fits = CheckReadTimestamp(options, *rep_->family);
  std::vector<Status> statuses(keys.size(), fits);
  values->clear();
  values->resize(keys.size());
  std::vector<BatchedKey> batch;
  for (const size_t i : order) {
    batch.push_back(
        {.user_key = keys[i], .value = &(*values)[i], .status = &statuses[i]});
  }
  PointRead read;
  read.options = &options;
  SuperVersion* state = rep_->family->AcquireReferenced();
  read.super_version = state;
  read.statistics = rep_->db.stats;
  uint64_t value_bytes = 0;
  if (fits.ok()) {
    MultiGetFromSuperVersion(read, batch.data(), batch.size(), &value_bytes);
  }
  ColumnFamilyData::Release(state);
  return statuses;
}

Iterator* SstFileReader::NewIterator(const ReadOptions& options) {
  if (Status s = rep_->CheckOpen(); !s.ok()) return NewErrorIterator(s);
  const Status fits = CheckReadTimestamp(options, *rep_->family);
  if (!fits.ok()) return NewErrorIterator(fits);
  UserIteratorRequest request;
  request.options = options;
  request.options.snapshot = nullptr;
  request.super_version = rep_->family->AcquireReferenced();
  request.host = std::make_unique<FileHost>();
  return (options.iter_start_ts != nullptr
              ? NewHistoryIterator(std::move(request))
              : NewUserIterator(std::move(request)))
      .release();
}

std::unique_ptr<Iterator> SstFileReader::Rep::Entries(
    const ReadOptions& read) const {
  INVARIANT(reader != nullptr);
  TableIteratorOptions options;
  options.read_options = &read;
  options.skip_filters = true;
  return std::make_unique<StoredEntries>(reader, options);
}

std::unique_ptr<Iterator> SstFileReader::NewTableIterator() {
  if (Status s = rep_->CheckOpen(); !s.ok()) {
    return std::unique_ptr<Iterator>(NewErrorIterator(s));
  }
  return rep_->Entries(rep_->table_read);
}

Status SstFileReader::ParseTableIteratorKey(const Slice& raw_table_key,
                                            ParsedEntryInfo* parsed_key) const {
  if (Status s = rep_->CheckOpen(); !s.ok()) return s;
  if (parsed_key == nullptr) {
    return Status::InvalidArgument("parsed_key is null");
  }
  return ParseStoredEntry(raw_table_key, rep_->cf.comparator, parsed_key);
}

std::shared_ptr<const TableProperties> SstFileReader::GetTableProperties()
    const {
  if (!rep_->CheckOpen().ok()) return nullptr;
  return rep_->reader->properties();
}

Status SstFileReader::VerifyChecksum(const ReadOptions& options) {
  if (Status s = rep_->CheckOpen(); !s.ok()) return s;
  return rep_->reader->VerifyChecksum(options, nullptr);
}

Status SstFileReader::VerifyNumEntries(const ReadOptions& options) {
  if (Status s = rep_->CheckOpen(); !s.ok()) return s;
  // Every entry there is, whatever part of them a read would show.
  ReadOptions read = options;
  read.total_order_seek = true;
  read.iterate_lower_bound = nullptr;
  read.iterate_upper_bound = nullptr;
  uint64_t found = 0;
  read.timestamp = nullptr;
  const std::unique_ptr<Iterator> entries = rep_->Entries(read);
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) ++found;
  if (!entries->status().ok()) return entries->status();
  const TableProperties& properties = *rep_->reader->properties();
  const uint64_t expected =
      properties.num_entries - properties.num_range_deletions;
  if (found == expected) return Status::OK();
  return Status::Corruption("the file holds " + std::to_string(found) +
                            " point entries, its properties say " +
                            std::to_string(expected));
}

}  // namespace ROCKSDB_NAMESPACE
