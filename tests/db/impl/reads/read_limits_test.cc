// What a read may take: ReadOptions::io_timeout and deadline, as the file
// system is told of them, and as the clock ends them; and what is charged to
// the rate limiter for it.
#include <array>
#include <atomic>
#include <chrono>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/multi_scan.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/system_clock.h"
#include "tests/db/impl/db_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using std::chrono::microseconds;

// Notes what each read of a table or blob file is told, and lets time pass.
class ReadWatch {
 public:
  void Note(const IOOptions& io) {
    MutexLock lock(&mutex_);
    timeouts_.push_back(io.timeout);
    // relaxed: a clock for a test.
    ahead_micros.fetch_add(micros_each.load(), std::memory_order_relaxed);
  }
  std::vector<microseconds> Take() {
    MutexLock lock(&mutex_);
    return std::exchange(timeouts_, {});
  }

  std::atomic<uint64_t> micros_each{0};
  std::atomic<uint64_t> ahead_micros{0};

 private:
  Mutex mutex_;
  std::vector<microseconds> timeouts_ GUARDED_BY(mutex_);
};

class WatchedFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  WatchedFile(std::unique_ptr<FSRandomAccessFile> file, ReadWatch* watch)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), watch_(watch) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& io, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    watch_->Note(io);
    return target()->Read(offset, n, io, result, scratch, debug);
  }
  IOStatus MultiRead(FSReadRequest* requests, size_t count, const IOOptions& io,
                     IODebugContext* debug) override {
    watch_->Note(io);
    return target()->MultiRead(requests, count, io, debug);
  }
  IOStatus ReadAsync(FSReadRequest& request, const IOOptions& io,
                     std::function<void(FSReadRequest&, void*)> done,
                     void* argument, void** handle, IOHandleDeleter* deleter,
                     IODebugContext* debug) override {
    watch_->Note(io);
    return target()->ReadAsync(request, io, std::move(done), argument, handle,
                               deleter, debug);
  }

 private:
  ReadWatch* const watch_;
};

class WatchedFs final : public FileSystemWrapper {
 public:
  explicit WatchedFs(ReadWatch* watch)
      : FileSystemWrapper(FileSystem::Default()), watch_(watch) {}
  const char* Name() const override { return "WatchedFs"; }

  IOStatus NewRandomAccessFile(const std::string& name,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    IOStatus s = target()->NewRandomAccessFile(name, options, result, debug);
    if (s.ok()) {
      *result = std::make_unique<WatchedFile>(std::move(*result), watch_);
    }
    return s;
  }

 private:
  ReadWatch* const watch_;
};

// The time of the system, and what reads have let pass.
class WatchedClock final : public SystemClockWrapper {
 public:
  explicit WatchedClock(ReadWatch* watch)
      : SystemClockWrapper(SystemClock::Default()), watch_(watch) {}
  const char* Name() const override { return "WatchedClock"; }
  uint64_t NowMicros() override {
    return SystemClockWrapper::NowMicros() + watch_->ahead_micros.load();
  }

 private:
  ReadWatch* const watch_;
};

class WatchedEnv final : public EnvWrapper {
 public:
  explicit WatchedEnv(ReadWatch* watch) : EnvWrapper(Env::Default()) {
    file_system_ = std::make_shared<WatchedFs>(watch);
    system_clock_ = std::make_shared<WatchedClock>(watch);
  }
  const std::shared_ptr<FileSystem>& GetFileSystem() const override {
    return file_system_;
  }
  const std::shared_ptr<SystemClock>& GetSystemClock() const override {
    return system_clock_;
  }
};

// Whether reads are asynchronous.
class ReadLimitsTest : public DbFixture,
                       public ::testing::WithParamInterface<bool> {
 protected:
  static constexpr int kKeys = 2000;

  ReadLimitsTest() : env_(&watch_) {
    options_.env = &env_;
    options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 1000;
    BlockBasedTableOptions table;
    table.block_size = 1024;
    table.no_block_cache = true;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    read_.async_io = GetParam();
  }
  ~ReadLimitsTest() override { db_.reset(); }

  // Every key is looked for in level 0 first, and found in the last level.
  void Fill() {
    ASSERT_NO_FATAL_FAILURE(Open());
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_OK(Put(KeyOf(i), std::string(100, 'v')));
    }
    ASSERT_OK(Put("blob", std::string(2000, 'b')));
    ASSERT_OK(CompactAll());
    for (int i = 0; i < kKeys; i += 2) ASSERT_OK(Put(KeyOf(i) + "x", "v"));
    ASSERT_OK(Put("a", "v"));
    ASSERT_OK(Flush());
    // Files are opened without a limit, once.
    ASSERT_OK(GetValue("blob"));
    watch_.Take();
  }
  static std::string KeyOf(int i) { return "key" + std::to_string(10000 + i); }

  static std::vector<std::string> SomeKeys() {
    std::vector<std::string> names;
    for (int i = 1; i < kKeys; i += 200) names.push_back(KeyOf(i));
    return names;
  }
  // The first status that is an error.
  static Status FirstError(const std::vector<Status>& statuses) {
    for (const Status& s : statuses) {
      if (!s.ok()) return s;
    }
    return Status::OK();
  }
  static Status Walk(IteratorBase* it) {
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    return it->status();
  }

  Status GetValue(const std::string& key) {
    std::string value;
    return db_->Get(read_, key, &value);
  }
  Status GetPlain() { return GetValue(KeyOf(501)); }
  Status GetBlob() { return GetValue("blob"); }
  Status GetColumns() {
    PinnableWideColumns columns;
    return db_->GetEntity(read_, Family(), KeyOf(501), &columns);
  }
  Status GetOperands() {
    PinnableSlice operand;
    GetMergeOperandsOptions limit;
    limit.expected_max_number_of_operands = 1;
    int count = 0;
    return db_->GetMergeOperands(read_, Family(), KeyOf(501), &operand, &limit,
                                 &count);
  }
  Status GetMany() {
    const std::vector<std::string> names = SomeKeys();
    std::vector<std::string> values;
    return FirstError(
        db_->MultiGet(read_, {names.begin(), names.end()}, &values));
  }
  Status GetManyColumns() {
    const std::vector<std::string> names = SomeKeys();
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableWideColumns> columns(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGetEntity(read_, Family(), keys.size(), keys.data(),
                        columns.data(), statuses.data());
    return FirstError(statuses);
  }
  Status GetManyGroups() {
    const std::vector<std::string> names = SomeKeys();
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<PinnableAttributeGroups> groups(keys.size(),
                                                PinnableAttributeGroups());
    for (PinnableAttributeGroups& of_key : groups) {
      of_key.emplace_back(Family());
    }
    db_->MultiGetEntity(read_, keys.size(), keys.data(), groups.data());
    for (const PinnableAttributeGroups& of_key : groups) {
      if (!of_key[0].status().ok()) return of_key[0].status();
    }
    return Status::OK();
  }
  Status ScanAll() {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read_));
    return Walk(it.get());
  }
  Status ScanCoalesced() {
    return Walk(db_->NewCoalescingIterator(read_, {Family()}).get());
  }
  Status ScanGroups() {
    return Walk(db_->NewAttributeGroupIterator(read_, {Family()}).get());
  }
  Status ScanRanges() {
    MultiScanArgs args(BytewiseComparator());
    args.use_async_io = read_.async_io;
    args.max_prefetch_size = 8 << 10;
    const std::string bounds[] = {KeyOf(100), KeyOf(900), KeyOf(1100),
                                  KeyOf(1900)};
    args.insert(bounds[0], bounds[1]);
    args.insert(bounds[2], bounds[3]);
    try {
      const auto scans = db_->NewMultiScan(read_, Family(), args);
      for (auto scan : *scans) {
        for (auto it = scan.begin(); it != scan.end(); ++it) {
        }
      }
    } catch (const MultiScanException& e) {
      return e.status();
    }
    return Status::OK();
  }
  Status VerifyBlocks() { return db_->VerifyChecksum(read_); }
  Status VerifyFiles() { return db_->VerifyFileChecksums(read_); }
  ColumnFamilyHandle* Family() { return db_->DefaultColumnFamily(); }

  struct Form {
    const char* name;
    Status (ReadLimitsTest::*run)();
  };
  // Lookups and cursors.
  static std::vector<Form> Reads() {
    return {{"Get", &ReadLimitsTest::GetPlain},
            {"Get of a blob", &ReadLimitsTest::GetBlob},
            {"GetEntity", &ReadLimitsTest::GetColumns},
            {"GetMergeOperands", &ReadLimitsTest::GetOperands},
            {"MultiGet", &ReadLimitsTest::GetMany},
            {"MultiGetEntity", &ReadLimitsTest::GetManyColumns},
            {"attribute groups", &ReadLimitsTest::GetManyGroups},
            {"a scan", &ReadLimitsTest::ScanAll},
            {"a coalescing scan", &ReadLimitsTest::ScanCoalesced},
            {"a scan of groups", &ReadLimitsTest::ScanGroups},
            {"MultiScan", &ReadLimitsTest::ScanRanges}};
  }
  // All of each file, by streams.
  static std::vector<Form> Verifications() {
    return {{"VerifyChecksum", &ReadLimitsTest::VerifyBlocks},
            {"VerifyFileChecksums", &ReadLimitsTest::VerifyFiles}};
  }
  static std::vector<Form> AllReads() {
    std::vector<Form> all = Reads();
    for (const Form& form : Verifications()) all.push_back(form);
    return all;
  }

  ReadWatch watch_;
  WatchedEnv env_;
  ReadOptions read_;
};

TEST_P(ReadLimitsTest, EveryReadIsToldOfItsTimeout) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.io_timeout = std::chrono::seconds(77);
  for (const Form& form : AllReads()) {
    SCOPED_TRACE(form.name);
    ASSERT_OK((this->*form.run)());
    const std::vector<microseconds> timeouts = watch_.Take();
    EXPECT_GE(timeouts.size(), 2u);
    for (const microseconds timeout : timeouts) {
      ASSERT_EQ(timeout, read_.io_timeout);
    }
  }
}

TEST_P(ReadLimitsTest, ADeadlineLimitsWhatAReadMayWait) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  read_.deadline =
      microseconds(env_.GetSystemClock()->NowMicros()) + std::chrono::hours(1);
  for (const auto io_timeout : {std::chrono::hours(0), std::chrono::hours(2)}) {
    read_.io_timeout = io_timeout;
    for (const Form& form : AllReads()) {
      SCOPED_TRACE(form.name);
      ASSERT_OK((this->*form.run)());
      for (const microseconds timeout : watch_.Take()) {
        EXPECT_GT(timeout.count(), 0);
        EXPECT_LE(timeout, std::chrono::hours(1));
      }
    }
  }
}

TEST_P(ReadLimitsTest, ADeadlineComesNearerFromFileToFile) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  watch_.micros_each = 60'000'000;
  for (const Form& form : Verifications()) {
    SCOPED_TRACE(form.name);
    watch_.Take();
    read_.deadline = microseconds(env_.GetSystemClock()->NowMicros()) +
                     std::chrono::hours(1);
    ASSERT_OK((this->*form.run)());
    const std::vector<microseconds> timeouts = watch_.Take();
    ASSERT_GE(timeouts.size(), 2u);
    EXPECT_LE(timeouts.back(), timeouts.front() - std::chrono::minutes(1));
  }
}

TEST_P(ReadLimitsTest, AFileThatIsReadAloneTellsTimeouts) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_FALSE(files.empty());
  const std::string path = files[0].db_path + files[0].name;
  read_.io_timeout = std::chrono::seconds(77);
  SstFileReader reader(options_);
  ASSERT_OK(reader.Open(path));
  watch_.Take();
  ASSERT_OK(reader.VerifyChecksum(read_));
  const std::vector<microseconds> timeouts = watch_.Take();
  EXPECT_GE(timeouts.size(), 1u);
  for (const microseconds timeout : timeouts) {
    EXPECT_EQ(timeout, read_.io_timeout);
  }
  read_.deadline = microseconds(1);
  EXPECT_TRUE(reader.VerifyChecksum(read_).IsTimedOut());
}

TEST_P(ReadLimitsTest, ADeadlineInThePastLetsNothingBeRead) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  for (const Form& form : AllReads()) {
    SCOPED_TRACE(form.name);
    read_.deadline = microseconds(1);
    const Status s = (this->*form.run)();
    EXPECT_TRUE(s.IsTimedOut()) << s.ToString();
    EXPECT_EQ(watch_.Take().size(), 0u);
    read_.deadline = microseconds(0);
    EXPECT_OK((this->*form.run)());
    watch_.Take();
  }
}

TEST_P(ReadLimitsTest, ADeadlineThatPassesBetweenReadsEndsTheCall) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const auto set_deadline = [&] {
    watch_.Take();
    read_.deadline = microseconds(env_.GetSystemClock()->NowMicros()) +
                     std::chrono::minutes(10);
  };
  // Longer than that, and that longer than the machine takes for a call.
  constexpr uint64_t kPassed = 1'200'000'000;
  for (const Form& form : AllReads()) {
    SCOPED_TRACE(form.name);
    watch_.micros_each = kPassed;
    set_deadline();
    const Status s = (this->*form.run)();
    EXPECT_TRUE(s.IsTimedOut()) << s.ToString();
    // What was under way already may go on; of a batch that is all of it.
    EXPECT_LE(watch_.Take().size(), SomeKeys().size());
    watch_.micros_each = 0;
    set_deadline();
    EXPECT_OK((this->*form.run)());
  }
  watch_.micros_each = kPassed;
  set_deadline();
  EXPECT_TRUE(GetPlain().IsTimedOut());
  EXPECT_EQ(watch_.Take().size(), 1u);
}

class ReadChargesTest : public ReadLimitsTest {
 protected:
  using Charges = std::array<int64_t, Env::IO_TOTAL>;

  ReadChargesTest() {
    options_.rate_limiter.reset(NewGenericRateLimiter(
        int64_t{1} << 40, 100'000, 10, RateLimiter::Mode::kReadsOnly));
  }
  // Through the limiter so far, by priority.
  Charges Now() const {
    Charges charges;
    for (size_t i = 0; i < charges.size(); ++i) {
      charges[i] = options_.rate_limiter->GetTotalBytesThrough(
          static_cast<Env::IOPriority>(i));
    }
    return charges;
  }
  // Every byte that `call` reads is charged with the priority of `read_`, and
  // none with another; with IO_TOTAL none at all.
  template <class Call>
  void ExpectCharged(const char* what, const Call& call) {
    SCOPED_TRACE(what);
    for (const Env::IOPriority priority :
         {Env::IO_LOW, Env::IO_MID, Env::IO_HIGH, Env::IO_USER,
          Env::IO_TOTAL}) {
      SCOPED_TRACE(priority);
      read_.rate_limiter_priority = priority;
      Charges expected = Now();
      const uint64_t before = get_iostats_context()->bytes_read;
      ASSERT_OK(call());
      const uint64_t bytes = get_iostats_context()->bytes_read - before;
      EXPECT_GT(bytes, 1000u);
      if (priority != Env::IO_TOTAL) {
        expected[priority] += static_cast<int64_t>(bytes);
      }
      EXPECT_EQ(Now(), expected);
    }
  }
  Status WalkRanges() {
    const std::string begin = KeyOf(100), end = KeyOf(300);
    MultiScanArgs args;
    args.use_async_io = GetParam();
    args.insert(Slice(begin), Slice(end));
    const std::unique_ptr<MultiScan> scans =
        db_->NewMultiScan(read_, db_->DefaultColumnFamily(), args);
    int count = 0;
    for (auto scan : *scans) {
      for (auto entry : scan) count += !entry.first.empty();
    }
    return count == 300 ? Status::OK() : Status::Corruption("count");
  }
};

TEST_P(ReadChargesTest, ReadsAreChargedWithTheirPriority) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  ExpectCharged("Get", [this] { return GetValue(KeyOf(501)); });
  ExpectCharged("Get of a blob", [this] { return GetValue("blob"); });
  ExpectCharged("MultiGet", [this] { return GetMany(); });
  ExpectCharged("a scan", [this] { return ScanAll(); });
  read_.readahead_size = 64 << 10;
  ExpectCharged("a scan that reads ahead", [this] { return ScanAll(); });
  ExpectCharged("a scan of ranges", [this] { return WalkRanges(); });
}

INSTANTIATE_TEST_SUITE_P(Ways, ReadLimitsTest, ::testing::Bool());
INSTANTIATE_TEST_SUITE_P(Ways, ReadChargesTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
