// The texts of errors that calls of an open database return.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/experimental.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/write_batch.h"
#include "tests/db/impl/errors/error_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Strings = std::vector<std::string>;

std::string ErrorNumber(uint64_t number) {
  std::string ts(8, '\0');
  for (int i = 0; i < 8; ++i) ts[i] = static_cast<char>(number >> (8 * i));
  return ts;
}

void FlushErrorKey(ErrorWorld& w, const std::string& key) {
  w.Must(w.db()->Put(WriteOptions(), key, "v"));
  w.Must(w.db()->Flush(FlushOptions()));
}

// A table file of these keys, outside of the database.
std::string ErrorTable(ErrorWorld& w, const std::string& name,
                       const Strings& keys) {
  SstFileWriter writer(EnvOptions(), w.options);
  w.Must(writer.Open(w.File(name)));
  for (const std::string& key : keys) w.Must(writer.Put(key, "v"));
  w.Must(writer.Finish());
  return w.File(name);
}

std::string OnlyTable(const ErrorWorld& w) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(w.path)) {
    if (entry.path().extension() == ".sst") found = entry.path().string();
  }
  return found;
}

Status IteratorError(ErrorWorld& w, const ReadOptions& options) {
  const std::unique_ptr<Iterator> it(w.db()->NewIterator(options));
  it->SeekToFirst();
  return it->status();
}

Status CheckpointError(ErrorWorld& w, const std::string& directory) {
  Checkpoint* made = nullptr;
  w.Must(Checkpoint::Create(w.db(), &made));
  const std::unique_ptr<Checkpoint> checkpoint(made);
  return checkpoint->CreateCheckpoint(directory);
}

const std::vector<Mistake> kWriteMistakes{
    {"sync without a log",
     [](ErrorWorld& w) {
       WriteOptions options;
       options.disableWAL = options.sync = true;
       return w.Open()->Put(options, "k", "v");
     },
     "Invalid argument: Sync writes has to enable WAL.$"},
    {"no batch",
     [](ErrorWorld& w) { return w.Open()->Write(WriteOptions(), nullptr); },
     "Invalid argument: Batch is nullptr!$"},
    {"a batch too short",
     [](ErrorWorld& w) {
       WriteBatch batch(std::string("short"));
       return w.Open()->Write(WriteOptions(), &batch);
     },
     "Corruption: malformed WriteBatch (too small)"},
    {"a batch with a wrong count",
     [](ErrorWorld& w) {
       WriteBatch batch;
       w.Must(batch.Put("k", "v"));
       std::string bytes = batch.Data();
       bytes[8] = 5;
       WriteBatch wrong(bytes);
       return w.Open()->Write(WriteOptions(), &wrong);
     },
     "Corruption: WriteBatch has wrong count"},
    {"a batch with an unknown record",
     [](ErrorWorld& w) {
       WriteBatch batch;
       w.Must(batch.Put("k", "v"));
       std::string bytes = batch.Data();
       bytes[12] = 0x66;
       WriteBatch wrong(bytes);
       return w.Open()->Write(WriteOptions(), &wrong);
     },
     "Corruption: unknown WriteBatch tag"},
    {"a batch with half a put",
     [](ErrorWorld& w) {
       WriteBatch batch;
       w.Must(batch.Put("k", "v"));
       WriteBatch wrong(batch.Data().substr(0, batch.Data().size() - 1));
       return w.Open()->Write(WriteOptions(), &wrong);
     },
     "Corruption: bad WriteBatch Put"},
    {"a batch with half a delete",
     [](ErrorWorld& w) {
       WriteBatch batch;
       w.Must(batch.Delete("k"));
       WriteBatch wrong(batch.Data().substr(0, batch.Data().size() - 1));
       return w.Open()->Write(WriteOptions(), &wrong);
     },
     "Corruption: bad WriteBatch Delete"},
    {"put to a dropped family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->Put(WriteOptions(), dropped, "k", "v");
     },
     "Invalid argument: Invalid column family specified in write batch"},
    {"a range deletion that is reversed",
     [](ErrorWorld& w) {
       return w.Open()->DeleteRange(WriteOptions(),
                                    w.db()->DefaultColumnFamily(), "z", "a");
     },
     "Invalid argument: end key comes before start key"},
    {"merge without an operator",
     [](ErrorWorld& w) { return w.Open()->Merge(WriteOptions(), "k", "v"); },
     "Not implemented: Provide a merge_operator when opening DB$"},
    {"a batch that merges without an operator",
     [](ErrorWorld& w) {
       WriteBatch batch;
       w.Must(batch.Put("k", "v"));
       w.Must(batch.Merge("k", "v"));
       return w.Open()->Write(WriteOptions(), &batch);
     },
     "Invalid argument: Merge requires `ColumnFamilyOptions::merge_operator "
     "!= nullptr`"},
    {"a priority that writes cannot have",
     [](ErrorWorld& w) {
       WriteOptions options;
       options.rate_limiter_priority = Env::IO_HIGH;
       return w.Open()->Put(options, "k", "v");
     },
     "Invalid argument: WriteOptions::rate_limiter_priority only allows"},
    {"a priority without the log",
     [](ErrorWorld& w) {
       WriteOptions options;
       options.rate_limiter_priority = Env::IO_USER;
       options.disableWAL = true;
       return w.Open()->Put(options, "k", "v");
     },
     "Invalid argument: WriteOptions::rate_limiter_priority currently only "
     "supports"},
    {"a priority with manual flushes of the log",
     [](ErrorWorld& w) {
       WriteOptions options;
       options.rate_limiter_priority = Env::IO_USER;
       w.options.manual_wal_flush = true;
       return w.Open()->Put(options, "k", "v");
     },
     "Invalid argument: WriteOptions::rate_limiter_priority currently only "
     "supports"},
    {"bytes of protection that are none",
     [](ErrorWorld& w) {
       WriteOptions options;
       options.protection_bytes_per_key = 3;
       return w.Open()->Put(options, "k", "v");
     },
     "Invalid argument: `WriteOptions::protection_bytes_per_key` must be zero "
     "or eight"},
    {"a full batch",
     [](ErrorWorld& /*w*/) {
       WriteBatch batch(0, 64);
       return batch.Put("key", std::string(100, 'x'));
     },
     "Operation aborted: Memory limit reached$"},
    {"no save point to roll back to",
     [](ErrorWorld& /*w*/) { return WriteBatch().RollbackToSavePoint(); },
     "NotFound: $"},
    {"no save point to forget",
     [](ErrorWorld& /*w*/) { return WriteBatch().PopSavePoint(); },
     "NotFound: $"},
    {"no save point of an indexed batch",
     [](ErrorWorld& /*w*/) {
       return WriteBatchWithIndex().RollbackToSavePoint();
     },
     "NotFound: $"},
    {"a wide column twice",
     [](ErrorWorld& w) {
       return w.Open()->PutEntity(WriteOptions(), w.db()->DefaultColumnFamily(),
                                  "k", WideColumns{{"a", "1"}, {"a", "2"}});
     },
     "Corruption: Wide columns out of order"},
    {"an indexed batch deletes a range",
     [](ErrorWorld& /*w*/) {
       return WriteBatchWithIndex().DeleteRange(nullptr, "a", "b");
     },
     "Not implemented: DeleteRange unsupported in WriteBatchWithIndex"},
};

const std::vector<Mistake> kOtherInstances{
    {"put read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->Put(WriteOptions(), "k", "v");
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"flush read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->Flush(FlushOptions());
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"compact read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->CompactRange(CompactRangeOptions(), nullptr, nullptr);
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"ingest read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->IngestExternalFile({"x"}, IngestExternalFileOptions());
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"a family read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       ColumnFamilyHandle* handle = nullptr;
       return w.db()->CreateColumnFamily(ColumnFamilyOptions(), "x", &handle);
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"set options read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->SetOptions({{"ttl", "7"}});
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"sync the log read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->SyncWAL();
     },
     "Not implemented: Not supported operation in read only mode.$"},
    {"catch up read only",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenReadOnly(w.path));
       return w.db()->TryCatchUpWithPrimary();
     },
     "Not implemented: Supported only by secondary instance"},
    {"put secondary",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenSecondary(w.path));
       return w.db()->Put(WriteOptions(), "k", "v");
     },
     "Not implemented: Not supported operation in secondary mode.$"},
    {"flush secondary",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenSecondary(w.path));
       return w.db()->Flush(FlushOptions());
     },
     "Not implemented: Not supported operation in secondary mode.$"},
    {"compact secondary",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.TryOpenSecondary(w.path));
       return w.db()->CompactRange(CompactRangeOptions(), nullptr, nullptr);
     },
     "Not implemented: Not supported operation in secondary mode.$"},
    {"catch up with oneself",
     [](ErrorWorld& w) { return w.Open()->TryCatchUpWithPrimary(); },
     "Not implemented: Supported only by secondary instance"},
    {"read only of nothing",
     [](ErrorWorld& w) { return w.TryOpenReadOnly(w.File("none")); },
     "IO error: No such file or directory: While opening a file for "
     "sequentially reading: PATH/none/CURRENT: No such file or directory"},
    {"secondary of nothing",
     [](ErrorWorld& w) { return w.TryOpenSecondary(w.File("none")); },
     "IO error: No such file or directory: While opening a file for "
     "sequentially reading: PATH/none/CURRENT: No such file or directory"},
    {"list families of nothing",
     [](ErrorWorld& w) {
       Strings names;
       return DB::ListColumnFamilies(w.options, w.File("none"), &names);
     },
     "IO error: No such file or directory: While opening a file for "
     "sequentially reading: PATH/none/CURRENT: No such file or directory"},
    {"destroy while open",
     [](ErrorWorld& w) {
       w.Open();
       return DestroyDB(w.path, w.options);
     },
     "IO error: lock hold by current process, acquire time "},
};

const std::vector<Mistake> kReadMistakes{
    {"get what is missing",
     [](ErrorWorld& w) {
       std::string value;
       return w.Open()->Get(ReadOptions(), "k", &value);
     },
     "NotFound: $"},
    {"a timestamp for a family without",
     [](ErrorWorld& w) {
       std::string value;
       const std::string ts = ErrorNumber(1);
       const Slice slice(ts);
       ReadOptions options;
       options.timestamp = &slice;
       return w.Open()->Get(options, "k", &value);
     },
     "Invalid argument: cannot call this method on column family default that "
     "does not enable timestamp"},
    {"scan with a timestamp without",
     [](ErrorWorld& w) {
       const std::string ts = ErrorNumber(1);
       const Slice slice(ts);
       ReadOptions options;
       options.timestamp = &slice;
       w.Open();
       return IteratorError(w, options);
     },
     "Invalid argument: cannot call this method on column family default that "
     "does not enable timestamp"},
    {"put with a timestamp without",
     [](ErrorWorld& w) {
       return w.Open()->Put(WriteOptions(), "k", ErrorNumber(1), "v");
     },
     "Invalid argument: cannot call this method on column family default that "
     "does not enable timestamp"},
    {"delete with a timestamp without",
     [](ErrorWorld& w) {
       return w.Open()->Delete(WriteOptions(), Slice("k"),
                               Slice(ErrorNumber(1)));
     },
     "Invalid argument: cannot call this method on column family default that "
     "does not enable timestamp"},
    {"an iterator of the persisted tier",
     [](ErrorWorld& w) {
       ReadOptions options;
       options.read_tier = kPersistedTier;
       w.Open();
       return IteratorError(w, options);
     },
     "Not implemented: ReadTier::kPersistedData is not yet supported in "
     "iterators."},
    {"property of an iterator",
     [](ErrorWorld& w) {
       const std::unique_ptr<Iterator> it(w.Open()->NewIterator(ReadOptions()));
       std::string value;
       return it->GetProperty("nonsense", &value);
     },
     "Invalid argument: Unidentified property."},
    {"merge operands without room",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.db()->Put(WriteOptions(), "k", "v"));
       GetMergeOperandsOptions options;
       options.expected_max_number_of_operands = 0;
       int count = 0;
       PinnableSlice values[1];
       return w.db()->GetMergeOperands(ReadOptions(),
                                       w.db()->DefaultColumnFamily(), "k",
                                       values, &options, &count);
     },
     "Result incomplete: Insufficient capacity for merge operands$"},
    {"sizes of neither",
     [](ErrorWorld& w) {
       SizeApproximationOptions options;
       options.include_memtables = options.include_files = false;
       const Range range("a", "b");
       uint64_t size = 0;
       return w.Open()->GetApproximateSizes(
           options, w.db()->DefaultColumnFamily(), &range, 1, &size);
     },
     "Invalid argument: Invalid options"},
    {"updates of the future",
     [](ErrorWorld& w) {
       std::unique_ptr<TransactionLogIterator> it;
       return w.Open()->GetUpdatesSince(1000000, &it);
     },
     "NotFound: Requested sequence not yet written in the db$"},
    {"the age of files that are not all open",
     [](ErrorWorld& w) {
       w.options.max_open_files = 100;
       uint64_t time = 0;
       return w.Open()->GetCreationTimeOfOldestFile(&time);
     },
     "Not implemented: This API only works if max_open_files = -1"},
    {"checksums of files without a factory",
     [](ErrorWorld& w) { return w.Open()->VerifyFileChecksums(ReadOptions()); },
     "Invalid argument: Cannot verify file checksum if options.file_checksum_"
     "gen_factory is null"},
    {"history of timestamps without",
     [](ErrorWorld& w) {
       std::string ts;
       return w.Open()->GetFullHistoryTsLow(nullptr, &ts);
     },
     "Invalid argument: Timestamp is not enabled in this column family"},
    {"history of timestamps without, increased",
     [](ErrorWorld& w) {
       return w.Open()->IncreaseFullHistoryTsLow(nullptr, ErrorNumber(1));
     },
     "Invalid argument: Timestamp is not enabled in this column family"},
};

const std::vector<Mistake> kFamilyMistakes{
    {"create a family again",
     [](ErrorWorld& w) {
       w.Family("cf");
       ColumnFamilyHandle* handle = nullptr;
       return w.db()->CreateColumnFamily(ColumnFamilyOptions(), "cf", &handle);
     },
     "Invalid argument: Column family already exists"},
    {"create the default family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* handle = nullptr;
       return w.Open()->CreateColumnFamily(ColumnFamilyOptions(), "default",
                                           &handle);
     },
     "Invalid argument: Column family already exists"},
    {"drop the default family",
     [](ErrorWorld& w) {
       return w.Open()->DropColumnFamily(w.db()->DefaultColumnFamily());
     },
     "Invalid argument: Can't drop default column family$"},
    {"drop a family twice",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->DropColumnFamily(dropped);
     },
     "Invalid argument: Column family already dropped!\n$"},
    {"flush a dropped family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->Flush(FlushOptions(), dropped);
     },
     "Column family dropped: "},
    {"flush a dropped family with data",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* family = w.Family("cf");
       w.Must(w.db()->Put(WriteOptions(), family, "k", "v"));
       w.Must(w.db()->DropColumnFamily(family));
       return w.db()->Flush(FlushOptions(), family);
     },
     "Column family dropped: "},
    {"flush a dropped family among others",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->Flush(FlushOptions(),
                            {dropped, w.db()->DefaultColumnFamily()});
     },
     "Column family dropped: "},
    {"flush a dropped family atomically",
     [](ErrorWorld& w) {
       w.options.atomic_flush = true;
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->Flush(FlushOptions(),
                            {dropped, w.db()->DefaultColumnFamily()});
     },
     "Column family dropped: "},
    {"compact a dropped family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->CompactRange(CompactRangeOptions(), dropped, nullptr,
                                   nullptr);
     },
     "Column family dropped: "},
    {"ingest into a dropped family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       return w.db()->IngestExternalFile(dropped, {table},
                                         IngestExternalFileOptions());
     },
     "Column family dropped: "},
    {"set options of a dropped family",
     [](ErrorWorld& w) {
       ColumnFamilyHandle* dropped = w.DroppedFamily();
       return w.db()->SetOptions(dropped, {{"ttl", "7"}});
     },
     "Column family dropped: "},
};

const std::vector<Mistake> kOptionChanges{
    {"set an unknown option",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"nonsense", "1"}});
     },
     "Invalid argument: Extra option not recognized: nonsense"},
    {"set a fixed option",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"num_levels", "5"}});
     },
     "Invalid argument: Option not changeable: num_levels"},
    {"set a bad value",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"write_buffer_size", "abc"}});
     },
     "Invalid argument: Error parsing write_buffer_size:stoull"},
    {"set a number that is too large",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions(
           {{"write_buffer_size", "99999999999999999999999"}});
     },
     "Invalid argument: Error parsing write_buffer_size:stoull"},
    {"set a bad int",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions(
           {{"level0_file_num_compaction_trigger", "abc"}});
     },
     "Invalid argument: Error parsing level0_file_num_compaction_trigger:stoi"},
    {"set a bad double",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"max_bytes_for_level_multiplier", "x"}});
     },
     "Invalid argument: Error parsing max_bytes_for_level_multiplier:stod"},
    {"set a bad boolean",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"disable_auto_compactions", "maybe"}});
     },
     "Invalid argument: Error parsing disable_auto_compactions:"},
    {"set a bad enumeration",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"compression", "kNonsense"}});
     },
     "Invalid argument: Error parsing:: compression"},
    {"set a bad enumeration that RocksDB has a map for",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"prepopulate_blob_cache", "kNonsense"}});
     },
     "Invalid argument: No mapping for enum : prepopulate_blob_cache"},
    {"set an unknown option of the tables",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions(
           {{"block_based_table_factory", "{nonsense=1;}"}});
     },
     "Invalid argument: Extra option not recognized: "
     "block_based_table_factory"},
    {"set a bad value of the tables",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions(
           {{"block_based_table_factory", "{block_size=abc;}"}});
     },
     "Invalid argument: Error parsing block_size:stoull"},
    {"set nothing",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions(
           std::unordered_map<std::string, std::string>());
     },
     "Invalid argument: empty input"},
    {"set nothing of the database",
     [](ErrorWorld& w) { return w.Open()->SetDBOptions({}); },
     "Invalid argument: empty input"},
    {"set an unknown option of the database",
     [](ErrorWorld& w) {
       return w.Open()->SetDBOptions({{"nonsense", "1"}});
     },
     "NotFound: Unrecognized option: nonsense"},
    {"set an option of a family at the database",
     [](ErrorWorld& w) {
       return w.Open()->SetDBOptions({{"write_buffer_size", "1"}});
     },
     "NotFound: Unrecognized option: write_buffer_size"},
    {"set an option of the database at a family",
     [](ErrorWorld& w) {
       return w.Open()->SetOptions({{"max_open_files", "1"}});
     },
     "Invalid argument: Extra option not recognized: max_open_files"},
    {"set a fixed option of the database",
     [](ErrorWorld& w) {
       return w.Open()->SetDBOptions({{"use_fsync", "true"}});
     },
     "NotFound: Unrecognized option: use_fsync"},
    {"set a bad value of the database",
     [](ErrorWorld& w) {
       return w.Open()->SetDBOptions({{"max_background_jobs", "abc"}});
     },
     "Invalid argument: Error parsing max_background_jobs:stoi"},
    {"an unknown option in a string",
     [](ErrorWorld& /*w*/) {
       Options options;
       return GetOptionsFromString(Options(), "nonsense=1", &options);
     },
     "Invalid argument: Extra option not recognized: nonsense"},
    {"an unknown family option in a string",
     [](ErrorWorld& /*w*/) {
       ColumnFamilyOptions options;
       return GetColumnFamilyOptionsFromString(
           ConfigOptions(), ColumnFamilyOptions(), "nonsense=1", &options);
     },
     "Invalid argument: Extra option not recognized: nonsense"},
    {"an unknown database option in a string",
     [](ErrorWorld& /*w*/) {
       DBOptions options;
       return GetDBOptionsFromString(ConfigOptions(), DBOptions(), "nonsense=1",
                                     &options);
     },
     "Invalid argument: Extra option not recognized: nonsense"},
    {"an unknown table option in a string",
     [](ErrorWorld& /*w*/) {
       BlockBasedTableOptions options;
       return GetBlockBasedTableOptionsFromString(
           ConfigOptions(), BlockBasedTableOptions(), "nonsense=1", &options);
     },
     "Invalid argument: Extra option not recognized: nonsense"},
    {"a string without values",
     [](ErrorWorld& /*w*/) {
       Options options;
       return GetOptionsFromString(Options(), "nonsense", &options);
     },
     "Invalid argument: Mismatched key value pair, '=' expected"},
    {"a string without a key",
     [](ErrorWorld& /*w*/) {
       Options options;
       return GetOptionsFromString(Options(), "=1", &options);
     },
     "Invalid argument: Empty key found"},
    {"a string with an open bracket",
     [](ErrorWorld& /*w*/) {
       Options options;
       return GetOptionsFromString(
           Options(), "block_based_table_factory={block_size=1", &options);
     },
     "Invalid argument: Mismatched curly braces for nested options"},
    {"a string with something behind a bracket",
     [](ErrorWorld& /*w*/) {
       Options options;
       return GetOptionsFromString(
           Options(), "block_based_table_factory={block_size=1}x", &options);
     },
     "Invalid argument: Unexpected chars after nested options"},
};

const std::vector<Mistake> kTableMistakes{
    {"ingest a missing file",
     [](ErrorWorld& w) {
       return w.Open()->IngestExternalFile({w.File("none.sst")},
                                           IngestExternalFileOptions());
     },
     "IO error: No such file or directory: while stat a file for size: "
     "PATH/none.sst: No such file or directory"},
    {"ingest nothing",
     [](ErrorWorld& w) {
       return w.Open()->IngestExternalFile(Strings(),
                                           IngestExternalFileOptions());
     },
     "Invalid argument: external_files[0] is empty"},
    {"ingest no argument",
     [](ErrorWorld& w) { return w.Open()->IngestExternalFiles({}); },
     "Invalid argument: ingestion arg list is empty"},
    {"ingest an empty file",
     [](ErrorWorld& w) {
       std::ofstream(w.File("x.sst")) << "";
       return w.Open()->IngestExternalFile({w.File("x.sst")},
                                           IngestExternalFileOptions());
     },
     "Corruption: file is too short"},
    {"ingest a table of the database's own",
     [](ErrorWorld& w) {
       w.Open();
       FlushErrorKey(w, "k");
       return w.db()->IngestExternalFile({OnlyTable(w)},
                                         IngestExternalFileOptions());
     },
     "Corruption: External file version not found"},
    {"ingest tables that overlap, behind",
     [](ErrorWorld& w) {
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       IngestExternalFileOptions options;
       options.ingest_behind = true;
       return w.Open()->IngestExternalFile({table}, options);
     },
     "Invalid argument: can't ingest_behind file in DB with "
     "allow_ingest_behind=false"},
    {"ingest without a sequence number of its own",
     [](ErrorWorld& w) {
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       w.Open();
       FlushErrorKey(w, "a");
       IngestExternalFileOptions options;
       options.allow_global_seqno = false;
       return w.db()->IngestExternalFile({table}, options);
     },
     "Invalid argument: Global seqno is required, but disabled"},
    {"ingest without a flush",
     [](ErrorWorld& w) {
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       w.Open();
       w.Must(w.db()->Put(WriteOptions(), "a", "v"));
       IngestExternalFileOptions options;
       options.allow_blocking_flush = false;
       return w.db()->IngestExternalFile({table}, options);
     },
     "Invalid argument: External file requires flush"},
    {"ingest to the last level over data",
     [](ErrorWorld& w) {
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       w.Open();
       FlushErrorKey(w, "a");
       IngestExternalFileOptions options;
       options.fail_if_not_bottommost_level = true;
       return w.db()->IngestExternalFile({table}, options);
     },
     "Operation failed. Try again.: Files cannot be ingested to Lmax. Please "
     "make sure key range of Lmax does not overlap with files to ingest."},
    {"ingest twice the same family",
     [](ErrorWorld& w) {
       const std::string table = ErrorTable(w, "t.sst", {"a"});
       IngestExternalFileArg arg;
       arg.column_family = w.Open()->DefaultColumnFamily();
       arg.external_files = {table};
       return w.db()->IngestExternalFiles({arg, arg});
     },
     "Invalid argument: ingestion args have duplicate column families"},
    {"ingest no family",
     [](ErrorWorld& w) {
       IngestExternalFileArg arg;
       arg.external_files = {w.File("x.sst")};
       return w.Open()->IngestExternalFiles({arg});
     },
     "Invalid argument: column family handle is null"},
    {"an unordered table",
     [](ErrorWorld& w) {
       SstFileWriter writer(EnvOptions(), w.options);
       w.Must(writer.Open(w.File("t.sst")));
       w.Must(writer.Put("b", "v"));
       return writer.Put("a", "v");
     },
     "Invalid argument: Keys must be added in strict ascending order.$"},
    {"a table with a key twice",
     [](ErrorWorld& w) {
       SstFileWriter writer(EnvOptions(), w.options);
       w.Must(writer.Open(w.File("t.sst")));
       w.Must(writer.Put("b", "v"));
       return writer.Put("b", "v");
     },
     "Invalid argument: Keys must be added in strict ascending order.$"},
    {"a table without entries",
     [](ErrorWorld& w) {
       SstFileWriter writer(EnvOptions(), w.options);
       w.Must(writer.Open(w.File("t.sst")));
       return writer.Finish();
     },
     "Invalid argument: Cannot create sst file with no entries$"},
    {"put before the table is open",
     [](ErrorWorld& w) {
       return SstFileWriter(EnvOptions(), w.options).Put("a", "v");
     },
     "Invalid argument: File is not opened$"},
    {"delete a range before the table is open",
     [](ErrorWorld& w) {
       return SstFileWriter(EnvOptions(), w.options).DeleteRange("a", "b");
     },
     "Invalid argument: File is not opened$"},
    {"finish before the table is open",
     [](ErrorWorld& w) {
       return SstFileWriter(EnvOptions(), w.options).Finish();
     },
     "Invalid argument: File is not opened$"},
    {"a reversed range of a table",
     [](ErrorWorld& w) {
       SstFileWriter writer(EnvOptions(), w.options);
       w.Must(writer.Open(w.File("t.sst")));
       return writer.DeleteRange("b", "a");
     },
     "Invalid argument: end key comes before start key"},
    {"a timestamp in a table without",
     [](ErrorWorld& w) {
       SstFileWriter writer(EnvOptions(), w.options);
       w.Must(writer.Open(w.File("t.sst")));
       return writer.Put("b", ErrorNumber(1), "v");
     },
     "Invalid argument: Timestamp size mismatch"},
    {"a table in no directory",
     [](ErrorWorld& w) {
       return SstFileWriter(EnvOptions(), w.options).Open(w.File("no/t.sst"));
     },
     "IO error: No such file or directory: While open a file for appending: "
     "PATH/no/t.sst: No such file or directory"},
    {"read a missing table",
     [](ErrorWorld& w) {
       return SstFileReader(w.options).Open(w.File("none.sst"));
     },
     "IO error: No such file or directory: while stat a file for size: "
     "PATH/none.sst: No such file or directory"},
};

const std::vector<Mistake> kWorkMistakes{
    {"a checkpoint where something is",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(CheckpointError(w, w.File("copy")));
       return CheckpointError(w, w.File("copy"));
     },
     "Invalid argument: Directory exists"},
    {"a checkpoint nowhere",
     [](ErrorWorld& w) {
       w.Open();
       return CheckpointError(w, "");
     },
     "Invalid argument: "},
    {"a checkpoint in no directory",
     [](ErrorWorld& w) {
       w.Open();
       return CheckpointError(w, w.File("no/where"));
     },
     "IO error: No such file or directory: While mkdir: "
     "PATH/no/where.tmp: No such file or directory"},
    {"an export where something is",
     [](ErrorWorld& w) {
       w.Open();
       Checkpoint* made = nullptr;
       w.Must(Checkpoint::Create(w.db(), &made));
       const std::unique_ptr<Checkpoint> checkpoint(made);
       ExportImportFilesMetaData* files = nullptr;
       return checkpoint->ExportColumnFamily(w.db()->DefaultColumnFamily(),
                                             w.path, &files);
     },
     "Invalid argument: Specified export_dir exists"},
    {"compact while it is disabled",
     [](ErrorWorld& w) {
       w.Open()->DisableManualCompaction();
       return w.db()->CompactRange(CompactRangeOptions(), nullptr, nullptr);
     },
     "Result incomplete: Manual compaction paused$"},
    {"compact to a path that is none",
     [](ErrorWorld& w) {
       CompactRangeOptions options;
       options.target_path_id = 100;
       return w.Open()->CompactRange(options, nullptr, nullptr);
     },
     "Invalid argument: Invalid target path ID"},
    {"compact no files",
     [](ErrorWorld& w) {
       return w.Open()->CompactFiles(CompactionOptions(), Strings(), 1);
     },
     "Invalid argument: A compaction must contain at least one file.$"},
    {"compact an unknown file",
     [](ErrorWorld& w) {
       return w.Open()->CompactFiles(CompactionOptions(), {"/999999.sst"}, 1);
     },
     "Invalid argument: Specified compaction input file /999999.sst does not "
     "exist in column family default."},
    {"compact files to a level that is none",
     [](ErrorWorld& w) {
       w.Open();
       FlushErrorKey(w, "k");
       std::vector<LiveFileMetaData> files;
       w.db()->GetLiveFilesMetaData(&files);
       return w.db()->CompactFiles(CompactionOptions(), {files[0].name}, 100);
     },
     "Invalid argument: Output level for column family default must between "
     "[0, 6]."},
    {"compact files to a level above",
     [](ErrorWorld& w) {
       // Else the file may be on its way down again.
       w.options.disable_auto_compactions = true;
       w.Open();
       FlushErrorKey(w, "k");
       CompactRangeOptions options;
       options.change_level = true;
       options.target_level = 3;
       w.Must(w.db()->CompactRange(options, nullptr, nullptr));
       std::vector<LiveFileMetaData> files;
       w.db()->GetLiveFilesMetaData(&files);
       return w.db()->CompactFiles(CompactionOptions(), {files[0].name}, 1);
     },
     "Invalid argument: Cannot compact file to up level, input file: "},
    {"go on without a pause",
     [](ErrorWorld& w) { return w.Open()->ContinueBackgroundWork(); },
     "Invalid argument: "},
    {"unlock the log without a lock",
     [](ErrorWorld& w) { return w.Open()->UnlockWAL(); },
     "Operation aborted: "},
    {"close with a snapshot",
     [](ErrorWorld& w) {
       const Snapshot* snapshot = w.Open()->GetSnapshot();
       const Status s = w.db()->Close();
       w.db()->ReleaseSnapshot(snapshot);
       return s;
     },
     "Operation aborted: Cannot close DB with unreleased snapshot.$"},
    {"statistics of nobody",
     [](ErrorWorld& w) { return w.Open()->GetStatsHistory(0, 1, nullptr); },
     "Invalid argument: stats_iterator not preallocated."},
    {"open what is open",
     [](ErrorWorld& w) {
       w.Open();
       return w.TryOpenAgain();
     },
     "IO error: lock hold by current process, acquire time "},
};

TEST(ErrorTextTest, Writes) { ExpectErrorTexts(kWriteMistakes); }
TEST(ErrorTextTest, OtherInstances) { ExpectErrorTexts(kOtherInstances); }
TEST(ErrorTextTest, Reads) { ExpectErrorTexts(kReadMistakes); }
TEST(ErrorTextTest, Families) { ExpectErrorTexts(kFamilyMistakes); }
TEST(ErrorTextTest, OptionChanges) { ExpectErrorTexts(kOptionChanges); }
TEST(ErrorTextTest, Tables) { ExpectErrorTexts(kTableMistakes); }
TEST(ErrorTextTest, Work) { ExpectErrorTexts(kWorkMistakes); }

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
