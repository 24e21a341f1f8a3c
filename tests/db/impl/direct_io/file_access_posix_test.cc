// The tiers of file access on real files: the bytes of the tables, and what the
// kernel says of their pages.
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/page_cache.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Nothing of it differs from run to run.
class RepeatableEnv : public EnvWrapper {
 public:
  using EnvWrapper::EnvWrapper;
  const char* Name() const override { return "RepeatableEnv"; }
  std::string GenerateUniqueId() override {
    return "faa7a530-9e8f-4116-8439-3195a5c928ab";
  }
};

class FileAccessPosixTest : public DbFixture {
 protected:
  static constexpr size_t kReadAhead = 256 << 10;

  FileAccessPosixTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(FileSystem::Default())),
        composite_(NewCompositeEnv(fs_)),
        env_(composite_.get()) {
    options_.env = &env_;
    options_.disable_auto_compactions = true;
    options_.compaction_readahead_size = kReadAhead;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 3;
    options_.target_file_size_base = 1 << 20;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.no_block_cache = true;
    // Checksums that do not depend on the file.
    table.format_version = 5;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~FileAccessPosixTest() override { db_.reset(); }

  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }
  // Files of two levels, 4 MiB in all.
  void MakeTree() {
    for (int version = 0; version < 3; ++version) {
      for (int i = version; i < 6000; i += 1 + version) {
        ASSERT_OK(Put(
            Key(i), std::to_string(version) + std::string(400, 'a' + i % 26)));
      }
      ASSERT_OK(Flush());
      if (version == 0) {
        ASSERT_OK(CompactTo2());
      }
    }
  }
  std::vector<std::string> Paths() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<std::string> paths;
    for (const LiveFileMetaData& file : files) {
      paths.push_back(file.db_path + file.name);
    }
    return paths;
  }
  Status CompactTo2() {
    CompactionOptions options;
    options.output_file_size_limit = options_.target_file_size_base;
    return db_->CompactFiles(options, db_->DefaultColumnFamily(), Paths(), 2);
  }
  bool CanDirect() {
    const std::string path = directory_.File("probe");
    const int fd =
        open(path.c_str(), O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<Env> composite_;
  RepeatableEnv env_;
};

// Each live table: its size, and its bytes before the table properties, which
// tell the session and the time.
std::map<std::string, std::string> TablesOf(DB* db) {
  TablePropertiesCollection properties;
  EXPECT_OK(db->GetPropertiesOfAllTables(&properties));
  std::map<std::string, std::string> tables;
  for (const auto& [path, p] : properties) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    const std::string size = std::to_string(bytes.size());
    const uint64_t content = p->data_size + p->filter_size + p->index_size;
    EXPECT_GT(content, bytes.size() / 10 * 9);
    EXPECT_LT(content, bytes.size());
    bytes.resize(content);
    tables[path.substr(path.rfind('/')) + " of " + size] = std::move(bytes);
  }
  return tables;
}

TEST_F(FileAccessPosixTest, TablesAreTheSameInAllTiers) {
  std::map<std::string, std::string> expected;
  std::vector<FileAccess> tiers = {FileAccess::kBuffered, FileAccess::kUncached,
                                   FileAccess::kAuto};
  if (CanDirect()) tiers.push_back(FileAccess::kDirect);
  const std::string base = path_;
  for (const FileAccess reads : tiers) {
    for (const FileAccess writes : tiers) {
      SCOPED_TRACE(std::to_string(static_cast<int>(reads)) + "/" +
                   std::to_string(static_cast<int>(writes)));
      path_ = base + std::to_string(static_cast<int>(reads)) +
              std::to_string(static_cast<int>(writes));
      options_.compaction_read_access = reads;
      options_.compaction_write_access = writes;
      // Both ways of auto.
      if (reads == FileAccess::kAuto && writes == FileAccess::kAuto) {
        fs_->RefuseDirectIo(path_);
      }
      Open();
      fs_->AcceptDirectIo();
      MakeTree();
      const std::map<std::string, std::string> flushed = TablesOf(db_.get());
      ASSERT_OK(CompactTo2());
      std::map<std::string, std::string> tables = TablesOf(db_.get());
      EXPECT_GT(tables.size(), 2u);
      tables.insert(flushed.begin(), flushed.end());
      if (expected.empty()) expected = tables;
      EXPECT_TRUE(tables == expected);
      ASSERT_OK(db_->VerifyChecksum());
      db_.reset();
    }
  }
}

struct ResidentPagesOf {
  size_t total = 0, before = 0, after = 0;
};

class FileAccessPagesTest : public FileAccessPosixTest {
 protected:
  ResidentPagesOf Compact(bool is_cold) {
    std::vector<std::unique_ptr<MappedFile>> inputs;
    for (const std::string& path : Paths()) {
      inputs.push_back(std::make_unique<MappedFile>(path));
    }
    ResidentPagesOf pages;
    for (const auto& input : inputs) {
      is_cold ? input->DropPages() : input->ReadAll();
      pages.total += input->page_count();
      pages.before += input->ResidentPages();
    }
    // The inputs are not to be deleted before they are looked at.
    const std::unique_ptr<Iterator> pin(db_->NewIterator(ReadOptions()));
    EXPECT_OK(CompactTo2());
    for (const auto& input : inputs) pages.after += input->ResidentPages();
    return pages;
  }
};

TEST_F(FileAccessPagesTest, UncachedReadsLeaveColdPagesOut) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  options_.compaction_read_access = FileAccess::kUncached;
  Open();
  MakeTree();
  const ResidentPagesOf pages = Compact(/*is_cold=*/true);
  EXPECT_GT(pages.total, 900u);
  EXPECT_LE(pages.after, pages.before + kReadAhead / MappedFile::kPage);
  EXPECT_LT(pages.after, pages.total / 4);
}

TEST_F(FileAccessPagesTest, UncachedReadsLeaveWarmPagesIn) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  options_.compaction_read_access = FileAccess::kUncached;
  Open();
  MakeTree();
  const ResidentPagesOf pages = Compact(/*is_cold=*/false);
  EXPECT_EQ(pages.before, pages.total);
  EXPECT_EQ(pages.after, pages.before);
}

TEST_F(FileAccessPagesTest, UncachedWritesLeaveNoPages) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  for (const FileAccess access :
       {FileAccess::kBuffered, FileAccess::kUncached}) {
    path_ += "x";
    options_.compaction_write_access = access;
    Open();
    MakeTree();
    ASSERT_OK(CompactTo2());
    size_t total = 0, resident = 0;
    for (const std::string& path : Paths()) {
      const MappedFile file(path);
      total += file.page_count();
      resident += file.ResidentPages();
    }
    EXPECT_GT(total, 500u);
    if (access == FileAccess::kBuffered) {
      EXPECT_GT(resident, total / 2);
    } else {
      // What opening the outputs for users read of their ends.
      EXPECT_LT(resident, total / 4);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
