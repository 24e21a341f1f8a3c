#include "tests/fuzz/kept_files.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/observe/trace/trace_replayer.h"
#include "env/mem_file_system.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/cache_dump_load.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/no_destructor.h"
#include "utilities/cache_dump/cache_dump_format.h"
#include "utilities/dump/dump_format.h"
#include "utilities/dump/dump_reader.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

constexpr const char* kPath = "file";

std::shared_ptr<FileSystem> InMemory(const Slice& bytes) {
  auto fs = std::make_shared<MemFileSystem>();
  INVARIANT(WriteStringToFile(fs.get(), bytes, kPath).ok());
  return fs;
}

std::string Chunk(const Slice& bytes) {
  std::string chunk;
  PutFixed32(&chunk, static_cast<uint32_t>(bytes.size()));
  return chunk + bytes.ToString();
}

}  // namespace

// ---- Dumps of databases

size_t RunDumpFile(const Slice& bytes) {
  const auto fs = InMemory(bytes);
  std::unique_ptr<DumpReader> dump;
  if (!DumpReader::Open(fs.get(), kPath, &dump).ok()) return 0;
  std::string text;
  if (!dump->ReadChunk("what is said", &text).ok()) return 0;
  size_t pairs = 0;
  while (!dump->AtEnd() && dump->ReadChunk("a key", &text).ok() &&
         dump->ReadChunk("a value", &text).ok()) {
    ++pairs;
  }
  return pairs;
}

std::vector<std::string> DumpFileSeeds() {
  const std::string head(kDumpHeader);
  return {head + Chunk("{}") + Chunk("key") + Chunk("value"),
          head + Chunk("{ \"database-path\": \"/db\" }") + Chunk("") +
              Chunk("") + Chunk("key") + Chunk(std::string(300, 'v'))};
}

// ---- Dumps of caches

namespace {

// Counts what it is given.
class CountingCache final : public SecondaryCache {
 public:
  const char* Name() const override { return "CountingCache"; }
  Status Insert(const Slice&, Cache::ObjectPtr, const Cache::CacheItemHelper*,
                bool) override {
    return Status::OK();
  }
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType,
                     CacheTier) override {
    bytes += key.size() + saved.size();
    ++blocks;
    return Status::OK();
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice&, const Cache::CacheItemHelper*, Cache::CreateContext*, bool,
      bool, Statistics*, bool&) override {
    return nullptr;
  }
  bool SupportForceErase() const override { return false; }
  void Erase(const Slice&) override {}
  void WaitAll(std::vector<SecondaryCacheResultHandle*>) override {}

  size_t blocks = 0;
  size_t bytes = 0;
};

// The unit of that number as a file has it.
std::string Framed(uint32_t number, const std::string& unit) {
  return Chunk(EncodeCacheDumpMetadata(number, unit)) + Chunk(unit);
}

std::string UnitOf(CacheDumpUnitType type, const std::string& key,
                   const std::string& value) {
  return EncodeCacheDumpUnit(
      {.micros = 7, .type = type, .key = key, .value = value});
}

std::string CacheDumpWith(const std::string& unit) {
  return Framed(0, UnitOf(CacheDumpUnitType::kHeader, "header", "of a dump")) +
         Framed(1, unit) +
         Framed(2, UnitOf(CacheDumpUnitType::kFooter, "footer", "completed"));
}

constexpr char kWholeFile = 0;
constexpr char kOneUnit = 1;

}  // namespace

size_t RunCacheDump(const Slice& bytes) {
  if (bytes.empty()) return 0;
  const std::string rest(bytes.data() + 1, bytes.size() - 1);
  CacheDumpUnit unit;
  if (DecodeCacheDumpUnit(rest, &unit).ok()) {
    const std::string encoded = EncodeCacheDumpUnit(unit);
    CacheDumpUnit again;
    INVARIANT(DecodeCacheDumpUnit(encoded, &again).ok());
    INVARIANT(again.key == unit.key && again.value == unit.value);
  }
  const auto fs = InMemory(bytes[0] == kWholeFile ? rest : CacheDumpWith(rest));
  std::unique_ptr<CacheDumpReader> reader;
  INVARIANT(NewFromFileCacheDumpReader(fs, FileOptions(), kPath, &reader).ok());
  const auto cache = std::make_shared<CountingCache>();
  std::unique_ptr<CacheDumpedLoader> loader;
  INVARIANT(NewDefaultCacheDumpedLoader({.clock = nullptr}, {}, cache,
                                        std::move(reader), &loader)
                .ok());
  IgnoreError(loader->RestoreCacheEntriesToSecondaryCache(),
              "the file may be damaged");
  INVARIANT(cache->bytes <= bytes.size());
  return cache->blocks;
}

std::vector<std::string> CacheDumpSeeds() {
  const std::string data =
      UnitOf(CacheDumpUnitType::kData, "a key of 16 byte", "a block");
  const std::string filter =
      UnitOf(CacheDumpUnitType::kFilter, "", std::string(200, 'f'));
  return {kWholeFile + CacheDumpWith(data), kOneUnit + data, kOneUnit + filter};
}

// ---- Encrypted files

namespace {

std::shared_ptr<FileSystem> Encrypted(const std::shared_ptr<FileSystem>& raw) {
  auto fs = NewEncryptedFS(
      raw, EncryptionProvider::NewCTRProvider(BlockCipher::NewROT13Cipher(16)));
  INVARIANT(fs != nullptr);
  return fs;
}

// From a place of the file, with a buffer of its size.
size_t ReadBytesAt(FileSystem* fs, uint64_t offset, size_t n) {
  std::unique_ptr<FSRandomAccessFile> file;
  if (!fs->NewRandomAccessFile(kPath, FileOptions(), &file, nullptr).ok()) {
    return 0;
  }
  const auto scratch = std::make_unique_for_overwrite<char[]>(n);
  Slice result;
  IgnoreError(
      file->Read(offset, n, IOOptions(), &result, scratch.get(), nullptr),
      "the file may be damaged");
  return result.size();
}

}  // namespace

size_t RunEncryptedFile(const Slice& bytes) {
  const auto raw = InMemory(bytes);
  const auto fs = Encrypted(raw);
  std::string data;
  if (!ReadFileToString(fs.get(), kPath, &data).ok()) return 0;
  INVARIANT(data.size() <= bytes.size());
  size_t read = data.size();
  for (const uint64_t offset : {uint64_t{0}, uint64_t{15}, UINT64_MAX - 4096}) {
    read += ReadBytesAt(fs.get(), offset, 100);
  }
  uint64_t size = 0;
  IgnoreError(fs->GetFileSize(kPath, IOOptions(), &size, nullptr),
              "it may be too short");
  // What is appended is read behind what was there.
  std::unique_ptr<FSWritableFile> file;
  if (!fs->ReopenWritableFile(kPath, FileOptions(), &file, nullptr).ok()) {
    return read;
  }
  if (file->Append("more", IOOptions(), nullptr).ok() &&
      file->Close(IOOptions(), nullptr).ok()) {
    std::string again;
    INVARIANT(ReadFileToString(fs.get(), kPath, &again).ok());
    INVARIANT(again == data + "more");
  }
  return read;
}

std::vector<std::string> EncryptedFileSeeds() {
  std::vector<std::string> seeds;
  for (const size_t size : {1, 16, 100, 5000}) {
    const auto raw = std::make_shared<MemFileSystem>();
    const auto fs = Encrypted(raw);
    INVARIANT(WriteStringToFile(fs.get(), std::string(size, 'x'), kPath).ok());
    INVARIANT(ReadFileToString(raw.get(), kPath, &seeds.emplace_back()).ok());
  }
  return seeds;
}

// ---- Traces

namespace {

// A database of two families that outlives all runs.
struct ReplayedDatabase {
  ReplayedDatabase() : env(NewCompositeEnv(std::make_shared<MemFileSystem>())) {
    Options options;
    options.env = env.get();
    options.create_if_missing = true;
    options.info_log_level = InfoLogLevel::FATAL_LEVEL;
    INVARIANT(DB::Open(options, "/db", &db).ok());
    INVARIANT(db->CreateColumnFamily(options, "second", &second).ok());
    for (const char* key : {"a", "b", "key"}) {
      INVARIANT(db->Put(WriteOptions(), second, key, "value").ok());
    }
    INVARIANT(db->Flush(FlushOptions(), second).ok());
  }

  const std::unique_ptr<Env> env;
  std::unique_ptr<DB> db;
  ColumnFamilyHandle* second = nullptr;
};

ReplayedDatabase& TheDatabase() {
  static NoDestructor<ReplayedDatabase> database;
  return *database;
}

std::string TracedSeek(TraceType type, const std::string& lower,
                       const std::string& upper) {
  std::string payload;
  PutFixed64(&payload, TraceFieldBit(TraceField::kSeekFamily) |
                           TraceFieldBit(TraceField::kSeekKey) |
                           TraceFieldBit(TraceField::kLowerBound) |
                           TraceFieldBit(TraceField::kUpperBound));
  PutFixed32(&payload, 1);
  for (const std::string& part : {std::string("b"), lower, upper}) {
    PutLengthPrefixedSlice(&payload, part);
  }
  return EncodeTraceRecord(5, type, payload);
}

std::string TracedMultiGet() {
  std::string families;
  std::string keys;
  for (const uint32_t id : {0u, 1u}) {
    PutFixed32(&families, id);
    PutLengthPrefixedSlice(&keys, "key");
  }
  std::string payload;
  PutFixed64(&payload, TraceFieldBit(TraceField::kKeyCount) |
                           TraceFieldBit(TraceField::kKeyFamilies) |
                           TraceFieldBit(TraceField::kLookedUpKeys));
  PutFixed32(&payload, 2);
  PutLengthPrefixedSlice(&payload, families);
  PutLengthPrefixedSlice(&payload, keys);
  return EncodeTraceRecord(6, kTraceMultiGet, payload);
}

std::string TracedGet() {
  std::string payload;
  PutFixed64(&payload, TraceFieldBit(TraceField::kGetFamily) |
                           TraceFieldBit(TraceField::kGetKey));
  PutFixed32(&payload, 1);
  PutLengthPrefixedSlice(&payload, "key");
  return EncodeTraceRecord(4, kTraceGet, payload);
}

}  // namespace

size_t RunTraceFile(const Slice& bytes) {
  constexpr size_t kMostOperations = 1000;
  const auto env = NewCompositeEnv(InMemory(bytes));
  std::unique_ptr<TraceReader> reader;
  INVARIANT(NewFileTraceReader(env.get(), EnvOptions(), kPath, &reader).ok());
  ReplayedDatabase& database = TheDatabase();
  std::unique_ptr<Replayer> replayer;
  INVARIANT(NewTraceReplayer(database.db.get(), {database.second},
                             std::move(reader), &replayer)
                .ok());
  if (!replayer->Prepare().ok()) return 0;
  size_t operations = 0;
  std::unique_ptr<TraceRecord> record;
  while (operations < kMostOperations) {
    const Status s = replayer->Next(&record);
    if (s.IsNotSupported()) continue;
    if (!s.ok()) break;
    ++operations;
    if (record->GetTraceType() == kTraceWrite) continue;
    std::unique_ptr<TraceRecordResult> result;
    IgnoreError(replayer->Execute(record, &result),
                "there may be no such family");
  }
  return operations;
}

std::vector<std::string> TraceFileSeeds() {
  const std::string head =
      EncodeTraceRecord(1, kTraceBegin, QueryTraceHeader());
  const std::string end = EncodeTraceRecord(9, kTraceEnd, "");
  return {head + TracedGet() + TracedMultiGet() + end,
          head + TracedSeek(kTraceIteratorSeek, "a", "z") +
              TracedSeek(kTraceIteratorSeekForPrev, "z", "a") + end};
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
