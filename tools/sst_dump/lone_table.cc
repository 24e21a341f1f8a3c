#include "tools/sst_dump/lone_table.h"

#include <algorithm>
#include <utility>

#include "db/tables/external_table.h"
#include "env/resident_pages.h"
#include "file/buffer_pool.h"
#include "file/input_stream.h"
#include "file/io_governor.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "table/format.h"
#include "util/coding.h"
#include "util/key/internal_key.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

// The order of bytes under the name that a file asks for.
class LoneTable::GuessedOrder final : public Comparator {
 public:
  explicit GuessedOrder(std::string name) : name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }
  int Compare(const Slice& a, const Slice& b) const override {
    return BytewiseComparator()->Compare(a, b);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

 private:
  const std::string name_;
};

namespace {

constexpr char kBlockBased[] = "block-based";

// The name in the text with which a reader refuses another order.
std::string OrderNamedIn(const std::string& text) {
  static constexpr char kBegin[] = "comparator of the file is ";
  const size_t at = text.find(kBegin);
  if (at == std::string::npos) return "";
  const size_t begin = at + sizeof(kBegin) - 1;
  return text.substr(begin, text.find(", that of", begin) - begin);
}

}  // namespace

LoneTable::LoneTable(std::string path)
    : path_(std::move(path)), format_(kBlockBased) {}

LoneTable::~LoneTable() {
  // The reader reads the options to its end.
  reader_.reset();
}

Status LoneTable::Open(const Options& options, const std::string& path,
                       std::unique_ptr<LoneTable>* result) {
  uint64_t size = 0;
  Status s = options.env->GetFileSize(path, &size);
  if (!s.ok()) {
    // That a file cannot be opened says more than that it has no size.
    std::unique_ptr<RandomAccessFile> opened;
    const Status reason =
        options.env->NewRandomAccessFile(path, &opened, EnvOptions());
    return reason.ok() ? s : reason;
  }
  if (size == 0) return Status::Aborted(path, "Empty file");
  auto file = std::make_unique<LoneTable>(path);
  Options chosen = options;
  file->ChooseFormat(size, &chosen);
  s = file->OpenWith(chosen, options.comparator);
  if (s.IsInvalidArgument()) s = file->OpenInItsOrder(chosen, s);
  if (!s.ok()) return s;
  const std::string name = file->properties()->comparator_name;
  const Comparator* named = nullptr;
  // A file that leaves timestamps out opens without them, too.
  if (!name.empty() && name != file->order_->Name() &&
      Comparator::CreateFromString(ConfigOptions(), name, &named).ok() &&
      named != nullptr) {
    s = file->OpenWith(chosen, named);
    if (!s.ok()) return s;
  }
  *result = std::move(file);
  return s;
}

// A file that cannot be read here is the reader's to complain of.
void LoneTable::ChooseFormat(uint64_t size, Options* options) {
  char scratch[sizeof(uint64_t)];
  if (size < sizeof scratch) return;
  std::unique_ptr<RandomAccessFile> file;
  Status s = options->env->NewRandomAccessFile(path_, &file, EnvOptions());
  Slice magic;
  if (s.ok()) {
    s = file->Read(size - sizeof scratch, sizeof scratch, &magic, scratch);
  }
  if (!s.ok() || magic.size() != sizeof scratch) return;
  switch (DecodeFixed64(magic.data())) {
    case kPlainTableMagic:
    case kLegacyPlainTableMagic:
      format_ = "plain table";
      options->table_factory.reset(NewPlainTableFactory());
      break;
    case kCuckooTableMagic:
      format_ = "cuckoo table";
      options->table_factory.reset(NewCuckooTableFactory());
      break;
    default:
      return;
  }
  options->allow_mmap_reads = true;
}

Status LoneTable::OpenWith(const Options& options, const Comparator* order) {
  Options with_order = options;
  with_order.comparator = order;
  reader_.reset();
  db_ = std::make_unique<ImmutableDBOptions>(with_order);
  const ColumnFamilyOptions family =
      SanitizeColumnFamilyOptions(*db_, with_order);
  cf_ = std::make_unique<ImmutableCFOptions>(family);
  mutable_cf_ = std::make_unique<MutableCFOptions>(family);
  order_ = order;
  governor_ = std::make_unique<GovernorMembership>(db_->fs, IoLimits());
  ExternalTableRequest request;
  request.db = db_.get();
  request.cf = cf_.get();
  request.mutable_cf = mutable_cf_.get();
  request.path = path_;
  // Indexes and filters are read by this handle, and what of them was not in
  // the page cache does not stay there.
  request.file_options.use_uncached_io = format_ == kBlockBased;
  return OpenExternalTable(request, &reader_, &size_bytes_);
}

Status LoneTable::OpenInItsOrder(const Options& options,
                                 const Status& refusal) {
  const std::string name = OrderNamedIn(refusal.ToString());
  if (name.empty()) return refusal;
  const Comparator* named = nullptr;
  if (Comparator::CreateFromString(ConfigOptions(), name, &named).ok() &&
      named != nullptr) {
    return OpenWith(options, named);
  }
  guessed_ = std::make_unique<GuessedOrder>(name);
  return OpenWith(options, guessed_.get());
}

std::unique_ptr<InputStream> LoneTable::NewStream(
    const ReadOptions& read) const {
  if (format_ != kBlockBased) return nullptr;
  FileOptions direct;
  direct.use_direct_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  const IOStatus s =
      db_->fs->NewRandomAccessFile(path_, direct, &file, nullptr);
  if (!s.ok() || !file->use_direct_io()) return nullptr;
  InputStreamOptions options;
  options.file_size = size_bytes_;
  // The chunk that is being read counts, too, so that the default needs one
  // slab of buffers and not two: users share the memory.
  options.readahead_bytes =
      read.readahead_size -
      std::min(read.readahead_size / 2, BufferPool::kChunkBytes);
  options.rate_limiter = db_->rate_limiter.get();
  options.rate_limiter_priority = Env::IO_LOW;
  // Lets what is under way come to its end before the limiter is asked.
  options.governor = governor_->governor();
  options.backend = BestReadBackend(db_->fs);
  options.fs = db_->fs;
  options.resident = dynamic_cast<ResidentPages*>(reader_->file());
  return std::make_unique<InputStream>(std::move(file), path_,
                                       std::move(options));
}

Status LoneTable::NewIterator(
    const ReadOptions& read, std::unique_ptr<InternalIterator>* entries) const {
  return NewIteratorWith(TableIteratorOptions(), read, entries);
}

Status LoneTable::NewStoredIterator(
    const ReadOptions& read, std::unique_ptr<InternalIterator>* entries) const {
  TableIteratorOptions options;
  options.keeps_references = true;
  return NewIteratorWith(options, read, entries);
}

Status LoneTable::NewIteratorWith(
    TableIteratorOptions options, const ReadOptions& read,
    std::unique_ptr<InternalIterator>* entries) const {
  options.read_options = &read;
  options.skip_filters = true;
  std::unique_ptr<InputStream> data = NewStream(read);
  if (data != nullptr) {
    return reader_->NewBulkIterator(options, std::move(data), entries);
  }
  *entries = reader_->NewIterator(options);
  return Status::OK();
}

Status LoneTable::Verify(const ReadOptions& read) const {
  const std::unique_ptr<InputStream> data = NewStream(read);
  return reader_->VerifyChecksum(read, data.get());
}

std::string LoneTable::SeekKey(const Slice& user_key) const {
  const std::string stored =
      WithMaxTimestamp(user_key, order_->timestamp_size());
  return InternalKey(stored, kMaxSequenceNumber, kValueTypeForSeek)
      .Encode()
      .ToString();
}

Slice LoneTable::UserKeyOf(const Slice& internal_key) const {
  Slice key = ExtractUserKey(internal_key);
  key.remove_suffix(order_->timestamp_size());
  return key;
}

}  // namespace ROCKSDB_NAMESPACE
