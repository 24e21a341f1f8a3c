// Damaged files and wrong options: an error that names what is wrong, or the
// right answer; never a wrong value.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool Mentions(const Status& s, const std::string& part) {
  return s.ToString().find(part) != std::string::npos;
}

class BadInputTest : public FamiliesFixture {
 protected:
  // A few keys in one table file, and some in a log.
  void MakeDatabase() {
    Open();
    for (int i = 0; i < 8; ++i) ASSERT_OK(PutBoth(i));
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "x", "y"));
    ASSERT_OK(Flush());
    for (int i = 8; i < 12; ++i) ASSERT_OK(PutBoth(i));
    db_.reset();
  }
  Status PutBoth(int i) {
    const std::string key = "key" + std::to_string(10 + i);
    model_[key] = "value of " + key;
    return Put(key, model_[key]);
  }
  std::string TheOnly(FileType type) {
    const std::vector<std::string> paths = FilesOf(path_, type);
    EXPECT_EQ(paths.size(), 1u);
    return paths.empty() ? "" : paths.back();
  }

  // Reads all keys both ways: each has its value, or its lookup fails with
  // Corruption. `may_lack` allows keys to be missing from this one on.
  void ExpectRightOrCorrupt(const std::string& may_lack = "~") {
    for (const auto& [key, expected] : model_) {
      std::string value;
      const Status s = db_->Get(ReadOptions(), key, &value);
      if (s.ok()) {
        EXPECT_EQ(value, expected) << key;
      } else if (s.IsNotFound()) {
        EXPECT_GE(key, may_lack);
      } else {
        EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      }
    }
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    size_t count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
      ASSERT_LT(count, model_.size());
      const auto found = model_.find(it->key().ToString());
      ASSERT_NE(found, model_.end()) << it->key().ToString(true);
      EXPECT_EQ(it->value(), found->second);
    }
    if (!it->status().ok()) {
      EXPECT_TRUE(it->status().IsCorruption()) << it->status().ToString();
    } else if (may_lack == "~") {
      EXPECT_EQ(count, model_.size());
    }
  }

  std::map<std::string, std::string> model_;
};

TEST_F(BadInputTest, EveryByteOfATableFlipped) {
  MakeDatabase();
  const std::string path = TheOnly(kTableFile);
  const std::string bytes = ReadBytes(path);
  ASSERT_LT(bytes.size(), 4000u);
  size_t noticed = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    SCOPED_TRACE(at);
    std::string damaged = bytes;
    damaged[at] ^= static_cast<char>(at % 2 == 0 ? 0xff : 0x01);
    WriteBytes(path, damaged);
    const Status s = DB::OpenForReadOnly(options_, path_, &db_);
    if (!s.ok()) {
      ++noticed;
      EXPECT_TRUE(s.IsCorruption() || s.IsNotSupported()) << s.ToString();
      EXPECT_TRUE(Mentions(s, path)) << s.ToString();
      continue;
    }
    ExpectRightOrCorrupt();
    const Status verified = db_->VerifyChecksum();
    if (verified.ok()) continue;
    ++noticed;
    EXPECT_TRUE(verified.IsCorruption()) << verified.ToString();
    EXPECT_TRUE(Mentions(verified, path)) << verified.ToString();
    EXPECT_TRUE(Mentions(verified, "offset")) << verified.ToString();
  }
  // Padding of the footer aside, each byte counts.
  EXPECT_GT(noticed, bytes.size() * 9 / 10);
}

TEST_F(BadInputTest, ATableOfAnotherSize) {
  MakeDatabase();
  const std::string path = TheOnly(kTableFile);
  const std::string bytes = ReadBytes(path);
  for (size_t size = 0; size < bytes.size(); size += 37) {
    WriteBytes(path, bytes.substr(0, size));
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_TRUE(Mentions(s, path)) << s.ToString();
    EXPECT_TRUE(Mentions(s, std::to_string(size))) << s.ToString();
  }
  WriteBytes(path, bytes + "more");
  EXPECT_TRUE(TryOpen().IsCorruption());
  std::filesystem::remove(path);
  const Status s = TryOpen();
  EXPECT_FALSE(s.ok());
  EXPECT_TRUE(Mentions(s, path)) << s.ToString();
  WriteBytes(path, bytes);
  Open();
  ExpectRightOrCorrupt();
}

TEST_F(BadInputTest, EveryByteOfTheManifestFlipped) {
  MakeDatabase();
  const std::string path = TheOnly(kDescriptorFile);
  const std::string bytes = ReadBytes(path);
  for (size_t at = 0; at < bytes.size(); ++at) {
    SCOPED_TRACE(at);
    std::string damaged = bytes;
    damaged[at] ^= static_cast<char>(0x80);
    WriteBytes(path, damaged);
    const Status s = DB::OpenForReadOnly(options_, path_, &db_);
    if (s.ok()) {
      // A length beyond the end is taken for a record that was cut short.
      ExpectRightOrCorrupt("key10");
      continue;
    }
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_TRUE(Mentions(s, path)) << s.ToString();
  }
}

TEST_F(BadInputTest, TheManifestCutAnywhere) {
  MakeDatabase();
  const std::string path = TheOnly(kDescriptorFile);
  const std::string bytes = ReadBytes(path);
  for (size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    WriteBytes(path, bytes.substr(0, size));
    const Status s = DB::OpenForReadOnly(options_, path_, &db_);
    if (s.ok()) {
      ExpectRightOrCorrupt("key10");
      continue;
    }
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_TRUE(Mentions(s, path)) << s.ToString();
  }
  std::filesystem::remove(path);
  const Status s = TryOpen();
  EXPECT_FALSE(s.ok());
  EXPECT_TRUE(Mentions(s, path)) << s.ToString();
}

TEST_F(BadInputTest, CurrentDamaged) {
  MakeDatabase();
  const std::string path = path_ + "/CURRENT";
  const std::string bytes = ReadBytes(path);
  std::vector<std::string> contents{"",
                                    "\n",
                                    "MANIFEST-",
                                    "rubbish\n",
                                    bytes + "x",
                                    "MANIFEST-000000\n",
                                    "../MANIFEST-000005\n",
                                    std::string(100, '\0')};
  for (size_t at = 0; at < bytes.size(); ++at) {
    contents.push_back(bytes.substr(0, at));
    contents.push_back(bytes);
    contents.back()[at] ^= 0x40;
  }
  for (const std::string& content : contents) {
    SCOPED_TRACE(content);
    WriteBytes(path, content);
    const Status s = TryOpen();
    EXPECT_FALSE(s.ok());
    EXPECT_TRUE(Mentions(s, path_)) << s.ToString();
    EXPECT_TRUE(Mentions(s, "CURRENT") || Mentions(s, "MANIFEST"))
        << s.ToString();
  }
  std::filesystem::remove(path);
  options_.create_if_missing = false;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(Mentions(s, path)) << s.ToString();
  // Nor is a new database made over the remains of another.
  options_.create_if_missing = true;
  EXPECT_TRUE(TryOpen().IsCorruption());
  WriteBytes(path, bytes);
  Open();
  ExpectRightOrCorrupt();
}

TEST_F(BadInputTest, EveryByteOfALogFlipped) {
  MakeDatabase();
  const std::string path = TheOnly(kWalFile);
  const std::string bytes = ReadBytes(path);
  for (int mode = 0; mode < 4; ++mode) {
    options_.wal_recovery_mode = static_cast<WALRecoveryMode>(mode);
    for (size_t at = 0; at < bytes.size(); ++at) {
      SCOPED_TRACE(std::to_string(mode) + " " + std::to_string(at));
      std::string damaged = bytes;
      damaged[at] ^= static_cast<char>(0xff);
      WriteBytes(path, damaged);
      const Status s = DB::OpenForReadOnly(options_, path_, &db_);
      if (s.ok()) {
        EXPECT_NE(mode, 1);
        ExpectRightOrCorrupt("key18");
        continue;
      }
      EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      EXPECT_TRUE(Mentions(s, path)) << s.ToString();
      EXPECT_LT(mode, 2) << s.ToString();
    }
  }
}

TEST_F(BadInputTest, AnUnreadableDirectory) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  MakeDatabase();
  for (const char* part : {"CURRENT", "MANIFEST", "LOCK", ".sst", ".log"}) {
    SCOPED_TRACE(part);
    Fault fault;
    fault.call = 1;
    fault.scope = FaultScope::kAllCalls;
    fault.is_permanent = true;
    fault.path_contains = part;
    fs->FailCall(fault);
    const Status s = TryOpen();
    EXPECT_TRUE(s.IsIOError() || s.IsCorruption()) << s.ToString();
    EXPECT_TRUE(Mentions(s, path_)) << s.ToString();
    EXPECT_TRUE(Mentions(s, part)) << s.ToString();
    fs->Heal();
  }
  Open();
  ExpectRightOrCorrupt();
  db_.reset();
  options_.env = Env::Default();
  if (geteuid() == 0) {
    std::printf("as root no directory is forbidden: not tried\n");
    return;
  }
  std::filesystem::permissions(path_, std::filesystem::perms::none);
  const Status s = TryOpen();
  EXPECT_FALSE(s.ok());
  EXPECT_TRUE(Mentions(s, path_)) << s.ToString();
}

TEST_F(BadInputTest, AnotherComparator) {
  MakeDatabase();
  options_.comparator = ReverseBytewiseComparator();
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(Mentions(s, "leveldb.BytewiseComparator")) << s.ToString();
  EXPECT_TRUE(Mentions(s, "rocksdb.ReverseBytewiseComparator")) << s.ToString();
}

TEST_F(BadInputTest, FamiliesAreNotListedWithoutAnEnv) {
  DBOptions options;
  options.env = nullptr;
  std::vector<std::string> names;
  EXPECT_TRUE(
      DB::ListColumnFamilies(options, path_, &names).IsInvalidArgument());
}

TEST_F(BadInputTest, FewerLevelsThanTheDataHave) {
  Open();
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(CompactAll(/*force=*/true));
  db_.reset();
  options_.num_levels = 2;
  options_.level_compaction_dynamic_level_bytes = false;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(Mentions(s, "num_levels") || Mentions(s, "level"))
      << s.ToString();
}

using Table = BlockBasedTableOptions;

struct Contradiction {
  std::vector<std::string> expected;  // in the message
  std::function<void(Options*)> change;
  bool is_not_supported = false;
};

std::vector<Contradiction> DatabaseContradictions() {
  return {
      {{"use_direct_reads=true", "allow_mmap_reads=true"},
       [](Options* o) { o->use_direct_reads = o->allow_mmap_reads = true; },
       true},
      {{"use_direct_io_for_compaction_reads=true", "allow_mmap_reads=true"},
       [](Options* o) {
         o->use_direct_io_for_compaction_reads = o->allow_mmap_reads = true;
       },
       true},
      {{"use_direct_io_for_flush_and_compaction=true",
        "allow_mmap_writes=true"},
       [](Options* o) {
         o->use_direct_io_for_flush_and_compaction = o->allow_mmap_writes =
             true;
       },
       true},
      {{"use_direct_io_for_flush_and_compaction=true",
        "writable_file_max_buffer_size=0"},
       [](Options* o) {
         o->use_direct_io_for_flush_and_compaction = true;
         o->writable_file_max_buffer_size = 0;
       }},
      {{"keep_log_file_num=0"}, [](Options* o) { o->keep_log_file_num = 0; }},
      {{"env"}, [](Options* o) { o->env = nullptr; }},
      {{"comparator"}, [](Options* o) { o->comparator = nullptr; }},
      {{"db_paths"}, [](Options* o) { o->db_paths.resize(5); }, true},
      {{"cf_paths"}, [](Options* o) { o->cf_paths.resize(5); }, true},
      {{"compression_per_level"},
       [](Options* o) {
         o->compression_per_level = {static_cast<CompressionType>(0x60)};
       }},
      {{"inplace_update_support=true"},
       [](Options* o) { o->inplace_update_support = true; }},
  };
}

std::function<void(Options*)> WithTable(
    const std::function<void(Table*)>& change) {
  return [change](Options* options) {
    Table table;
    change(&table);
    options->table_factory.reset(NewBlockBasedTableFactory(table));
  };
}

std::vector<Contradiction> TableContradictions() {
  return {
      {{"cache_index_and_filter_blocks=true", "no_block_cache=true"},
       WithTable([](Table* t) {
         t->cache_index_and_filter_blocks = t->no_block_cache = true;
       })},
      {{"index_type=kHashSearch"},
       WithTable([](Table* t) { t->index_type = Table::kHashSearch; })},
      {{"block_align=true", "block_size=5000"}, WithTable([](Table* t) {
         t->block_align = true;
         t->block_size = 5000;
       })},
      {{"format_version=99"},
       WithTable([](Table* t) { t->format_version = 99; })},
  };
}

TEST_F(BadInputTest, OptionsThatContradictEachOther) {
  std::vector<Contradiction> cases = DatabaseContradictions();
  for (Contradiction& one : TableContradictions()) {
    cases.push_back(std::move(one));
  }
  for (const Contradiction& one : cases) {
    SCOPED_TRACE(one.expected[0]);
    Options options = options_;
    one.change(&options);
    const Status s = DB::Open(options, path_, &db_);
    if (one.is_not_supported) {
      EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    } else {
      EXPECT_TRUE(s.IsInvalidArgument() || s.IsNotSupported()) << s.ToString();
    }
    for (const std::string& part : one.expected) {
      EXPECT_TRUE(Mentions(s, part)) << part << ": " << s.ToString();
    }
    EXPECT_FALSE(std::filesystem::exists(path_)) << "nothing was made";
  }
}

class DirectIoTest : public BadInputTest {
 protected:
  DirectIoTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
  }
  ~DirectIoTest() override { CloseFamilies(); }

  // Whether the file system of this machine can do direct I/O at all.
  bool CanDirect() {
    options_.use_direct_io_for_compaction_reads = true;
    const Status s = TryOpen();
    db_.reset();
    return s.ok();
  }
  void ExpectRefused(const std::string& option, const std::string& path) {
    const Status s = TryOpenFamilies({"default"});
    EXPECT_TRUE(s.IsInvalidArgument()) << option << ": " << s.ToString();
    EXPECT_TRUE(Mentions(s, option)) << s.ToString();
    EXPECT_TRUE(Mentions(s, path)) << s.ToString();
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> env_;
};

TEST_F(DirectIoTest, APathThatRefusesDirectIoIsNamedAtOpen) {
  if (!CanDirect()) GTEST_SKIP() << "no direct I/O under " << path_;
  options_.db_paths = {{path_ + ".first", 1 << 30}, {path_ + ".second", 1}};
  options_.cf_paths = {{path_ + ".of_family", 1 << 30}};
  for (const char* suffix : {"", ".first", ".second", ".of_family"}) {
    SCOPED_TRACE(suffix);
    fs_->RefuseDirectIo(path_ + suffix + "/");
    options_.use_direct_io_for_compaction_reads = true;
    ExpectRefused("use_direct_io_for_compaction_reads", path_ + suffix);
    options_.use_direct_io_for_compaction_reads = false;
    options_.use_direct_reads = true;
    ExpectRefused("use_direct_reads", path_ + suffix);
    options_.use_direct_reads = false;
    options_.use_direct_io_for_flush_and_compaction = true;
    ExpectRefused("use_direct_io_for_flush_and_compaction", path_ + suffix);
    options_.use_direct_io_for_flush_and_compaction = false;
    EXPECT_OK(TryOpenFamilies({"default"}));
    CloseFamilies();
    fs_->AcceptDirectIo();
  }
  // Opening is not enough: what can be opened must be readable too.
  fs_->FailDirectReads(path_ + ".second/");
  options_.use_direct_io_for_compaction_reads = true;
  ExpectRefused("use_direct_io_for_compaction_reads", path_ + ".second");
  fs_->AcceptDirectIo();
  EXPECT_OK(TryOpenFamilies({"default"}));
}

TEST_F(DirectIoTest, AFamilyMadeLaterIsCheckedToo) {
  if (!CanDirect()) GTEST_SKIP() << "no direct I/O under " << path_;
  Open();
  fs_->RefuseDirectIo(path_ + ".of_family/");
  ColumnFamilyOptions family(options_);
  family.cf_paths = {{path_ + ".of_family", 1 << 30}};
  ColumnFamilyHandle* handle = nullptr;
  const Status s = db_->CreateColumnFamily(family, "two", &handle);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_TRUE(Mentions(s, path_ + ".of_family")) << s.ToString();
  EXPECT_EQ(handle, nullptr);
  fs_->AcceptDirectIo();
  ASSERT_OK(db_->CreateColumnFamily(family, "two", &handle));
  handles_.push_back(handle);
  ASSERT_OK(PutIn(0, "a", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handle));
  EXPECT_EQ(GetFrom(0, "a"), "1");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
