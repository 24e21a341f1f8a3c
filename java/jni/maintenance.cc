// Maintenance: flushes, compactions, properties, files.
#include <algorithm>

#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/convenience.h"
#include "rocksdb/experimental.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/observation.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/memory_util.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of Maintenance.java.
enum class Step {
  kPause,
  kContinue,
  kFlushWal,
  kFlushWalSync,
  kSyncWal,
  kDisableDeletions,
  kEnableDeletions,
  kVerifyChecksum,
  kEndTrace,
  kCatchUp
};

Status RunStep(DB* db, Step step) {
  switch (step) {
    case Step::kPause:
      return db->PauseBackgroundWork();
    case Step::kContinue:
      return db->ContinueBackgroundWork();
    case Step::kFlushWal:
      return db->FlushWAL(false);
    case Step::kFlushWalSync:
      return db->FlushWAL(true);
    case Step::kSyncWal:
      return db->SyncWAL();
    case Step::kDisableDeletions:
      return db->DisableFileDeletions();
    case Step::kEnableDeletions:
      return db->EnableFileDeletions();
    case Step::kVerifyChecksum:
      return db->VerifyChecksum();
    case Step::kEndTrace:
      return db->EndTrace();
    case Step::kCatchUp:
      return db->TryCatchUpWithPrimary();
  }
  return Status::InvalidArgument("no such step");
}

std::vector<std::string> TextsOf(Unpacker& in) {
  std::vector<std::string> texts(static_cast<size_t>(in.Int()));
  for (std::string& text : texts) text = in.Text();
  return texts;
}

std::unordered_map<std::string, std::string> OptionsOf(Unpacker& in) {
  std::unordered_map<std::string, std::string> options;
  for (int32_t left = in.Int(); left > 0; --left) {
    std::string name = in.Text();
    options[name] = in.Text();
  }
  return options;
}

// Keys in pairs, as they came; they live as long as this.
struct Ranges {
  explicit Ranges(std::string packed) : in(std::move(packed)) {
    for (int32_t left = in.Int(); left > 0; --left) {
      const Slice begin = in.Bytes();
      ranges.emplace_back(begin, in.Bytes());
    }
  }
  Unpacker in;
  std::vector<Range> ranges;
};

void PackFile(Packer& out, const SstFileMetaData& file) {
  out.Text(file.name);
  out.Text(file.db_path);
  out.Long(file.size);
  out.Long(file.smallest_seqno);
  out.Long(file.largest_seqno);
  out.Text(file.smallestkey);
  out.Text(file.largestkey);
  out.Long(file.num_reads_sampled);
  out.Bool(file.being_compacted);
  out.Long(file.num_entries);
  out.Long(file.num_deletions);
  out.Text(file.file_checksum);
}

Status PropertyError(const std::string& name) {
  return Status::NotFound("no property " + name);
}

}  // namespace

NATIVE(void, Maintenance, run, jlong database, jint step) {
  Run(env, [&] {
    Check(RunStep(Pin<Database>(database)->db(), static_cast<Step>(step)));
  });
}

NATIVE(jbyteArray, Maintenance, property, jlong database, jlong family,
       jbyteArray name) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const std::string wanted = TextOf(env, name);
    std::string value;
    if (!db->db()->GetProperty(cf, wanted, &value)) {
      throw StatusError{PropertyError(wanted)};
    }
    return NewArray(env, value);
  });
}

NATIVE(jbyteArray, Maintenance, prometheusText, jlong database) {
  return Run(env, [&] {
    Pin<Database> db(database);
    std::string text;
    Check(GetPrometheusText(db->db(), &text));
    return NewArray(env, text);
  });
}

NATIVE(jbyteArray, Maintenance, mapProperty, jlong database, jlong family,
       jbyteArray name) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const std::string wanted = TextOf(env, name);
    std::map<std::string, std::string> value;
    if (!db->db()->GetMapProperty(cf, wanted, &value)) {
      throw StatusError{PropertyError(wanted)};
    }
    Packer out;
    out.TextMap(value);
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, Maintenance, longProperty, jlong database, jlong family,
       jbyteArray name) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const std::string wanted = TextOf(env, name);
    uint64_t value = 0;
    if (!db->db()->GetIntProperty(cf, wanted, &value)) {
      throw StatusError{PropertyError(wanted)};
    }
    return static_cast<jlong>(value);
  });
}

NATIVE(jlong, Maintenance, aggregatedProperty, jlong database,
       jbyteArray name) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    const std::string wanted = TextOf(env, name);
    uint64_t value = 0;
    if (!db->db()->GetAggregatedIntProperty(wanted, &value)) {
      throw StatusError{PropertyError(wanted)};
    }
    return static_cast<jlong>(value);
  });
}

NATIVE(void, Maintenance, resetStats, jlong database) {
  Run(env, [&] { Check(Pin<Database>(database)->db()->ResetStats()); });
}

NATIVE(jlongArray, Maintenance, approximateSizes, jlong database, jlong family,
       jbyteArray packed, jbyte flags) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const Ranges ranges(BytesOf(env, packed));
    SizeApproximationOptions options;
    options.include_memtables = (flags & 1) != 0;
    options.include_files = (flags & 2) != 0;
    options.include_blob_files = (flags & 4) != 0;
    std::vector<uint64_t> sizes(ranges.ranges.size());
    Check(db->db()->GetApproximateSizes(options, cf, ranges.ranges.data(),
                                        static_cast<int>(ranges.ranges.size()),
                                        sizes.data()));
    return NewLongs(env, std::vector<int64_t>(sizes.begin(), sizes.end()));
  });
}

NATIVE(jlongArray, Maintenance, memTableStats, jlong database, jlong family,
       jbyteArray begin, jbyteArray end) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const std::string first = BytesOf(env, begin);
    const std::string last = BytesOf(env, end);
    uint64_t count = 0;
    uint64_t size = 0;
    db->db()->GetApproximateMemTableStats(cf, Range(first, last), &count,
                                          &size);
    return NewLongs(env,
                    {static_cast<int64_t>(count), static_cast<int64_t>(size)});
  });
}

NATIVE(void, Maintenance, compactRange, jlong database, jlong family,
       jbyteArray begin, jbyteArray end, jlong options) {
  Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    Pin<StructObject> given(options, true);
    const CompactRangeOptions defaults;
    const CompactRangeOptions* how =
        given ? given->Struct<CompactRangeOptions>() : &defaults;
    if (how == nullptr) Fail(Wrong::kArgument, "no CompactRangeOptions");
    const std::string first = begin == nullptr ? "" : BytesOf(env, begin);
    const std::string last = end == nullptr ? "" : BytesOf(env, end);
    const Slice from(first);
    const Slice to(last);
    Check(db->db()->CompactRange(*how, cf, begin == nullptr ? nullptr : &from,
                                 end == nullptr ? nullptr : &to));
  });
}

NATIVE(void, Maintenance, clip, jlong database, jlong family, jbyteArray begin,
       jbyteArray end) {
  Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    const std::string first = BytesOf(env, begin);
    const std::string last = BytesOf(env, end);
    Check(db->db()->ClipColumnFamily(cf, first, last));
  });
}

NATIVE(void, Maintenance, setOptions, jlong database, jlong family,
       jbyteArray packed) {
  Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    Unpacker in(BytesOf(env, packed));
    Check(db->db()->SetOptions(cf, OptionsOf(in)));
  });
}

NATIVE(void, Maintenance, setDatabaseOptions, jlong database,
       jbyteArray packed) {
  Run(env, [&] {
    Pin<Database> db(database);
    Unpacker in(BytesOf(env, packed));
    Check(db->db()->SetDBOptions(OptionsOf(in)));
  });
}

NATIVE(jbyteArray, Maintenance, optionsText, jlong database, jlong family,
       jboolean of_database) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    ConfigOptions config;
    config.depth = ConfigOptions::kDepthShallow;
    std::string text;
    if (of_database) {
      Check(GetStringFromDBOptions(config, db->db()->GetDBOptions(), &text));
    } else {
      Check(GetStringFromColumnFamilyOptions(
          config, ColumnFamilyOptions(db->db()->GetOptions(cf)), &text));
    }
    return NewArray(env, text);
  });
}

NATIVE(jbyteArray, Maintenance, compactFiles, jlong database, jlong options,
       jlong family, jbyteArray packed, jlong info) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    PinStruct<CompactionOptions> how(options);
    Pin<Value<CompactionJobInfo>> told(info, true);
    Unpacker in(BytesOf(env, packed));
    const int level = in.Int();
    const int path = in.Int();
    std::vector<std::string> made;
    Check(db->db()->CompactFiles(*how, cf, TextsOf(in), level, path, &made,
                                 told ? &told->rep : nullptr));
    Packer out;
    out.Int(made.size());
    for (const std::string& file : made) out.Text(file);
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, Maintenance, cancelBackgroundWork, jlong database, jboolean wait) {
  Run(env, [&] {
    CancelAllBackgroundWork(Pin<Database>(database)->db(), wait != JNI_FALSE);
  });
}

NATIVE(void, Maintenance, abortCompactions, jlong database, jboolean abort) {
  Run(env, [&] {
    Pin<Database> db(database);
    if (abort) {
      db->db()->AbortAllCompactions();
    } else {
      db->db()->ResumeAllCompactions();
    }
  });
}

NATIVE(void, Maintenance, enableAutoCompaction, jlong database,
       jlongArray families) {
  Run(env, [&] {
    Pin<Database> db(database);
    std::vector<std::unique_ptr<FamilyOf>> pins;
    std::vector<ColumnFamilyHandle*> handles;
    for (const Handle family : LongsOf(env, families)) {
      pins.push_back(std::make_unique<FamilyOf>(*db->open, family));
      handles.push_back(*pins.back());
    }
    Check(db->db()->EnableAutoCompaction(handles));
  });
}

NATIVE(jint, Maintenance, number, jlong database, jlong family, jint which) {
  return Run(env, [&]() -> jint {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    if (which == 0) return db->db()->NumberLevels(cf);
    // Flushes go to level 0.
    if (which == 1) return 0;
    return db->db()->Level0StopWriteTrigger(cf);
  });
}

NATIVE(void, Maintenance, flush, jlong database, jlong options,
       jlongArray families) {
  Run(env, [&] {
    Pin<Database> db(database);
    PinStruct<FlushOptions> how(options);
    std::vector<std::unique_ptr<FamilyOf>> pins;
    std::vector<ColumnFamilyHandle*> handles;
    for (const Handle family : LongsOf(env, families)) {
      pins.push_back(std::make_unique<FamilyOf>(*db->open, family));
      handles.push_back(*pins.back());
    }
    Check(db->db()->Flush(*how, handles));
  });
}

NATIVE(jlong, Maintenance, latestSequence, jlong database) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(
        Pin<Database>(database)->db()->GetLatestSequenceNumber());
  });
}

namespace {

bool ComesBefore(const std::string& one, const std::string& other) {
  const auto is_numbered = [](const std::string& name) {
    return name.size() > 1 && name[1] >= '0' && name[1] <= '9';
  };
  if (is_numbered(one)) return false;
  return is_numbered(other) || one < other;
}

}  // namespace

NATIVE(jbyteArray, Maintenance, liveFiles, jlong database,
       jboolean flush_memtable) {
  return Run(env, [&] {
    std::vector<std::string> files;
    uint64_t manifest_size = 0;
    Check(Pin<Database>(database)->db()->GetLiveFiles(
        files, &manifest_size, flush_memtable != JNI_FALSE));
    // CURRENT, MANIFEST and OPTIONS come first, then what begins with digits.
    std::stable_sort(files.begin(), files.end(), ComesBefore);
    Packer out;
    out.Long(manifest_size);
    out.Int(files.size());
    for (const std::string& file : files) out.Text(file);
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, Maintenance, sortedWalFiles, jlong database) {
  return Run(env, [&] {
    VectorWalPtr files;
    Check(Pin<Database>(database)->db()->GetSortedWalFiles(files));
    Packer out;
    out.Int(files.size());
    for (const auto& file : files) {
      out.Text(file->PathName());
      out.Long(file->LogNumber());
      out.Enum(file->Type());
      out.Long(file->StartSequence());
      out.Long(file->SizeFileBytes());
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, Maintenance, liveFilesMetaData, jlong database) {
  return Run(env, [&] {
    std::vector<LiveFileMetaData> files;
    Pin<Database>(database)->db()->GetLiveFilesMetaData(&files);
    Packer out;
    out.Int(files.size());
    for (const LiveFileMetaData& file : files) {
      out.Text(file.column_family_name);
      out.Int(file.level);
      PackFile(out, file);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, Maintenance, familyMetaData, jlong database, jlong family) {
  return Run(env, [&] {
    Pin<Database> db(database);
    ColumnFamilyMetaData data;
    db->db()->GetColumnFamilyMetaData(FamilyOf(*db->open, family), &data);
    Packer out;
    out.Long(data.size);
    out.Long(data.file_count);
    out.Text(data.name);
    out.Int(data.levels.size());
    for (const LevelMetaData& level : data.levels) {
      out.Int(level.level);
      out.Long(level.size);
      out.Int(level.files.size());
      for (const SstFileMetaData& file : level.files) PackFile(out, file);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, Maintenance, ingest, jlong database, jlong family,
       jbyteArray packed, jlong options) {
  Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    PinStruct<IngestExternalFileOptions> how(options);
    Unpacker in(BytesOf(env, packed));
    Check(db->db()->IngestExternalFile(cf, TextsOf(in), *how));
  });
}

NATIVE(jbyteArray, Maintenance, tableProperties, jlong database, jlong family,
       jbyteArray ranges) {
  return Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    TablePropertiesCollection tables;
    if (ranges == nullptr) {
      Check(db->db()->GetPropertiesOfAllTables(cf, &tables));
    } else {
      const Ranges wanted(BytesOf(env, ranges));
      Check(db->db()->GetPropertiesOfTablesInRange(
          cf, wanted.ranges.data(), wanted.ranges.size(), &tables));
    }
    Packer out;
    out.Int(tables.size());
    for (const auto& [name, table] : tables) {
      out.Text(name);
      Pack(out, *table);
    }
    return NewArray(env, out.bytes());
  });
}

// The range of the two empty keys, as with RocksDB, whose method takes none.
NATIVE(jbyteArray, Maintenance, suggestCompactRange, jlong database,
       jlong family) {
  return Run(env, [&] {
    Pin<Database> db(database);
    const Slice begin, end;
    Check(db->db()->SuggestCompactRange(FamilyOf(*db->open, family), &begin,
                                        &end));
    Packer out;
    out.Text(begin);
    out.Text(end);
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, Maintenance, promoteL0, jlong database, jlong family, jint level) {
  Run(env, [&] {
    Pin<Database> db(database);
    Check(db->db()->PromoteL0(FamilyOf(*db->open, family), level));
  });
}

// Sums by the numbers of MemoryUsageType; -1 for what nothing adds to.
NATIVE(jlongArray, Maintenance, memoryUsage, jlongArray databases,
       jlongArray caches) {
  return Run(env, [&] {
    std::vector<std::unique_ptr<Pin<Database>>> open;
    std::vector<DB*> dbs;
    for (const Handle database : LongsOf(env, databases)) {
      open.push_back(std::make_unique<Pin<Database>>(database));
      dbs.push_back((*open.back())->db());
    }
    std::vector<std::shared_ptr<Cache>> kept;
    std::unordered_set<const Cache*> counted;
    for (const Handle cache : LongsOf(env, caches)) {
      kept.push_back(Pin<Shared<Cache>>(cache)->rep);
      counted.insert(kept.back().get());
    }
    std::map<MemoryUtil::UsageType, uint64_t> usage;
    Check(MemoryUtil::GetApproximateMemoryUsageByType(dbs, counted, &usage));
    std::vector<int64_t> sums(MemoryUtil::kNumUsageTypes, -1);
    for (const auto& [type, size] : usage) {
      sums[static_cast<size_t>(type)] = static_cast<int64_t>(size);
    }
    return NewLongs(env, sums);
  });
}

NATIVE(void, Maintenance, deleteFilesInRanges, jlong database, jlong family,
       jbyteArray packed, jboolean include_end) {
  Run(env, [&] {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    Unpacker in(BytesOf(env, packed));
    std::vector<Slice> keys(static_cast<size_t>(in.Int()));
    for (Slice& key : keys) key = in.Bytes();
    std::vector<RangePtr> ranges;
    for (size_t i = 0; i + 1 < keys.size(); i += 2) {
      ranges.emplace_back(&keys[i], &keys[i + 1]);
    }
    Check(DeleteFilesInRanges(db->db(), cf, ranges.data(), ranges.size(),
                              include_end != JNI_FALSE));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
