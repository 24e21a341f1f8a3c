#include "cache/block_file_cache.h"

#include <algorithm>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/system_clock.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kBlockWriteBytes = 1 << 20;
constexpr char kBlockFileSuffix[] = ".rc";

// Magic number and checksum of all behind them, sizes of key and value, key,
// value.
constexpr uint16_t kRecordMagic = 0xfefa;
constexpr size_t kChecksumAt = 2;
constexpr size_t kSizesAt = 6;
constexpr size_t kRecordHeaderBytes = 14;

std::string MakeBlockRecord(const Slice& key, const Slice& value) {
  std::string behind;
  PutFixed32(&behind, static_cast<uint32_t>(key.size()));
  PutFixed32(&behind, static_cast<uint32_t>(value.size()));
  behind.append(key.data(), key.size());
  behind.append(value.data(), value.size());
  std::string record;
  record.reserve(kSizesAt + behind.size());
  PutFixed16(&record, kRecordMagic);
  PutFixed32(&record,
             crc32c::Mask(crc32c::Value(behind.data(), behind.size())));
  return record.append(behind);
}

// The value in `record`; false if that is not what was written for `key`.
bool ParseBlockRecord(const Slice& record, const Slice& key, Slice* value) {
  if (record.size() < kRecordHeaderBytes ||
      DecodeFixed16(record.data()) != kRecordMagic) {
    return false;
  }
  const Slice behind(record.data() + kSizesAt, record.size() - kSizesAt);
  const uint32_t stored = DecodeFixed32(record.data() + kChecksumAt);
  if (stored != crc32c::Mask(crc32c::Value(behind.data(), behind.size()))) {
    return false;
  }
  const size_t key_size = DecodeFixed32(behind.data());
  const size_t value_size = DecodeFixed32(behind.data() + sizeof(uint32_t));
  if (kRecordHeaderBytes + key_size + value_size != record.size()) return false;
  const char* const bytes = record.data() + kRecordHeaderBytes;
  *value = Slice(bytes + key_size, value_size);
  return key == Slice(bytes, key_size);
}

double LookupPercent(uint64_t part, uint64_t all) {
  return all == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

double MeanMicros(uint64_t total, uint64_t count) {
  return count == 0 ? 0
                    : static_cast<double>(total) / static_cast<double>(count);
}

}  // namespace

struct BlockFileCache::File {
  File(FileSystem* file_system, std::string file_path)
      : fs(file_system), path(std::move(file_path)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    reader.reset();
    IgnoreError(fs->DeleteFile(path, IOOptions(), nullptr),
                "the next open deletes what is left over");
  }

  FileSystem* const fs;
  const std::string path;
  std::unique_ptr<FSRandomAccessFile> reader;
  // Only the writing thread uses these.
  uint64_t size = 0;              // bytes of the records appended so far
  std::vector<std::string> keys;  // the keys of its records
  bool is_dropped = false;        // there was no room for it any more
};

BlockFileCache::BlockFileCache(Options options) : options_(std::move(options)) {
  INVARIANT(options_.fs != nullptr && options_.file_bytes > 0);
}

BlockFileCache::~BlockFileCache() {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    changed_.SignalAll();
  }
  thread_.join();
}

Status BlockFileCache::Open(const std::string& parent) {
  INVARIANT(!thread_.joinable());
  if (options_.capacity_bytes < options_.file_bytes) {
    return Status::InvalidArgument(
        "NewPersistentCache",
        "no room for a file of " + std::to_string(options_.file_bytes) +
            " bytes in " + std::to_string(options_.capacity_bytes));
  }
  FileSystem* const fs = options_.fs.get();
  Status s = fs->CreateDirIfMissing(parent, IOOptions(), nullptr);
  if (s.ok()) {
    s = fs->CreateDirIfMissing(options_.directory, IOOptions(), nullptr);
  }
  if (s.ok()) s = DeleteLeftOvers();
  if (s.ok()) thread_ = std::thread([this] { Work(); });
  return s;
}

Status BlockFileCache::DeleteLeftOvers() {
  std::vector<std::string> names;
  FileSystem* const fs = options_.fs.get();
  Status s = fs->GetChildren(options_.directory, IOOptions(), &names, nullptr);
  for (const std::string& name : names) {
    if (!s.ok() || !name.ends_with(kBlockFileSuffix)) continue;
    s = fs->DeleteFile(options_.directory + "/" + name, IOOptions(), nullptr);
  }
  return s;
}

Status BlockFileCache::Insert(const Slice& key, const char* data,
                              const size_t size) {
  std::string record = MakeBlockRecord(key, Slice(data, size));
  MutexLock lock(&mutex_);
  if (waiting_bytes_ + record.size() > options_.most_waiting_bytes ||
      record.size() > options_.file_bytes) {
    ++counts_.dropped;
    return Status::OK();
  }
  waiting_bytes_ += record.size();
  counts_.waited_bytes += record.size();
  waiting_.push_back({key.ToString(), std::move(record)});
  changed_.SignalAll();
  return Status::OK();
}

Status BlockFileCache::Lookup(const Slice& key, std::unique_ptr<char[]>* data,
                              size_t* size) {
  INVARIANT(data != nullptr && size != nullptr);
  SystemClock* const clock = SystemClock::Default().get();
  const uint64_t begin = clock->NowMicros();
  Place place;
  {
    MutexLock lock(&mutex_);
    const auto found = places_.find(key.ToString());
    if (found != places_.end()) place = found->second;
  }
  Status s = Status::NotFound("the block is not in the persistent cache");
  Slice record, value;
  std::string buffer;
  if (place.file != nullptr) {
    buffer.resize(place.size);
    s = place.file->reader->Read(place.offset, place.size, IOOptions(), &record,
                                 buffer.data(), nullptr);
    if (s.ok() && !ParseBlockRecord(record, key, &value)) {
      s = Status::Corruption(place.file->path, "a record is damaged");
    }
  }
  if (s.ok()) {
    *data = std::make_unique<char[]>(value.size());
    std::copy_n(value.data(), value.size(), data->get());
    *size = value.size();
  }
  const uint64_t micros = MicrosSince(clock, begin);
  MutexLock lock(&mutex_);
  ++(s.ok() ? counts_.hits : counts_.misses);
  (s.ok() ? counts_.hit_micros : counts_.miss_micros) += micros;
  if (s.ok()) counts_.read_bytes += value.size();
  if (!s.ok() && place.file != nullptr) ++counts_.errors;
  return s;
}

// ---- The thread that writes ----

bool BlockFileCache::TakeWaiting(std::vector<Waiting>* batch) {
  INVARIANT(batch != nullptr && batch->empty());
  MutexLock lock(&mutex_);
  is_writing_ = false;
  changed_.SignalAll();
  while (waiting_.empty() && !is_ending_) changed_.Wait();
  if (is_ending_) return false;
  size_t bytes = 0;
  while (!waiting_.empty() && bytes < kBlockWriteBytes) {
    bytes += waiting_.front().record.size();
    batch->push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  INVARIANT(bytes <= waiting_bytes_);
  waiting_bytes_ -= bytes;
  is_writing_ = true;
  return true;
}

void BlockFileCache::Work() {
  SystemClock* const clock = SystemClock::Default().get();
  std::vector<Waiting> batch;
  std::vector<Place> places;
  for (; TakeWaiting(&batch); batch.clear(), places.clear()) {
    const uint64_t begin = clock->NowMicros();
    const Status s = Write(batch, &places);
    if (!s.ok()) {
      // The file is not written any more; what it had can be found.
      writer_.reset();
      Warn(options_.logger.get(), "persistent cache: %s", s.ToString().c_str());
    }
    MutexLock lock(&mutex_);
    counts_.write_micros += MicrosSince(clock, begin);
    if (!s.ok()) {
      ++counts_.errors;
      counts_.dropped += batch.size();
      continue;
    }
    for (size_t i = 0; i < batch.size(); ++i) {
      counts_.written_bytes += batch[i].record.size();
      // A long batch drops files that it has begun itself. Their places must
      // not be found again: nobody would take them away, and each keeps its
      // file.
      if (places[i].file->is_dropped) continue;
      places_[std::move(batch[i].key)] = std::move(places[i]);
    }
  }
  writer_.reset();
  files_.clear();
  MutexLock lock(&mutex_);
  places_.clear();
}

Status BlockFileCache::Write(const std::vector<Waiting>& batch,
                             std::vector<Place>* places) {
  for (const Waiting& one : batch) {
    const bool is_full =
        writer_ != nullptr &&
        files_.back()->size + one.record.size() > options_.file_bytes;
    if (is_full) {
      Status s = writer_->Close();
      writer_.reset();
      if (!s.ok()) return s;
    }
    if (writer_ == nullptr) {
      if (Status s = BeginFile(); !s.ok()) return s;
    }
    File* const file = files_.back().get();
    if (Status s = writer_->Append(one.record); !s.ok()) return s;
    places->push_back({files_.back(), file->size, one.record.size()});
    file->size += one.record.size();
    file->keys.push_back(one.key);
  }
  return writer_->Flush();
}

Status BlockFileCache::BeginFile() {
  INVARIANT(writer_ == nullptr);
  while ((files_.size() + 1) * options_.file_bytes > options_.capacity_bytes) {
    DropOldest();
  }
  FileSystem* const fs = options_.fs.get();
  auto file = std::make_shared<File>(fs, options_.directory + "/" +
                                             std::to_string(next_file_++) +
                                             kBlockFileSuffix);
  FileOptions write;
  write.use_direct_writes = options_.writes_directly;
  Status s = WritableFileWriter::Create(fs, file->path, write, &writer_);
  if (s.IsInvalidArgument() && options_.writes_directly) {
    s = WritableFileWriter::Create(fs, file->path, FileOptions(), &writer_);
  }
  if (s.ok()) {
    s = fs->NewRandomAccessFile(file->path, FileOptions(), &file->reader,
                                nullptr);
  }
  if (!s.ok()) writer_.reset();
  if (s.ok()) files_.push_back(std::move(file));
  return s;
}

void BlockFileCache::DropOldest() {
  INVARIANT(!files_.empty());
  const std::shared_ptr<File> oldest = std::move(files_.front());
  files_.pop_front();
  oldest->is_dropped = true;
  MutexLock lock(&mutex_);
  for (const std::string& key : oldest->keys) {
    const auto found = places_.find(key);
    if (found != places_.end() && found->second.file == oldest) {
      places_.erase(found);
    }
  }
}

// ---- What is told ----

void BlockFileCache::AwaitWrites() {
  MutexLock lock(&mutex_);
  while (!waiting_.empty() || is_writing_) changed_.Wait();
}

PersistentCache::StatsType BlockFileCache::Stats() {
  MutexLock lock(&mutex_);
  const Counts& c = counts_;
  const uint64_t lookups = c.hits + c.misses;
  const std::string tier = "persistentcache.blockcachetier.";
  const auto number = [](uint64_t n) { return static_cast<double>(n); };
  return {{{tier + "bytes_piplined", number(c.waited_bytes)},
           {tier + "bytes_written", number(c.written_bytes)},
           {tier + "bytes_read", number(c.read_bytes)},
           {tier + "insert_dropped", number(c.dropped)},
           {tier + "cache_hits", number(c.hits)},
           {tier + "cache_misses", number(c.misses)},
           {tier + "cache_errors", number(c.errors)},
           {tier + "cache_hits_pct", LookupPercent(c.hits, lookups)},
           {tier + "cache_misses_pct", LookupPercent(c.misses, lookups)},
           {tier + "read_hit_latency", MeanMicros(c.hit_micros, c.hits)},
           {tier + "read_miss_latency", MeanMicros(c.miss_micros, c.misses)},
           {tier + "write_latency", number(c.write_micros)}}};
}

std::string BlockFileCache::GetPrintableOptions() const {
  return "    persistent_cache: " + options_.directory +
         "\n    capacity: " + std::to_string(options_.capacity_bytes) + "\n";
}

}  // namespace ROCKSDB_NAMESPACE
