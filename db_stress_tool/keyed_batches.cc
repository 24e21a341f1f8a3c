// KeyedWorkload: indexed batches, table files and copies of the database.
#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/keyed_workload.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// No write ever has it.
constexpr uint32_t kVersionOfNone = 0;

IngestExternalFileOptions DrawIngestion(StressRandom* random) {
  IngestExternalFileOptions options;
  options.move_files = random->OneIn(2);
  options.failed_move_fall_back_to_copy = random->OneIn(2);
  // snapshot_consistency stays: what snapshots show is verified.
  options.allow_global_seqno = !random->OneIn(8);
  options.allow_blocking_flush = !random->OneIn(4);
  options.write_global_seqno = random->OneIn(4);
  options.verify_checksums_before_ingest = random->OneIn(2);
  options.verify_checksums_readahead_size = random->OneIn(2) ? 65536 : 0;
  options.verify_file_checksum = random->OneIn(2);
  options.fail_if_not_bottommost_level = random->OneIn(8);
  return options;
}

}  // namespace

// ---- Indexed batches ----

// A batch that is read before it is written.
struct KeyedWorkload::Indexed {
  RangeLookup lookup;
  ExpectedState::Write* write;
  std::shared_ptr<WriteBatchWithIndex> batch;
};

// One key, which is locked: left alone, put, merged or deleted.
Status KeyedWorkload::AddToIndexed(StressRandom* random, const KeyRef& key,
                                   Indexed* indexed) {
  const uint64_t choice = random->Uniform(4);
  const bool is_deletion = choice == 1;
  if (choice == 0 || !(is_deletion ? MayDelete(key) : MayPut(key))) {
    return Status::OK();
  }
  const bool is_once = IsWrittenOnce(key);
  const std::string name = c_.format.Key(key.number);
  const std::optional<Word> word =
      is_deletion ? indexed->write->Delete(key) : indexed->write->Put(key);
  if (!word.has_value()) return Status::Incomplete("the trace is full");
  // A value that the same batch then replaces. Others may read it where
  // what a snapshot shows may become newer.
  Status s;
  if (!is_once && random->OneIn(8) && !c_.database->MayShowLater()) {
    s = indexed->batch->Put(handle(key), name,
                            c_.format.Value(key, kVersionOfNone));
  }
  indexed->lookup.windows[key.number - indexed->lookup.range.from] = {*word,
                                                                      *word};
  if (!s.ok()) return s;
  if (is_deletion) {
    return is_once ? indexed->batch->SingleDelete(handle(key), name)
                   : indexed->batch->Delete(handle(key), name);
  }
  const std::string value = c_.format.Value(key, VersionOf(*word));
  if (c_.flags.use_merge && !is_once && random->OneIn(2)) {
    return indexed->batch->Merge(handle(key), name, value);
  }
  return IsEntity(VersionOf(*word))
             ? entities::Add(indexed->batch.get(), handle(key), name, value)
             : indexed->batch->Put(handle(key), name, value);
}

void KeyedWorkload::CheckIndexed(Indexed* indexed) {
  const RangeLookup& range = indexed->lookup;
  const KeyRef first{range.range.family, range.range.from};
  for (size_t i = 0; i < range.windows.size(); ++i) {
    const Lookup lookup{{first.family, first.number + i},
                        "GetFromBatchAndDB",
                        kNewestStamp,
                        range.windows[i]};
    std::string value;
    const Status s = indexed->batch->GetFromBatchAndDB(
        db(), Reads(), handle(first), c_.format.Key(lookup.key.number), &value);
    Judge(lookup, s, value);
  }
  const ReadOptions options = TotalOrder();
  const std::unique_ptr<Iterator> iterator(indexed->batch->NewIteratorWithBase(
      handle(first), db()->NewIterator(options, handle(first)), &options));
  Walk walk = NewWalk(range.range, iterator.get());
  walk.Forward();
  if (walk.error().empty() && iterator->status().ok() &&
      c_.flags.test_backward_scan) {
    walk.Backward();
  }
  JudgeWalk(range, walk, iterator->status());
}

// A transaction with what the batch has, which sees its own writes.
Status KeyedWorkload::WriteInTransaction(Indexed* indexed) {
  Transactions* const transactions = c_.database->transactions();
  const KeyRange& range = indexed->lookup.range;
  const std::unique_ptr<Transaction> txn = transactions->Begin(Writes());
  Status s = txn->RebuildFromWriteBatch(indexed->batch->GetWriteBatch());
  if (!s.ok()) return s;
  std::vector<std::string> names;
  for (uint64_t number = range.from; number < range.to; ++number) {
    names.push_back(c_.format.Key(number));
  }
  const std::vector<Slice> keys(names.begin(), names.end());
  const std::vector<ColumnFamilyHandle*> families(
      keys.size(), handle({range.family, range.from}));
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      txn->MultiGet(Reads(), families, keys, &values);
  for (size_t i = 0; i < keys.size(); ++i) {
    Judge({{range.family, range.from + i},
           "MultiGet of a transaction",
           kNewestStamp,
           indexed->lookup.windows[i]},
          statuses[i], values[i]);
  }
  return c_.report->failed() ? txn->Rollback()
                             : transactions->Commit(txn.get());
}

void KeyedWorkload::WriteIndexed(Worker* worker, IndexedWrite how) {
  constexpr uint64_t kMostKeys = 24;
  StressRandom* const random = &worker->random;
  const KeyRange range =
      RangeAround(Pick(worker), 1 + random->Uniform(kMostKeys));
  const KeyLocks::Hold hold(&locks_, {range.family, range.from}, range.to);
  ExpectedState::Write write(&expected_);
  // Only one with a single entry for each key can be ingested.
  const bool overwrites = how == IndexedWrite::kIngest || random->OneIn(2);
  Indexed indexed{{range, "indexed batch"},
                  &write,
                  std::make_shared<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                        overwrites)};
  Open(&indexed.lookup);
  Close(&indexed.lookup);
  Status s;
  for (uint64_t number = range.from; number < range.to && s.ok(); ++number) {
    s = AddToIndexed(random, {range.family, number}, &indexed);
  }
  if (s.ok() && random->OneIn(2)) {
    const KeyRef key{range.family, range.from};
    indexed.batch->SetSavePoint();
    s = indexed.batch->Put(handle(key), c_.format.Key(key.number),
                           c_.format.Value(key, kVersionOfNone));
    if (s.ok()) s = indexed.batch->RollbackToSavePoint();
  }
  if (!c_.report->Check(s, "filling an indexed batch")) return;
  CheckIndexed(&indexed);
  if (c_.report->failed()) return;
  const bool is_ingested = how == IndexedWrite::kIngest;
  s = is_ingested ? engine::IngestBatch(db(), Writes(), indexed.batch)
      : c_.database->transactions() != nullptr
          ? WriteInTransaction(&indexed)
          : db()->Write(Writes(), indexed.batch->GetWriteBatch());
  if (CheckWrite(s, is_ingested ? "IngestWriteBatchWithIndex"
                                : "Write of an indexed batch")) {
    write.Acknowledge(Acknowledged());
  }
}

// ---- Table files ----

struct KeyedWorkload::TableFile {
  KeyRange range;
  std::string path;
  ExpectedState::Write* write;
  uint64_t entry_count = 0;
  // What is to be ingested, in this order.
  std::vector<std::string> paths = {};
};

Status KeyedWorkload::AddToTable(SstFileWriter* writer, const KeyRef& key,
                                 uint32_t version) {
  const std::string name = c_.format.Key(key.number);
  const std::string value = c_.format.Value(key, version);
  return IsEntity(version) ? entities::Add(writer, name, value)
                           : writer->Put(name, value);
}

Status KeyedWorkload::OpenTable(SstFileWriter* writer,
                                const std::string& path) {
  return c_.flags.ingest_external_file_with_embedded_blobs
             ? engine::OpenWithEmbeddedBlobs(writer, path)
             : writer->Open(path);
}

Status KeyedWorkload::FillTable(StressRandom* random, TableFile* table) {
  const KeyRange& range = table->range;
  SstFileWriter writer(EnvOptions(), c_.database->options(),
                       handle({range.family, range.from}));
  Status s = OpenTable(&writer, table->path);
  uint64_t next = range.from;
  if (s.ok() && random->OneIn(4)) {
    next += 1 + random->Uniform(std::min<uint64_t>(range.size(), 10));
    for (uint64_t number = range.from; number < next; ++number) {
      if (!table->write->Delete({range.family, number}).has_value()) {
        return Status::Incomplete("the trace is full");
      }
    }
    ++table->entry_count;
    s = writer.DeleteRange(c_.format.Key(range.from), c_.format.Key(next));
  }
  for (; next < range.to && s.ok(); ++next) {
    const KeyRef key{range.family, next};
    const bool is_deletion = random->OneIn(4);
    // SingleDelete() is not a thing of files.
    if (random->OneIn(3) || (is_deletion ? IsWrittenOnce(key) : !MayPut(key))) {
      continue;
    }
    const std::optional<Word> word =
        is_deletion ? table->write->Delete(key) : table->write->Put(key);
    if (!word.has_value()) return Status::Incomplete("the trace is full");
    ++table->entry_count;
    s = is_deletion ? writer.Delete(c_.format.Key(next))
                    : AddToTable(&writer, key, VersionOf(*word));
  }
  if (!s.ok() || table->entry_count == 0) return s;
  table->paths = {table->path};
  return writer.Finish();
}

// A file that deletes the whole range, and a later one with some of its keys.
Status KeyedWorkload::FillReplacement(StressRandom* random, TableFile* table) {
  const KeyRange& range = table->range;
  ColumnFamilyHandle* const family = handle({range.family, range.from});
  const std::string deletion_path = table->path + "deletion";
  SstFileWriter deletion(EnvOptions(), c_.database->options(), family);
  Status s = deletion.Open(deletion_path);
  if (s.ok()) {
    s = deletion.DeleteRange(c_.format.Key(range.from),
                             c_.format.Key(range.to));
  }
  if (s.ok()) s = deletion.Finish();
  table->paths = {deletion_path};
  SstFileWriter writer(EnvOptions(), c_.database->options(), family);
  if (s.ok()) s = OpenTable(&writer, table->path);
  for (uint64_t number = range.from; number < range.to && s.ok(); ++number) {
    const KeyRef key{range.family, number};
    const bool is_put = !IsWrittenOnce(key) && random->OneIn(3);
    const std::optional<Word> word =
        is_put ? table->write->Put(key) : table->write->Delete(key);
    if (!word.has_value()) return Status::Incomplete("the trace is full");
    if (!is_put) continue;
    ++table->entry_count;
    s = AddToTable(&writer, key, VersionOf(*word));
  }
  if (!s.ok() || table->entry_count == 0) return s;
  table->paths.push_back(table->path);
  return writer.Finish();
}

Status KeyedWorkload::IngestInSomeWay(StressRandom* random,
                                      const engine::FilesToIngest& files) {
  if (random->OneIn(c_.flags.ingest_external_file_prepare_commit_one_in)) {
    c_.report->Count("ingestions in two steps");
    return engine::PrepareAndCommit(db(), files);
  }
  if (random->OneIn(c_.flags.ingest_external_file_use_file_info_one_in)) {
    c_.report->Count("ingestions of files that are known");
    return engine::IngestWithInfos(db(), files);
  }
  return db()->IngestExternalFile(files.family, files.paths, files.options);
}

void KeyedWorkload::Ingest(Worker* worker) {
  const auto width = static_cast<uint64_t>(c_.flags.ingest_external_file_width);
  const KeyRange range = RangeAround(Pick(worker), width);
  const KeyLocks::Hold hold(&locks_, {range.family, range.from}, range.to);
  ExpectedState::Write write(&expected_);
  TableFile table{
      range, c_.flags.db + "/.ingest" + std::to_string(worker->index), &write};
  const bool is_replacement = worker->random.OneIn(
      c_.flags.test_ingest_standalone_range_deletion_one_in);
  Status s = is_replacement ? FillReplacement(&worker->random, &table)
                            : FillTable(&worker->random, &table);
  if (c_.report->CheckContended(s, "making a file to ingest") &&
      !table.paths.empty()) {
    ColumnFamilyHandle* const family = handle({range.family, range.from});
    const IngestExternalFileOptions options = DrawIngestion(&worker->random);
    s = IngestInSomeWay(&worker->random, {family, table.paths, options});
    if (s.IsInvalidArgument() || s.IsTryAgain()) {
      // By allow_blocking_flush, allow_global_seqno and the like.
      c_.report->Count("IngestExternalFile: refused");
    } else if (CheckWrite(s, is_replacement ? "IngestExternalFile of a deletion"
                                            : "IngestExternalFile")) {
      write.Acknowledge(Acknowledged());
    }
  }
  const WithoutFaults no_faults;
  Env* const env = c_.database->options().env;
  table.paths.push_back(table.path);
  for (const std::string& path : table.paths) {
    // It is gone if it was moved.
    if (!env->FileExists(path).ok()) continue;
    c_.report->Check(env->DeleteFile(path), "deleting a file to ingest");
  }
}

// ---- Copies of the database ----

void KeyedWorkload::CheckCopy(Worker* worker, const CopyMaker& make) {
  constexpr uint64_t kMostChecked = 5000;
  RangeLookup lookup{RangeAround(Pick(worker), kMostChecked),
                     "a copy of the database", DrawStamp(worker)};
  Open(&lookup);
  std::unique_ptr<DatabaseCopy> copy;
  const Status made = make(lookup.range.family, &copy);
  Close(&lookup);
  if (!c_.report->CheckContended(made, "a copy of the database")) return;
  const AsOf limit(c_.flags, lookup.as_of);
  ReadOptions options = TotalOrder();
  limit.Limit(&options);
  const std::unique_ptr<Iterator> iterator(
      copy->db()->NewIterator(options, copy->family(lookup.range.family)));
  Walk walk = NewWalk(lookup.range, iterator.get());
  walk.Forward();
  JudgeWalk(lookup, walk, iterator->status());
}

}  // namespace ROCKSDB_NAMESPACE::stress
