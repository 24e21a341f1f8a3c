// A thread's background requests stay within cap and pace, and each gets its
// own answer or error, by any backend.
#include "file/io_lane.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem_file_system.h"
#include "file/aligned_buffer.h"
#include "file/io_pace.h"
#include "tests/file/fake_device.h"
#include "tests/testing/mock_clock.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kPage = 4096;
// So far ahead that no wait ends by itself.
constexpr uint64_t kLaneFarMicros = 4'000'000'000'000'000;

class IoLaneTest : public testing::TestWithParam<IoBackend> {
 protected:
  IoLaneTest() : file_(&log_, &device_) {
    log_.content = PatternBytes((1 << 20) + 100);
    source_.backend = GetParam();
    source_.fs = &device_;
    source_.governor = &governor_;
    governor_.Join(limits_);
  }
  ~IoLaneTest() override {
    EXPECT_EQ(lane_->in_flight(), 0u);
    EXPECT_TRUE(device_.reads.empty());
    for (const auto& own : governor_.Stats().classes) {
      EXPECT_EQ(own.bytes_in_flight, 0u);
    }
    governor_.Leave(limits_);
  }

  struct Part {
    IoRequest request;
    AlignedBuffer buffer;
  };
  std::unique_ptr<Part> NewRead(uint64_t offset, size_t wanted) {
    auto part = std::make_unique<Part>();
    part->buffer.Reserve(kPage, wanted);
    part->request.source = &source_;
    part->request.reads = &file_;
    part->request.offset = offset;
    part->request.buffer = part->buffer.data();
    part->request.length = lane_->Admit(source_, wanted, 1);
    return part;
  }
  void ExpectBytes(const IoRequest& request) const {
    ASSERT_TRUE(request.is_finished);
    ASSERT_TRUE(request.status.ok()) << request.status.ToString();
    const size_t left = log_.content.size() > request.offset
                            ? log_.content.size() - request.offset
                            : 0;
    ASSERT_EQ(request.done, std::min(request.length, left));
    EXPECT_TRUE(Slice(request.buffer, request.done) ==
                Slice(log_.content.data() + request.offset, request.done));
  }

  const IoLimits limits_{.max_bytes_in_flight = 256 << 10};
  IoGovernor governor_;
  ReadLog log_;
  FakeDevice device_;
  DeviceReadableFile file_;
  IoSource source_;
  IoLane* const lane_ = IoLane::OfThisThread();
};

INSTANTIATE_TEST_SUITE_P(Backends, IoLaneTest,
                         testing::Values(IoBackend::kFileSystem,
                                         IoBackend::kHelpers,
                                         IoBackend::kInline));

TEST_P(IoLaneTest, ReadsInAnyOrderOfWaiting) {
  Random64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::unique_ptr<Part>> parts;
    for (int i = 0; i < 6; ++i) {
      const uint64_t offset = random.Uniform(log_.content.size() + 1000);
      parts.push_back(NewRead(offset, 1 + random.Uniform(40000)));
      lane_->Start(&parts.back()->request);
      device_.Work(random.Uniform(3000));
      if (random.Uniform(3) == 0) lane_->TakeInDone();
    }
    while (!parts.empty()) {
      const size_t at = random.Uniform(parts.size());
      IoRequest* request = &parts[at]->request;
      if (random.Uniform(2) == 0) lane_->IsFinished(request);
      lane_->Wait(request);
      ExpectBytes(*request);
      // Waiting again is no harm.
      lane_->Wait(request);
      parts.erase(parts.begin() + static_cast<ptrdiff_t>(at));
    }
  }
}

TEST_P(IoLaneTest, WaitsForItsOwnBeforeItWaitsForLeave) {
  std::vector<std::unique_ptr<Part>> parts;
  // Four times the cap, and nobody else takes anything in.
  for (uint64_t i = 0; i < 16; ++i) {
    parts.push_back(NewRead(i * 65536, 65536));
    ASSERT_EQ(parts.back()->request.length, 65536u);
    lane_->Start(&parts.back()->request);
    EXPECT_LE(lane_->in_flight(), 4u);
  }
  lane_->Settle();
  EXPECT_EQ(lane_->in_flight(), 0u);
  for (const auto& part : parts) ExpectBytes(part->request);
}

TEST_P(IoLaneTest, KeepsToItsPaceWhileUsersRead) {
  // It stands still, so users count as reading for as long as the test lasts.
  MockClock clock(kLaneFarMicros);
  IoGovernor governor(&clock);
  governor.Join(limits_);
  source_.governor = &governor;
  IoPace pace;
  pace.SetRate(1);
  pace.Charge(1 << 20);
  source_.pace = &pace;
  // The pace does not matter while no user reads from the device.
  std::unique_ptr<Part> part = NewRead(0, 65536);
  lane_->Start(&part->request);
  governor.NoteUserRead(100, /*is_from_device=*/true);
  ASSERT_TRUE(governor.users_read());
  // TryAdmit() admits nothing, but takes in what the device has finished.
  while (lane_->in_flight() > 0) {
    EXPECT_EQ(lane_->TryAdmit(source_, 65536, 1), 0u);
    device_.Work(1'000'000);
  }
  ExpectBytes(part->request);
  // A source without a pace need not wait.
  IoSource other = source_;
  other.pace = nullptr;
  EXPECT_EQ(lane_->TryAdmit(other, 4096, 1), 4096u);
  governor.Finish(other.io_class, 4096, 0);
  // A request that waits for credit goes on once the pace has no rate.
  std::thread unpace([&] { pace.SetRate(0); });
  part = NewRead(65536, 65536);
  lane_->Start(&part->request);
  lane_->Wait(&part->request);
  ExpectBytes(part->request);
  unpace.join();
  governor.Leave(limits_);
}

TEST_P(IoLaneTest, ManyThreadsShareTheCap) {
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      // A file system of its own: the fake one is for one thread.
      FakeDevice device;
      ReadLog log;
      log.content = log_.content;
      DeviceReadableFile file(&log, &device);
      IoSource source = source_;
      source.fs = &device;
      source.io_class = static_cast<IoClass>(t);
      IoLane* lane = IoLane::OfThisThread();
      Random64 random(t);
      std::vector<std::unique_ptr<Part>> parts;
      for (int i = 0; i < 300; ++i) {
        auto part = std::make_unique<Part>();
        const size_t wanted = 1 + random.Uniform(100000);
        part->buffer.Reserve(kPage, wanted);
        part->request.source = &source;
        part->request.reads = &file;
        part->request.offset = random.Uniform(1 << 20);
        part->request.buffer = part->buffer.data();
        part->request.length = lane->Admit(source, wanted, 1);
        lane->Start(&part->request);
        parts.push_back(std::move(part));
        if (parts.size() < 8) continue;
        for (auto& each : parts) {
          lane->Wait(&each->request);
          ExpectBytes(each->request);
        }
        parts.clear();
      }
      lane->Settle();
      EXPECT_EQ(lane->in_flight(), 0u);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(IoLaneTest, ErrorsAreThoseOfTheRequest) {
  for (int k = 0; k < 4; ++k) {
    log_.ForgetCalls();
    log_.fail_at = k;
    log_.fail_count = 1;
    std::vector<std::unique_ptr<Part>> parts;
    int failed = 0;
    for (uint64_t i = 0; i < 4; ++i) {
      parts.push_back(NewRead(i * 1000, 1000));
      lane_->Start(&parts.back()->request);
    }
    for (const auto& part : parts) {
      lane_->Wait(&part->request);
      if (part->request.status.ok()) {
        ExpectBytes(part->request);
      } else {
        EXPECT_TRUE(part->request.status.IsIOError());
        EXPECT_EQ(part->request.done, 0u);
        ++failed;
      }
    }
    EXPECT_EQ(failed, 1);
  }
}

class IoLaneFileSystemTest : public IoLaneTest {};

INSTANTIATE_TEST_SUITE_P(Backends, IoLaneFileSystemTest,
                         testing::Values(IoBackend::kFileSystem));

TEST_P(IoLaneFileSystemTest, AnAnswerMayComeWithThatOfAnother) {
  device_.delivers_all = true;
  auto first = NewRead(0, 1000);
  auto second = NewRead(5000, 1000);
  lane_->Start(&first->request);
  lane_->Start(&second->request);
  lane_->Wait(&second->request);
  ExpectBytes(second->request);
  // The bytes are there, but the governor does not know.
  EXPECT_FALSE(first->request.is_finished);
  EXPECT_EQ(lane_->in_flight(), 1u);
  EXPECT_TRUE(lane_->IsFinished(&first->request));
  ExpectBytes(first->request);
}

TEST_P(IoLaneFileSystemTest, AFailedPollLetsGoOfTheBuffer) {
  for (const bool loses : {false, true}) {
    auto part = NewRead(0, 1000);
    lane_->Start(&part->request);
    device_.abort_count = 0;
    device_.loses_answers = loses;
    device_.poll_error =
        loses ? IOStatus::OK() : IOStatus::IOError("fake", "poll");
    lane_->Wait(&part->request);
    EXPECT_EQ(device_.abort_count, 1);
    EXPECT_TRUE(part->request.status.IsIOError());
    EXPECT_NE(part->request.status.ToString().find("poll"), std::string::npos);
    EXPECT_EQ(part->request.done, 0u);
    EXPECT_TRUE(device_.reads.empty());
  }
}

TEST_P(IoLaneFileSystemTest, ARefusalAtTheStartIsTheAnswer) {
  file_.refusal = IOStatus::NotSupported("fake");
  auto part = NewRead(0, 1000);
  lane_->Start(&part->request);
  EXPECT_TRUE(part->request.is_finished);
  EXPECT_TRUE(part->request.status.IsNotSupported());
  lane_->Wait(&part->request);
}

TEST_P(IoLaneFileSystemTest, AFileWithoutCallsOfItsOwnAnswersAtOnce) {
  FakeReadableFile plain(&log_);
  auto part = NewRead(100, 1000);
  part->request.reads = &plain;
  lane_->Start(&part->request);
  EXPECT_EQ(lane_->in_flight(), 0u);
  ExpectBytes(part->request);
}

TEST(IoBackendTest, TheBestIsTheFilesOwn) {
  FakeDevice device;
  EXPECT_EQ(BestReadBackend(&device), IoBackend::kFileSystem);
  MemFileSystem memory;
  EXPECT_EQ(BestReadBackend(&memory), IoBackend::kHelpers);
  WriteLog log;
  FakeWritableFile plain(&log);
  EXPECT_EQ(BestWriteBackend(&plain), IoBackend::kHelpers);
  DeviceWritableFile own(&log, &device);
  EXPECT_EQ(BestWriteBackend(&own), IoBackend::kFileSystem);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
