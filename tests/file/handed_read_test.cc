// Reads that helpers make, or those who wait for them; and the helpers.

#include "file/handed_read.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "file/io_helpers.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Each read waits until it may go on.
class GatedFile final : public FSRandomAccessFile {
 public:
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& /*options*/,
                Slice* result, char* scratch,
                IODebugContext* /*dbg*/) const override {
    MutexLock lock(&mutex_);
    readers_.push_back(std::this_thread::get_id());
    changed_.SignalAll();
    while (!is_open_) changed_.Wait();
    if (offset == kBad) return IOStatus::IOError("bad");
    for (size_t i = 0; i < n; ++i) scratch[i] = static_cast<char>(offset + i);
    *result = Slice(scratch, n);
    return IOStatus::OK();
  }
  void Open() {
    MutexLock lock(&mutex_);
    is_open_ = true;
    changed_.SignalAll();
  }
  void AwaitReaders(size_t count) const {
    MutexLock lock(&mutex_);
    while (readers_.size() < count) changed_.Wait();
  }
  std::vector<std::thread::id> readers() const {
    MutexLock lock(&mutex_);
    return readers_;
  }

  static constexpr uint64_t kBad = 4096;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_{&mutex_};
  bool is_open_ GUARDED_BY(mutex_) = false;
  mutable std::vector<std::thread::id> readers_ GUARDED_BY(mutex_);
};

class HandedReadTest : public testing::Test {
 protected:
  std::shared_ptr<HandedRead> Start(uint64_t offset, char* buffer) {
    return HandedRead::Start(&helpers_, {&file_, offset, 8, buffer, {}});
  }
  static void ExpectBytes(uint64_t offset, const Slice& bytes) {
    ASSERT_EQ(bytes.size(), 8u);
    for (size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(bytes[i], static_cast<char>(offset + i));
    }
  }

  GatedFile file_;
  IoHelpers helpers_{2};
  char buffers_[4][8];
};

TEST_F(HandedReadTest, GoesOnBesideItsOwner) {
  const auto first = Start(0, buffers_[0]);
  const auto second = Start(100, buffers_[1]);
  file_.AwaitReaders(2);  // while this thread does something else
  file_.Open();
  Slice result;
  ASSERT_TRUE(second->Wait(&result).ok());
  ExpectBytes(100, result);
  ASSERT_TRUE(first->Wait(&result).ok());
  ExpectBytes(0, result);
  for (const std::thread::id& id : file_.readers()) {
    EXPECT_NE(id, std::this_thread::get_id());
  }
}

TEST_F(HandedReadTest, WhoWaitsForOneThatHasNotBegunMakesIt) {
  const auto first = Start(0, buffers_[0]);
  const auto second = Start(8, buffers_[1]);
  file_.AwaitReaders(2);  // Both helpers are busy.
  const auto third = Start(16, buffers_[2]);
  std::thread opener([this] {
    file_.AwaitReaders(3);
    file_.Open();
  });
  Slice result;
  ASSERT_TRUE(third->Wait(&result).ok());
  ExpectBytes(16, result);
  opener.join();
  EXPECT_EQ(file_.readers()[2], std::this_thread::get_id());
  first->Abort();
  second->Abort();
}

TEST_F(HandedReadTest, OneThatIsForgottenBeforeItBeganIsNotMade) {
  const auto first = Start(0, buffers_[0]);
  const auto second = Start(8, buffers_[1]);
  file_.AwaitReaders(2);
  auto third = Start(16, buffers_[2]);
  third->Abort();
  third.reset();
  file_.Open();
  Slice result;
  EXPECT_TRUE(first->Wait(&result).ok());
  EXPECT_TRUE(second->Wait(&result).ok());
  const auto last = Start(24, buffers_[3]);
  EXPECT_TRUE(last->Wait(&result).ok());
  ExpectBytes(24, result);
  EXPECT_EQ(file_.readers().size(), 3u);
}

TEST_F(HandedReadTest, AbortWaitsForTheOneThatReads) {
  buffers_[0][7] = 0;
  const auto read = Start(0, buffers_[0]);
  file_.AwaitReaders(1);
  // Late, so that a call that does not wait is back before.
  std::thread opener([this] {
    for (int i = 0; i < 20000; ++i) std::this_thread::yield();
    file_.Open();
  });
  read->Abort();
  ExpectBytes(0, Slice(buffers_[0], 8));
  opener.join();
}

TEST_F(HandedReadTest, FailuresAreAnswered) {
  file_.Open();
  const auto read = Start(GatedFile::kBad, buffers_[0]);
  Slice result("untouched");
  EXPECT_TRUE(read->Wait(&result).IsIOError());
  EXPECT_EQ(result, Slice("untouched"));
}

TEST(IoHelpersTest, JobsThatWaitAtTheEndAreDone) {
  std::atomic<int> done{0};
  {
    IoHelpers helpers(1);
    for (int i = 0; i < 100; ++i) helpers.Run([&done] { ++done; });
  }
  EXPECT_EQ(done.load(), 100);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
