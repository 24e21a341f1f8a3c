// The texts of errors that calls of an open database return: most of them in
// tests/testdata/databases/errors/calls.txt, in the language of
// database_script.h. Programs compare these texts: they begin with the words
// that RocksDB uses.
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
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/errors/error_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Strings = std::vector<std::string>;

// A table file of these keys, outside of the database.
std::string ErrorTable(ErrorWorld& w, const std::string& name,
                       const Strings& keys) {
  SstFileWriter writer(EnvOptions(), w.options);
  w.Must(writer.Open(w.File(name)));
  for (const std::string& key : keys) w.Must(writer.Put(key, "v"));
  w.Must(writer.Finish());
  return w.File(name);
}

Status CheckpointError(ErrorWorld& w, const std::string& directory) {
  Checkpoint* made = nullptr;
  w.Must(Checkpoint::Create(w.db(), &made));
  const std::unique_ptr<Checkpoint> checkpoint(made);
  return checkpoint->CreateCheckpoint(directory);
}

const std::vector<Mistake> kWriteMistakes{
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
    {"an indexed batch deletes a range",
     [](ErrorWorld& /*w*/) {
       return WriteBatchWithIndex().DeleteRange(nullptr, "a", "b");
     },
     "Not implemented: DeleteRange unsupported in WriteBatchWithIndex"},
};
const std::vector<Mistake> kOtherInstances{
    {"destroy while open",
     [](ErrorWorld& w) {
       w.Open();
       return DestroyDB(w.path, w.options);
     },
     "IO error: lock hold by current process, acquire time "},
};
const std::vector<Mistake> kReadMistakes{
    {"property of an iterator",
     [](ErrorWorld& w) {
       const std::unique_ptr<Iterator> it(w.Open()->NewIterator(ReadOptions()));
       std::string value;
       return it->GetProperty("nonsense", &value);
     },
     "Invalid argument: Unidentified property."},
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
};
const std::vector<Mistake> kOptionChanges{
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
    {"read a missing table",
     [](ErrorWorld& w) {
       return SstFileReader(w.options).Open(w.File("none.sst"));
     },
     "IO error: No such file or directory: while stat a file for size: "
     "PATH/none.sst: No such file or directory"},
};
const std::vector<Mistake> kWorkMistakes{
    {"work that was not paused",
     [](ErrorWorld& w) { return w.Open()->ContinueBackgroundWork(); },
     "Invalid argument: Background work already unpaused$"},
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
};
TEST(ErrorTextTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunDatabases("databases/errors/calls.txt"), 31u);
}
TEST(ErrorTextTest, Writes) { ExpectErrorTexts(kWriteMistakes); }
TEST(ErrorTextTest, OtherInstances) { ExpectErrorTexts(kOtherInstances); }
TEST(ErrorTextTest, Reads) { ExpectErrorTexts(kReadMistakes); }
TEST(ErrorTextTest, OptionChanges) { ExpectErrorTexts(kOptionChanges); }
TEST(ErrorTextTest, Tables) { ExpectErrorTexts(kTableMistakes); }
TEST(ErrorTextTest, Work) { ExpectErrorTexts(kWorkMistakes); }

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
