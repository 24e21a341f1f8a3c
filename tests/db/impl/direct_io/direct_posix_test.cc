// Direct compaction reads on real files: what the kernel says of the
// descriptors, and of the pages.
#include <fcntl.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/page_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The flags of every descriptor of this process that is open on `path`.
std::vector<int> FlagsOf(const std::string& path) {
  std::vector<int> result;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != path) continue;
    std::ifstream info("/proc/self/fdinfo/" + entry.path().filename().string());
    std::string word;
    while (info >> word) {
      if (word != "flags:") continue;
      info >> word;
      result.push_back(std::stoi(word, nullptr, 8));
    }
  }
  return result;
}

// Looks at the descriptors of a table file whenever one was opened.
class FlagWatch : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "FlagWatch"; }

  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, dbg);
    const bool is_table =
        name.size() > 4 && name.compare(name.size() - 4, 4, ".sst") == 0;
    if (!s.ok() || !is_table) return s;
    MutexLock lock(&mutex_);
    ++opens_[options.use_direct_reads];
    for (const int flags : FlagsOf(name)) {
      if ((flags & O_DIRECT) != 0) direct_.insert({name, flags});
    }
    return s;
  }
  size_t opens(bool is_direct) {
    MutexLock lock(&mutex_);
    return opens_[is_direct];
  }
  // Files that were seen open with O_DIRECT.
  size_t direct_files() {
    MutexLock lock(&mutex_);
    return direct_.size();
  }

 private:
  Mutex mutex_;
  std::map<bool, size_t> opens_ GUARDED_BY(mutex_);
  std::map<std::string, int> direct_ GUARDED_BY(mutex_);
};

class DirectPosixTest : public DbFixture {
 protected:
  static constexpr size_t kReadAhead = 256 << 10;

  DirectPosixTest()
      : watch_(std::make_shared<FlagWatch>(FileSystem::Default())),
        env_(NewCompositeEnv(watch_)) {
    options_.env = env_.get();
    options_.disable_auto_compactions = true;
    options_.use_direct_io_for_compaction_reads = true;
    options_.compaction_readahead_size = kReadAhead;
    options_.level_compaction_dynamic_level_bytes = false;
    options_.num_levels = 3;
    options_.target_file_size_base = 1 << 20;
    options_.fresh_level0_bytes = 0;
    options_.statistics = CreateDBStatistics();
    BlockBasedTableOptions table;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~DirectPosixTest() override { db_.reset(); }

  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }
  // Files of two levels, 4 MiB in all.
  void MakeTree() {
    for (int version = 0; version < 3; ++version) {
      for (int i = version; i < 6000; i += 1 + version) {
        ASSERT_OK(Put(Key(i), std::to_string(version) + std::string(400, 'v')));
      }
      ASSERT_OK(Flush());
      if (version > 0) continue;
      ASSERT_OK(CompactTo2());
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

  std::shared_ptr<FlagWatch> watch_;
  std::unique_ptr<Env> env_;
};

TEST_F(DirectPosixTest, TheKernelSeesODirect) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  static_assert(O_DIRECT == 040000);
  Open();
  MakeTree();
  const size_t inputs = Paths().size();
  const size_t files_before = watch_->direct_files();
  ASSERT_OK(CompactTo2());
  EXPECT_EQ(watch_->direct_files() - files_before, inputs);
  EXPECT_GE(watch_->opens(true), inputs);
  // Outputs are open for users by now, and none is direct.
  for (const std::string& path : Paths()) {
    const std::vector<int> flags = FlagsOf(path);
    EXPECT_GE(flags.size(), 1u) << path;
    for (const int f : flags) EXPECT_EQ(f & O_DIRECT, 0) << path;
  }
  EXPECT_EQ(Get(Key(5999)).substr(0, 1), "2");
}

TEST_F(DirectPosixTest, OffMeansOff) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  options_.use_direct_io_for_compaction_reads = false;
  Open();
  MakeTree();
  ASSERT_OK(CompactTo2());
  EXPECT_EQ(watch_->direct_files(), 0u);
  EXPECT_EQ(watch_->opens(true), 0u);
}

// Resident pages of the inputs before and after a compaction.
struct Pages {
  size_t total = 0, before = 0, after = 0;
};

class DirectPagesTest : public DirectPosixTest {
 protected:
  Pages Compact(bool is_cold) {
    std::vector<std::unique_ptr<MappedFile>> inputs;
    for (const std::string& path : Paths()) {
      inputs.push_back(std::make_unique<MappedFile>(path));
    }
    Pages pages;
    for (const auto& input : inputs) {
      is_cold ? input->DropPages() : input->ReadAll();
      pages.total += input->page_count();
      pages.before += input->ResidentPages();
    }
    EXPECT_OK(CompactTo2());
    for (const auto& input : inputs) pages.after += input->ResidentPages();
    return pages;
  }
};

TEST_F(DirectPagesTest, Fault9_ColdPagesStayOut) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  MakeTree();
  const uint64_t resident_before = Ticker(COMPACTION_RESIDENT_READ_BYTES);
  const uint64_t direct_before = Ticker(COMPACTION_DIRECT_READ_BYTES);
  const Pages pages = Compact(/*is_cold=*/true);
  EXPECT_EQ(Ticker(COMPACTION_RESIDENT_READ_BYTES), resident_before);
  EXPECT_GT(Ticker(COMPACTION_DIRECT_READ_BYTES), direct_before + (3u << 20));
  EXPECT_GT(pages.total, 900u);
  EXPECT_LE(pages.after, pages.before + kReadAhead / MappedFile::kPage);
  EXPECT_LT(pages.after, pages.total / 4);
}

TEST_F(DirectPagesTest, Fault9_WarmPagesStayIn) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  MakeTree();
  const uint64_t resident_before = Ticker(COMPACTION_RESIDENT_READ_BYTES);
  const uint64_t direct_before = Ticker(COMPACTION_DIRECT_READ_BYTES);
  const Pages pages = Compact(/*is_cold=*/false);
  EXPECT_EQ(pages.before, pages.total);
  EXPECT_GE(pages.after + kReadAhead / MappedFile::kPage, pages.before);
  if (!HasCacheStat()) return;
  // All came from there.
  EXPECT_GT(Ticker(COMPACTION_RESIDENT_READ_BYTES),
            resident_before + (3u << 20));
  EXPECT_EQ(Ticker(COMPACTION_DIRECT_READ_BYTES), direct_before);
}

// They look at what the device has.
TEST_F(DirectPagesTest, ChecksDoNotTakeWhatThePageCacheHas) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  MakeTree();
  for (const std::string& path : Paths()) MappedFile(path).ReadAll();
  const uint64_t before = Ticker(COMPACTION_RESIDENT_READ_BYTES);
  ASSERT_OK(db_->VerifyChecksum());
  EXPECT_EQ(Ticker(COMPACTION_RESIDENT_READ_BYTES), before);
  EXPECT_GT(Ticker(COMPACTION_DIRECT_READ_BYTES), 0u);
}

// With room in memory outputs stay where buffered writes leave them.
TEST_F(DirectPagesTest, OutputsStayInThePageCacheWhereThereIsRoom) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  Open();
  MakeTree();
  Compact(/*is_cold=*/false);
  for (const std::string& path : Paths()) {
    const MappedFile output(path);
    EXPECT_EQ(output.ResidentPages(), output.page_count()) << path;
  }
}

// The measurement itself: buffered reads do leave pages behind.
TEST_F(DirectPagesTest, BufferedReadsFillThePageCache) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  options_.use_direct_io_for_compaction_reads = false;
  Open();
  MakeTree();
  const Pages pages = Compact(/*is_cold=*/true);
  EXPECT_GT(pages.after, pages.total / 2);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
