// The texts of errors when a database or a family is opened, and those of
// families with timestamps.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/write_batch.h"
#include "tests/db/impl/errors/error_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string FileWith(const ErrorWorld& w, const std::string& part) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(w.path)) {
    const std::string name = entry.path().filename().string();
    if (name.find(part) != std::string::npos) found = entry.path().string();
  }
  return found;
}

// A closed database with one table.
void MakeOneTable(ErrorWorld& w) {
  w.Open();
  w.Must(w.db()->Put(WriteOptions(), "k", std::string(1000, 'v')));
  w.Must(w.db()->Flush(FlushOptions()));
  w.Close();
}

class OtherOrder : public Comparator {
 public:
  const char* Name() const override { return "foo"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

const std::vector<Mistake> kOpenMistakes{
    {"open nothing",
     [](ErrorWorld& w) {
       w.options.create_if_missing = false;
       return w.TryOpen();
     },
     "Invalid argument: PATH/db/CURRENT: does not exist (create_if_missing is "
     "false)$"},
    {"open what must not exist",
     [](ErrorWorld& w) {
       w.Open();
       w.options.error_if_exists = true;
       return w.TryOpen();
     },
     "Invalid argument: PATH/db: exists (error_if_exists is true)$"},
    {"open without a name",
     [](ErrorWorld& w) {
       w.options.create_if_missing = true;
       std::unique_ptr<DB> db;
       Status s = DB::Open(w.options, "", &db);
       EXPECT_TRUE(DB::OpenForReadOnly(w.options, "", &db).IsIOError());
       EXPECT_TRUE(RepairDB("", w.options).IsNotFound());
       EXPECT_TRUE(DestroyDB("", w.options).ok());
       return s;
     },
     "IO error: No such file or directory: While mkdir if missing"},
    {"open without a family",
     [](ErrorWorld& w) {
       w.Family("one");
       return w.TryOpen();
     },
     "Invalid argument: Column families not opened: one$"},
    {"open an unknown family",
     [](ErrorWorld& w) {
       w.Open();
       return w.TryOpenFamilies({"default", "zzz"});
     },
     "Invalid argument: Column family not found: zzz$"},
    {"open without the default family",
     [](ErrorWorld& w) {
       w.Family("one");
       return w.TryOpenFamilies({"one"});
     },
     "Invalid argument: Default column family not specified$"},
    {"open read only an unknown family",
     [](ErrorWorld& w) {
       w.Open();
       return w.TryOpenFamiliesReadOnly({"default", "zzz"});
     },
     "Invalid argument: Column family not found: zzz"},
    {"open with another comparator",
     [](ErrorWorld& w) {
       static const OtherOrder kOrder;
       w.options.comparator = &kOrder;
       w.Open();
       w.options.comparator = BytewiseComparator();
       return w.TryOpen();
     },
     "Invalid argument: leveldb.BytewiseComparator: does not match existing "
     "comparator foo$"},
    {"open a table that is cut",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::filesystem::resize_file(FileWith(w, ".sst"), 100);
       return w.TryOpen();
     },
     "Corruption: Sst file size mismatch between expected "},
    {"open a table of zeros",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       const std::string path = FileWith(w, ".sst");
       const auto bytes = std::filesystem::file_size(path);
       std::filesystem::resize_file(path, 0);
       std::filesystem::resize_file(path, bytes);
       return w.TryOpen();
     },
     "Corruption: Bad table magic number: expected 9863518390377041911, found "
     "0 in "},
    {"open without a table",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::filesystem::remove(FileWith(w, ".sst"));
       return w.TryOpen();
     },
     "Corruption: IO error: No such file or directory: While open a file for "
     "random read: "},
    {"open without a manifest",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::filesystem::remove(FileWith(w, "MANIFEST"));
       return w.TryOpen();
     },
     "IO error: No such file or directory: While opening a file for "
     "sequentially reading: PATH/db/MANIFEST"},
    {"open by rubbish in CURRENT",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::ofstream(w.path + "/CURRENT") << "XX";
       return w.TryOpen();
     },
     "Corruption: CURRENT file does not end with newline"},
    {"open by an empty CURRENT",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::ofstream(w.path + "/CURRENT") << "";
       return w.TryOpen();
     },
     "Corruption: CURRENT file does not end with newline"},
    {"open by another file in CURRENT",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::ofstream(w.path + "/CURRENT") << "XX\n";
       return w.TryOpen();
     },
     "Corruption: CURRENT file corrupted"},
    {"open with an empty manifest",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::filesystem::resize_file(FileWith(w, "MANIFEST"), 0);
       return w.TryOpen();
     },
     "Corruption: no log_file_number, next_file_number, last_sequence entry in "
     "MANIFEST"},
    {"open with rubbish as a manifest",
     [](ErrorWorld& w) {
       MakeOneTable(w);
       std::ofstream(FileWith(w, "MANIFEST")) << std::string(1000, 'x');
       return w.TryOpen();
     },
     "Corruption: "},
    {"open in no directory",
     [](ErrorWorld& w) {
       w.options.create_if_missing = true;
       return w.TryOpenAt(w.File("no/where"));
     },
     "IO error: No such file or directory: While mkdir if missing: "
     "PATH/no/where: No such file or directory"},
    {"options of nothing",
     [](ErrorWorld& w) {
       DBOptions options;
       std::vector<ColumnFamilyDescriptor> families;
       return LoadLatestOptions(ConfigOptions(), w.File("none"), &options,
                                &families);
     },
     "NotFound: No such file or directory: No options files found in the DB "
     "directory."},
    {"fewer levels than there are",
     [](ErrorWorld& w) {
       w.Open();
       w.Must(w.db()->Put(WriteOptions(), "k", "v"));
       w.Must(w.db()->Flush(FlushOptions()));
       CompactRangeOptions compact;
       compact.change_level = true;
       compact.target_level = 5;
       w.Must(w.db()->CompactRange(compact, nullptr, nullptr));
       w.options.num_levels = 3;
       return w.TryOpen();
     },
     "Invalid argument: db has more levels than options.num_levels"},
};

// Opens with the options that `change` makes of the world's.
Mistake Refused(const char* name,
                const std::function<void(Options* options)>& change,
                const char* text) {
  return {name,
          [change](ErrorWorld& w) {
            change(&w.options);
            return w.TryOpen();
          },
          text};
}

std::function<void(Options*)> InTables(
    const std::function<void(BlockBasedTableOptions*)>& change) {
  return [change](Options* options) {
    BlockBasedTableOptions table;
    change(&table);
    options->table_factory.reset(NewBlockBasedTableFactory(table));
  };
}

const std::vector<Mistake> kRefusedDatabaseOptions{
    Refused(
        "no log file kept", [](Options* o) { o->keep_log_file_num = 0; },
        "Invalid argument: keep_log_file_num must be greater than 0"),
    Refused(
        "unordered and pipelined",
        [](Options* o) {
          o->unordered_write = o->enable_pipelined_write = true;
        },
        "Invalid argument: unordered_write is incompatible with "
        "enable_pipelined_write"),
    Refused(
        "unordered and one at a time",
        [](Options* o) {
          o->unordered_write = true;
          o->allow_concurrent_memtable_write = false;
        },
        "Invalid argument: unordered_write is incompatible with "
        "!allow_concurrent_memtable_write"),
    Refused(
        "unordered and successive merges",
        [](Options* o) {
          o->unordered_write = true;
          o->max_successive_merges = 3;
        },
        "Invalid argument: max_successive_merges larger than 0 is currently "
        "inconsistent with unordered_write"),
    Refused(
        "atomic and pipelined",
        [](Options* o) { o->atomic_flush = o->enable_pipelined_write = true; },
        "Invalid argument: atomic_flush is incompatible with "
        "enable_pipelined_write"),
    Refused(
        "atomic and best efforts",
        [](Options* o) { o->atomic_flush = o->best_efforts_recovery = true; },
        "Invalid argument: atomic_flush is currently incompatible with "
        "best-efforts recovery"),
    Refused(
        "mapped and direct reads",
        [](Options* o) { o->use_direct_reads = o->allow_mmap_reads = true; },
        "Not implemented: If memory mapped reads (allow_mmap_reads) are "
        "enabled then direct I/O reads (use_direct_reads) must be disabled. "),
    Refused(
        "mapped and direct writes",
        [](Options* o) {
          o->use_direct_io_for_flush_and_compaction = o->allow_mmap_writes =
              true;
        },
        "Not implemented: If memory mapped writes (allow_mmap_writes) are "
        "enabled then direct I/O writes "
        "(use_direct_io_for_flush_and_compaction) must be disabled. "),
    Refused(
        "direct writes without a buffer",
        [](Options* o) {
          o->use_direct_io_for_flush_and_compaction = true;
          o->writable_file_max_buffer_size = 0;
        },
        "Invalid argument: writes in direct IO require "
        "writable_file_max_buffer_size > 0"),
    Refused(
        "five paths",
        [](Options* o) {
          o->db_paths.resize(5, {"/tmp", 1});
        },
        "Not implemented: More than four DB paths are not supported yet. "),
    Refused(
        "five paths of a family",
        [](Options* o) {
          o->cf_paths.resize(5, {"/tmp", 1});
        },
        "Not implemented: More than four CF paths are not supported yet. "),
};

const std::vector<Mistake> kRefusedFamilyOptions{
    Refused(
        "in place and concurrent",
        [](Options* o) { o->inplace_update_support = true; },
        "Invalid argument: In-place memtable updates (inplace_update_support) "
        "is not compatible with concurrent writes "
        "(allow_concurrent_memtable_write)"),
    Refused(
        "checksums of three bytes",
        [](Options* o) { o->memtable_protection_bytes_per_key = 3; },
        "Not implemented: Memtable per key-value checksum protection only "
        "supports 0, 1, 2, 4 or 8 bytes per key."),
    Refused(
        "an unknown codec",
        [](Options* o) { o->compression = kXpressCompression; },
        "Invalid argument: Compression type Xpress is not linked with the "
        "binary."),
    Refused(
        "an unknown codec of a level",
        [](Options* o) { o->compression_per_level = {kXpressCompression}; },
        "Invalid argument: Compression type Xpress is not linked with the "
        "binary."),
    Refused(
        "an unknown codec of blobs",
        [](Options* o) { o->blob_compression_type = kXpressCompression; },
        "Invalid argument: The specified blob compression type Xpress is not "
        "available."),
    Refused(
        "an age of blobs that is none",
        [](Options* o) {
          o->enable_blob_garbage_collection = true;
          o->blob_garbage_collection_age_cutoff = 2;
        },
        "Invalid argument: The age cutoff for blob garbage collection should "
        "be in the range [0.0, 1.0]."),
    Refused(
        "a share of garbage that is none",
        [](Options* o) {
          o->enable_blob_garbage_collection = true;
          o->blob_garbage_collection_force_threshold = -1;
        },
        "Invalid argument: The garbage ratio threshold for forcing blob "
        "garbage collection should be in the range [0.0, 1.0]."),
    Refused(
        "aligned and compressed",
        [](Options* o) {
          o->compression = kLZ4Compression;
          InTables([](BlockBasedTableOptions* t) { t->block_align = true; })(o);
        },
        "Invalid argument: Enable block_align, but compression enabled"),
    Refused(
        "aligned to an odd size", InTables([](BlockBasedTableOptions* t) {
          t->block_align = true;
          t->block_size = 5000;
        }),
        "Invalid argument: Block alignment requested but block size is not a "
        "power of 2"),
    Refused(
        "blocks that are too large", InTables([](BlockBasedTableOptions* t) {
          t->block_size = uint64_t{1} << 32;
        }),
        "Invalid argument: block size exceeds maximum number (4GiB) allowed"),
    Refused(
        "an unknown format",
        InTables([](BlockBasedTableOptions* t) { t->format_version = 99; }),
        "Invalid argument: Unsupported BlockBasedTable format_version. Please "
        "check include/rocksdb/table.h for more info"),
    Refused(
        "index in no cache", InTables([](BlockBasedTableOptions* t) {
          t->cache_index_and_filter_blocks = t->no_block_cache = true;
        }),
        "Invalid argument: Enable cache_index_and_filter_blocks, , but block "
        "cache is disabled"),
    Refused(
        "index pinned in no cache", InTables([](BlockBasedTableOptions* t) {
          t->pin_l0_filter_and_index_blocks_in_cache = t->no_block_cache = true;
        }),
        "Invalid argument: Enable pin_l0_filter_and_index_blocks_in_cache, , "
        "but block cache is disabled"),
    Refused(
        "a hash index without prefixes",
        InTables([](BlockBasedTableOptions* t) {
          t->index_type = BlockBasedTableOptions::kHashSearch;
        }),
        "Invalid argument: Hash index is specified for block-based table, but "
        "prefix_extractor is not given"),
    Refused(
        "a hash table without room", InTables([](BlockBasedTableOptions* t) {
          t->data_block_index_type =
              BlockBasedTableOptions::kDataBlockBinaryAndHash;
          t->data_block_hash_table_util_ratio = 0;
        }),
        "Invalid argument: data_block_hash_table_util_ratio should be greater "
        "than 0 when data_block_index_type is set to kDataBlockBinaryAndHash"),
};

// A family with timestamps: the default one of a database of its own.
DB* OpenTimestamped(ErrorWorld& w) {
  w.options.comparator = BytewiseComparatorWithU64Ts();
  return w.Open();
}

const std::vector<Mistake> kTimestampMistakes{
    {"put without a timestamp",
     [](ErrorWorld& w) {
       return OpenTimestamped(w)->Put(WriteOptions(), "k", "v");
     },
     "Invalid argument: cannot call this method on column family default that "
     "enables timestamp"},
    {"put with a short timestamp",
     [](ErrorWorld& w) {
       return OpenTimestamped(w)->Put(WriteOptions(), "k", "ts", "v");
     },
     "Invalid argument: Timestamp sizes mismatch: expect 8, 2 given"},
    {"delete without a timestamp",
     [](ErrorWorld& w) {
       return OpenTimestamped(w)->Delete(WriteOptions(), "k");
     },
     "Invalid argument: cannot call this method on column family default that "
     "enables timestamp"},
    {"get without a timestamp",
     [](ErrorWorld& w) {
       std::string value;
       return OpenTimestamped(w)->Get(ReadOptions(), "k", &value);
     },
     "Invalid argument: cannot call this method on column family default that "
     "enables timestamp"},
    {"get with a short timestamp",
     [](ErrorWorld& w) {
       std::string value;
       const Slice ts("ts");
       ReadOptions options;
       options.timestamp = &ts;
       return OpenTimestamped(w)->Get(options, "k", &value);
     },
     "Invalid argument: Timestamp sizes mismatch: expect 8, 2 given"},
    {"scan without a timestamp",
     [](ErrorWorld& w) {
       const std::unique_ptr<Iterator> it(
           OpenTimestamped(w)->NewIterator(ReadOptions()));
       it->SeekToFirst();
       return it->status();
     },
     "Invalid argument: cannot call this method on column family default that "
     "enables timestamp"},
    {"a batch without timestamps",
     [](ErrorWorld& w) {
       OpenTimestamped(w);
       WriteBatch batch;
       w.Must(batch.Put("k", "v"));
       return w.db()->Write(WriteOptions(), &batch);
     },
     "Invalid argument: timestamp size mismatch"},
    {"a part of a batch with a short timestamp",
     [](ErrorWorld& w) {
       OpenTimestamped(w);
       WriteBatch batch;
       return batch.Put(w.db()->DefaultColumnFamily(), "k", "ts", "v");
     },
     "Invalid argument: timestamp size mismatch"},
    {"parts of a batch",
     [](ErrorWorld& w) {
       w.options.comparator = BytewiseComparatorWithU64Ts();
       ColumnFamilyHandle* family = w.Family("stamped");
       const Slice parts[] = {"k", "v"};
       WriteBatch batch;
       return batch.Put(family, SliceParts(parts, 1), SliceParts(parts + 1, 1));
     },
     "Invalid argument: Cannot call this method on column family enabling "
     "timestamp"},
    {"increase to a short timestamp",
     [](ErrorWorld& w) {
       return OpenTimestamped(w)->IncreaseFullHistoryTsLow(nullptr, "ts");
     },
     "Invalid argument: ts_low size mismatch"},
    {"decrease the history",
     [](ErrorWorld& w) {
       OpenTimestamped(w);
       w.Must(
           w.db()->IncreaseFullHistoryTsLow(nullptr, std::string(8, '\x02')));
       return w.db()->IncreaseFullHistoryTsLow(nullptr, std::string(8, '\x01'));
     },
     "Invalid argument: Cannot decrease full_history_ts_low"},
    {"read what is trimmed",
     [](ErrorWorld& w) {
       OpenTimestamped(w);
       w.Must(
           w.db()->IncreaseFullHistoryTsLow(nullptr, std::string(8, '\x02')));
       std::string value;
       const std::string ts(8, '\x01');
       const Slice slice(ts);
       ReadOptions options;
       options.timestamp = &slice;
       return w.db()->Get(options, "k", &value);
     },
     "Invalid argument: Read timestamp: "},
};

TEST(OpenErrorTextTest, Opening) { ExpectErrorTexts(kOpenMistakes); }
TEST(OpenErrorTextTest, DatabaseOptions) {
  ExpectErrorTexts(kRefusedDatabaseOptions);
}
TEST(OpenErrorTextTest, FamilyOptions) {
  ExpectErrorTexts(kRefusedFamilyOptions);
}
TEST(OpenErrorTextTest, Timestamps) { ExpectErrorTexts(kTimestampMistakes); }

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
