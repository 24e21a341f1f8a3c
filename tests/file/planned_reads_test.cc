// Blocks that are read before they are asked for:
// testdata/file/planned_reads.txt. Each case is run with buffered, direct,
// polled, and polled direct reads.
//
//   reads OPTION..         a file of 1 MiB; gap:BYTES between blocks that are
//                          read together, most:BYTES in memory, left:BYTES of
//                          the allowance, room:BYTES that scans share
//   WHO: STEP; STEP..      WHO is file, memory, or a scan
//
// Steps of a scan; a BLOCK is OFFSET+SIZE:
//   plan BLOCK..., read BLOCK.. (whether it is there, with the right bytes),
//   fetched OFFSET, release OFFSET, end
// Of the file: calls (how many so far), in_flight, fail CALL COUNT, fail_polls,
//   heal
// Of memory: held (of the allowance), granted, room, blocked, and what is
//   counted: requests, blocks, bytes, joined (over gaps), wasted, discarded;
//   counts (for whoever asks: reads, blocks, bytes)
#include "file/planned_reads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "monitoring/statistics_impl.h"
#include "tests/file/fake_files.h"
#include "tests/file/polled_files.h"
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class PlannedWorld {
 public:
  PlannedWorld(const ScriptWords& command, bool is_async, bool is_direct)
      : allowance_(static_cast<int64_t>(command.Number("left", 1 << 20))),
        room_(command.Number("room", 0)) {
    log_.is_direct = is_direct;
    log_.content = PatternBytes(1 << 20);
    auto file = std::make_unique<PolledFile>(&log_);
    polled_ = file.get();
    file_ = std::make_unique<RandomAccessFileReader>(std::move(file), "a.sst");
    options_.statistics = &statistics_;
    options_.coalesce_bytes = command.Number("gap", 1000);
    options_.max_bytes = command.Number("most", 256 << 10);
    options_.bytes_left = &bytes_left_;
    options_.counts = std::make_shared<PlannedCounts>();
    if (command.Has("room")) options_.room = &room_;
    if (is_async) options_.fs = &fs_;
  }
  ~PlannedWorld() {
    scans_.clear();
    EXPECT_EQ(bytes_left_, allowance_);
    EXPECT_EQ(polled_->in_flight, 0);
    EXPECT_EQ(room_.held_bytes(), 0u);
    EXPECT_EQ(Ticker(PREFETCH_MEMORY_BYTES_GRANTED),
              Ticker(PREFETCH_MEMORY_BYTES_RELEASED));
  }
  PlannedWorld(const PlannedWorld&) = delete;
  PlannedWorld& operator=(const PlannedWorld&) = delete;

  std::string Take(const std::string& who, const ScriptWords& step) {
    if (who == "file") return TakeOfFile(step);
    if (who == "memory") return TakeOfMemory(step.verb());
    return TakeOfScan(who, step);
  }

 private:
  static PlannedBlock BlockOf(const std::string& word) {
    const size_t plus = word.find('+');
    EXPECT_NE(plus, std::string::npos) << word;
    return {std::stoull(word), std::stoull(word.substr(plus + 1))};
  }

  std::string TakeOfScan(const std::string& who, const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "plan") {
      std::vector<PlannedBlock> blocks;
      for (const std::string& word : step.words()) {
        blocks.push_back(BlockOf(word));
      }
      scans_[who] =
          std::make_unique<PlannedReads>(file_.get(), options_, blocks);
      scans_[who]->Start(IOOptions());
      return "OK";
    }
    if (verb == "end") return scans_.erase(who), "OK";
    PlannedReads* const scan = scans_.at(who).get();
    if (verb == "read") return ReadAll(scan, step);
    const uint64_t offset = std::stoull(step.Word(0));
    if (verb == "fetched") return scan->IsFetched(offset) ? "yes" : "no";
    EXPECT_EQ(verb, "release");
    scan->Release(offset);
    return "OK";
  }
  std::string ReadAll(PlannedReads* scan, const ScriptWords& step) {
    std::string text;
    for (const std::string& word : step.words()) {
      const PlannedBlock block = BlockOf(word);
      Slice result;
      const bool is_there =
          scan->TryRead(IOOptions(), block.offset, block.size, &result);
      if (is_there) {
        EXPECT_EQ(result,
                  Slice(log_.content.data() + block.offset, block.size));
      }
      text += (text.empty() ? "" : " ") + std::string(is_there ? "yes" : "no");
    }
    return text;
  }

  std::string TakeOfFile(const ScriptWords& step) {
    const std::string& verb = step.verb();
    if (verb == "calls") return std::to_string(log_.Calls().size());
    if (verb == "in_flight") return std::to_string(polled_->in_flight);
    if (verb == "fail") {
      log_.fail_at = std::stoi(step.Word(0));
      log_.fail_count = std::stoi(step.Word(1));
      return "OK";
    }
    EXPECT_TRUE(verb == "fail_polls" || verb == "heal") << verb;
    fs_.fails = verb == "fail_polls";
    return "OK";
  }
  std::string TakeOfMemory(const std::string& verb) {
    if (verb == "held") return std::to_string(allowance_ - bytes_left_);
    if (verb == "room") return std::to_string(room_.held_bytes());
    if (verb == "granted") {
      return std::to_string(Ticker(PREFETCH_MEMORY_BYTES_GRANTED) -
                            Ticker(PREFETCH_MEMORY_BYTES_RELEASED));
    }
    if (verb == "discarded") {
      HistogramData discarded;
      statistics_.histogramData(PREFETCHED_BYTES_DISCARDED, &discarded);
      return std::to_string(discarded.sum);
    }
    if (verb == "counts") {
      const PlannedCounts& c = *options_.counts;
      return std::to_string(c.sync_reads + c.async_reads) + " reads, " +
             std::to_string(c.blocks) + " blocks, " + std::to_string(c.bytes) +
             " bytes";
    }
    const std::map<std::string, uint32_t> tickers = {
        {"blocked", PREFETCH_MEMORY_REQUESTS_BLOCKED},
        {"requests", MULTISCAN_IO_REQUESTS},
        {"blocks", MULTISCAN_BLOCKS_PREFETCHED},
        {"bytes", MULTISCAN_PREFETCH_BYTES},
        {"joined", MULTISCAN_IO_COALESCED_NONADJACENT},
        {"wasted", MULTISCAN_PREFETCH_BLOCKS_WASTED}};
    return std::to_string(Ticker(tickers.at(verb)));
  }
  uint64_t Ticker(uint32_t ticker) const {
    return statistics_.getTickerCount(ticker);
  }

  const int64_t allowance_;
  ReadLog log_;
  StatisticsImpl statistics_{nullptr};
  PollingFileSystem fs_;
  PrefetchRoom room_;
  PolledFile* polled_ = nullptr;
  int64_t bytes_left_ = allowance_;
  PlannedReadsOptions options_;
  std::unique_ptr<RandomAccessFileReader> file_;
  std::map<std::string, std::unique_ptr<PlannedReads>> scans_;
};

std::string RunPlannedCase(const ScriptCase& c) {
  const std::vector<std::string> ways = {"buffered", "direct", "polled",
                                         "polled direct"};
  return AnswersOfWays(ways, [&](size_t i) {
    PlannedWorld world(ScriptWords(c.command), /*is_async=*/i >= 2,
                       /*is_direct=*/i % 2 == 1);
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            return world.Take(who, step);
                          });
  });
}

TEST(PlannedReadsTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("file/planned_reads.txt", RunPlannedCase), 17u)
      << "cases went missing";
}

TEST(PrefetchRoomTest, WithoutALimitItOnlyCounts) {
  PrefetchRoom room(0);
  EXPECT_TRUE(room.TryAcquire(size_t{1} << 40));
  room.Acquire(7);
  EXPECT_EQ(room.held_bytes(), (size_t{1} << 40) + 7);
  room.Release(size_t{1} << 40);
  room.Release(7);
  EXPECT_EQ(room.held_bytes(), 0u);
}

TEST(PrefetchRoomTest, ThreadsTogetherStayWithinIt) {
  PrefetchRoom room(1000);
  EXPECT_FALSE(room.TryAcquire(1001));
  std::atomic<bool> was_above{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10000; ++round) {
        if (!room.TryAcquire(300)) continue;
        if (room.held_bytes() > 1000) was_above = true;
        room.Release(300);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(was_above.load());
  EXPECT_EQ(room.held_bytes(), 0u);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
