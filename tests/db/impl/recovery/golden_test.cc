// Databases that RocksDB 7.8 and 11.9 wrote open here and read as expected,
// before and after a full compaction by us.
#include "tests/testing/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "tests/db/impl/timestamp_text.h"
#include "tests/testing/temp_dir.h"
#include "util/builtin_merge_operators.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// `path` is a backup directory; its newest backup takes its place, as a restore
// would lay it out: db-format.md, 8.2.
void RestoreNewestBackup(const std::string& path) {
  namespace fs = std::filesystem;
  int newest = 0;
  for (const auto& meta : fs::directory_iterator(path + "/meta")) {
    newest = std::max(newest, std::stoi(meta.path().filename().string()));
  }
  ASSERT_GT(newest, 0);
  const std::string target = path + ".restored";
  ASSERT_TRUE(fs::create_directory(target));
  std::ifstream meta(path + "/meta/" + std::to_string(newest));
  std::string line;
  size_t restored = 0;
  while (std::getline(meta, line)) {
    std::istringstream words(line);
    std::string file, field;
    uint32_t crc = 0;
    if (!(words >> file >> field >> crc) || field != "crc32") continue;
    std::string bytes;
    ASSERT_TRUE(
        ReadFileToString(Env::Default(), path + "/" + file, &bytes).ok());
    EXPECT_EQ(crc32c::Value(bytes.data(), bytes.size()), crc) << file;
    // A shared table is N_SESSION_SIZE.sst here.
    std::string name = fs::path(file).filename().string();
    if (file.starts_with("shared_checksum/")) {
      name.erase(name.find('_'), name.rfind('.') - name.find('_'));
    }
    fs::copy_file(path + "/" + file, target + "/" + name);
    ++restored;
  }
  ASSERT_GT(restored, 4u);
  fs::remove_all(path);
  fs::rename(target, path);
}

void UnpackDatabases(const std::string& directory,
                     std::vector<std::string>* names) {
  *names = UnpackGolden(directory);
  for (const std::string& name : *names) {
    if (name.find("_backup") == std::string::npos) continue;
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(RestoreNewestBackup(directory + "/golden/" + name));
  }
}

std::string Hex(const Slice& bytes) { return bytes.ToString(true); }

bool IsTimestamped(const std::string& name) {
  return name.find("_udt") != std::string::npos;
}

class GoldenDatabase {
 public:
  static ColumnFamilyOptions OptionsFor(const std::string& name) {
    ColumnFamilyOptions options;
    options.merge_operator = NewStringAppendOperator(",");
    if (name.find("_reverse") != std::string::npos) {
      options.comparator = ReverseBytewiseComparator();
    }
    if (name.find("_hash_index") != std::string::npos ||
        name.find("_bloom_prefix") != std::string::npos) {
      options.prefix_extractor.reset(NewFixedPrefixTransform(12));
    }
    if (name.find("_universal") != std::string::npos) {
      options.compaction_style = kCompactionStyleUniversal;
      options.num_levels = 10;
    }
    if (name.find("_fifo") != std::string::npos) {
      options.compaction_style = kCompactionStyleFIFO;
      options.ttl = 0;  // the files are years old
    }
    if (IsTimestamped(name)) {
      options.comparator = BytewiseComparatorWithU64Ts();
    }
    options.compression = kNoCompression;
    return options;
  }
  Status Open(const std::string& path, const std::string& name) {
    const ColumnFamilyOptions options = OptionsFor(name);
    DBOptions db_options;
    std::vector<std::string> names;
    Status s = DB::ListColumnFamilies(db_options, path, &names);
    if (!s.ok()) return s;
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& family : names) {
      families.emplace_back(family, options);
    }
    return DB::Open(db_options, path, families, &handles_, &db_);
  }
  ~GoldenDatabase() {
    for (ColumnFamilyHandle* handle : handles_) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
  }

  std::string identity() const {
    std::string text;
    EXPECT_TRUE(db_->GetDbIdentity(text).ok());
    return text;
  }

  std::vector<GoldenEntry> Read(bool with_columns) {
    std::vector<GoldenEntry> entries;
    for (ColumnFamilyHandle* handle : handles_) {
      const std::unique_ptr<Iterator> it(
          db_->NewIterator(ReadOptions(), handle));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        GoldenEntry entry{handle->GetName(), it->key().ToString(),
                          it->value().ToString(), ""};
        for (const WideColumn& column : it->columns()) {
          if (!with_columns) break;
          entry.columns += Hex(column.name()) + "=" + Hex(column.value()) + ",";
        }
        entries.push_back(std::move(entry));
      }
      EXPECT_TRUE(it->status().ok()) << it->status().ToString();
    }
    return entries;
  }

  // The same by point lookups, and backwards.
  void CheckOtherReads(const std::vector<GoldenEntry>& expected) {
    for (ColumnFamilyHandle* handle : handles_) {
      std::vector<const GoldenEntry*> own;
      for (const GoldenEntry& entry : expected) {
        if (entry.family != handle->GetName()) continue;
        own.push_back(&entry);
        std::string value;
        const Status s = db_->Get(ReadOptions(), handle, entry.key, &value);
        ASSERT_TRUE(s.ok()) << s.ToString() << " " << Hex(entry.key);
        ASSERT_EQ(value, entry.value) << Hex(entry.key);
      }
      const std::unique_ptr<Iterator> it(
          db_->NewIterator(ReadOptions(), handle));
      it->SeekToLast();
      for (auto entry = own.rbegin(); entry != own.rend(); ++entry) {
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(Hex(it->key()), Hex((*entry)->key));
        ASSERT_EQ(it->value().ToString(), (*entry)->value);
        it->Prev();
      }
      EXPECT_FALSE(it->Valid());
    }
  }

  // Reads at each timestamp of `expected`: forwards, backwards and by key.
  void CheckTimestamps(const std::vector<GoldenEntry>& expected) {
    std::map<uint64_t, std::vector<GoldenEntry>> by_timestamp;
    for (const GoldenEntry& entry : expected) {
      const size_t at = entry.family.find('@');
      ASSERT_NE(at, std::string::npos) << entry.family;
      by_timestamp[std::stoull(entry.family.substr(at + 1))].push_back(entry);
    }
    ASSERT_GT(by_timestamp.size(), 1u);
    for (const auto& [timestamp, entries] : by_timestamp) {
      SCOPED_TRACE(timestamp);
      const AsOf read(timestamp);
      const std::unique_ptr<Iterator> it(
          db_->NewIterator(read.options, handles_.front()));
      it->SeekToFirst();
      for (const GoldenEntry& entry : entries) {
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(Hex(it->key()), Hex(entry.key));
        ASSERT_EQ(Hex(it->value()), Hex(entry.value)) << Hex(entry.key);
        std::string value, own;
        ASSERT_TRUE(
            db_->Get(read.options, handles_.front(), entry.key, &value, &own)
                .ok());
        ASSERT_EQ(value, entry.value) << Hex(entry.key);
        ASSERT_EQ(own, it->timestamp().ToString());
        ASSERT_LE(TsOf(own), timestamp);
        it->Next();
      }
      ASSERT_FALSE(it->Valid());
      it->SeekToLast();
      for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        ASSERT_TRUE(it->Valid()) << it->status().ToString();
        ASSERT_EQ(Hex(it->key()), Hex(entry->key));
        it->Prev();
      }
      ASSERT_FALSE(it->Valid());
      ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    }
  }

  Status CompactAll() {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    for (ColumnFamilyHandle* handle : handles_) {
      Status s = db_->CompactRange(options, handle, nullptr, nullptr);
      if (!s.ok()) return s;
    }
    return Status::OK();
  }

 private:
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;
};

void CheckOne(const std::string& directory, const std::string& name) {
  SCOPED_TRACE(name);
  const std::string path = directory + "/golden/" + name;
  const std::vector<GoldenEntry> expected =
      ReadExpected(path + ".expected.tsv");
  const bool is_entity = name.find("_entity") != std::string::npos;
  ASSERT_FALSE(expected.empty());
  for (const char* moment : {"as written", "reopened"}) {
    SCOPED_TRACE(moment);
    GoldenDatabase db;
    const Status s = db.Open(path, name);
    ASSERT_TRUE(s.ok()) << s.ToString();
    if (IsTimestamped(name)) {
      ASSERT_NO_FATAL_FAILURE(db.CheckTimestamps(expected));
      ASSERT_TRUE(db.CompactAll().ok());
      ASSERT_NO_FATAL_FAILURE(db.CheckTimestamps(expected));
      continue;
    }
    const std::vector<GoldenEntry> seen = db.Read(is_entity);
    ASSERT_EQ(seen.size(), expected.size());
    for (size_t i = 0; i < seen.size(); ++i) {
      ASSERT_EQ(seen[i].family, expected[i].family) << i;
      ASSERT_EQ(Hex(seen[i].key), Hex(expected[i].key)) << i;
      ASSERT_EQ(Hex(seen[i].value), Hex(expected[i].value))
          << Hex(expected[i].key);
      ASSERT_EQ(seen[i].columns, expected[i].columns) << Hex(expected[i].key);
    }
    db.CheckOtherReads(expected);
    const Status compacted = db.CompactAll();
    ASSERT_TRUE(compacted.ok()) << compacted.ToString();
    ASSERT_EQ(db.Read(is_entity), expected) << "after a full compaction";
    db.CheckOtherReads(expected);
  }
}

TEST(GoldenTest, EveryDatabaseReadsAsExpectedBeforeAndAfterCompaction) {
  const TempDir directory("golden");
  std::vector<std::string> names;
  ASSERT_NO_FATAL_FAILURE(UnpackDatabases(directory.path(), &names));
  if (names.empty()) {
    std::printf("the golden databases are absent: nothing to read\n");
    return;
  }
  for (const std::string& name : names) {
    CheckOne(directory.path(), name);
  }
}

// A database as its first session left it: no table, all is in the log.
TEST(GoldenTest, TheFirstFilesOfADatabaseAreOne) {
  namespace fs = std::filesystem;
  const fs::path data = fs::path(BASALT_SOURCE_DIR) / "tests/testdata";
  for (const std::string release : {"r119", "r783"}) {
    SCOPED_TRACE(release);
    const TempDir directory("golden_first");
    const fs::path to = directory.path();
    const auto take = [&](const char* folder, const std::string& name) {
      fs::copy_file(data / folder / (release + "_two_cf." + name), to / name);
    };
    for (const char* name : {"CURRENT", "IDENTITY", "MANIFEST-000005"}) {
      take("manifest", name);
    }
    take("wal", "000004.log");
    GoldenDatabase db;
    const Status s = db.Open(directory.path(), "");
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(db.identity(), release == "r119"
                                 ? "97297cef-b6c7-4770-a6ca-40a94ea2c0af"
                                 : "4f0ecf08-8c95-4d5b-9fcc-8a9e21fff5e2");
    const std::string one = "cf one";
    std::vector<GoldenEntry> expected = {
        {"default", "apple", "green", "=677265656E,"},
        {"default", "ent", "dflt", "=64666C74,61=31,6262=3232,"},
        {"default", "grape", "1", "=31,"},
        {"default", "timed", "tv", "=7476,"},
        {one, "", "", "=,"},
        {one, "bird", "wren", "=7772656E,"},
        {one, "ent2", "", "7A=39,"},
        {one, "heron", "2", "=32,"},
        {one, "timed2", "tv2", "=747632,"}};
    if (release == "r783") {
      std::erase_if(expected, [](const GoldenEntry& entry) {
        return entry.key.starts_with("timed");
      });
    }
    EXPECT_EQ(db.Read(/*with_columns=*/true), expected);
  }
}

// CURRENT is lost; the manifests are there.
TEST(GoldenTest, RepairedDatabasesReadAsExpected) {
  const TempDir directory("golden_repair");
  std::vector<std::string> names;
  ASSERT_NO_FATAL_FAILURE(UnpackDatabases(directory.path(), &names));
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const std::string path = directory.path() + "/golden/" + name;
    std::filesystem::remove(path + "/CURRENT");
    const Status s =
        RepairDB(path, DBOptions(), {}, GoldenDatabase::OptionsFor(name));
    ASSERT_TRUE(s.ok()) << s.ToString();
    ASSERT_NO_FATAL_FAILURE(CheckOne(directory.path(), name));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
