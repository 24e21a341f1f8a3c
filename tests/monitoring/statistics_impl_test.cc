// Tickers and histograms: testdata/monitoring/statistics.txt. Names are those
// of the text, without "rocksdb."
//
//   outer: STEP; STEP..    statistics around others, which are "inner"
//   nobody: STEP..         no statistics at all
//
// Steps: tick NAME [COUNT], set NAME COUNT, count NAME, take NAME (the count,
// which is 0 then), record NAME VALUE, time NAME MICROS, numbers NAME, line
// NAME (of the text), level NAME, times (whether time is measured at all),
// reset.
#include "monitoring/statistics_impl.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StatisticsNamesTest, OneNameForEachInOrder) {
  ASSERT_EQ(size_t{TICKER_ENUM_MAX}, TickersNameMap.size());
  ASSERT_EQ(size_t{HISTOGRAM_ENUM_MAX}, HistogramsNameMap.size());
  std::set<std::string> names;
  for (uint32_t i = 0; i < TICKER_ENUM_MAX; ++i) {
    EXPECT_EQ(i, TickersNameMap[i].first);
    EXPECT_TRUE(names.insert(TickersNameMap[i].second).second);
  }
  for (uint32_t i = 0; i < HISTOGRAM_ENUM_MAX; ++i) {
    EXPECT_EQ(i, HistogramsNameMap[i].first);
    EXPECT_TRUE(names.insert(HistogramsNameMap[i].second).second);
  }
  // Our own stand behind, without a gap.
  EXPECT_EQ(267u, uint32_t{TICKER_ENUM_MAX});
  EXPECT_EQ(268u, uint32_t{COMPACTION_DIRECT_READ_OPENS});
  uint32_t own = TICKER_ENUM_MAX;
  for (const auto& [ticker, name] : OwnTickersNameMap) {
    EXPECT_EQ(++own, ticker);
    EXPECT_TRUE(name.starts_with("basalt.")) << name;
    EXPECT_TRUE(names.insert(name).second);
  }
  EXPECT_EQ(own + 1, uint32_t{OWN_TICKER_ENUM_MAX});
  EXPECT_EQ(80u, uint32_t{HISTOGRAM_ENUM_MAX});
  EXPECT_EQ("rocksdb.block.cache.miss", TickersNameMap[0].second);
  EXPECT_EQ("rocksdb.db.flush.micros", HistogramsNameMap[FLUSH_TIME].second);
}

template <typename Table>
uint32_t IndexOfName(const Table& table, const std::string& name) {
  for (const auto& [index, text] : table) {
    if (text == "rocksdb." + name || text == name) return index;
  }
  ADD_FAILURE() << "nothing is called " << name;
  return 0;
}
uint32_t TickerNamed(const std::string& name) {
  return name.starts_with("basalt.") ? IndexOfName(OwnTickersNameMap, name)
                                     : IndexOfName(TickersNameMap, name);
}

std::string NumbersOf(const Statistics& s, uint32_t histogram) {
  HistogramData data;
  s.histogramData(histogram, &data);
  std::string text =
      std::to_string(data.count) + " of " + std::to_string(data.sum);
  if (data.count == 0) return text;
  return text + ", " + std::to_string(static_cast<int>(data.min)) + " to " +
         std::to_string(static_cast<int>(data.max));
}

StatsLevel LevelNamed(const std::string& name) {
  const std::map<std::string, StatsLevel> levels = {
      {"kExceptTickers", StatsLevel::kExceptTickers},
      {"kExceptHistogramOrTimers", StatsLevel::kExceptHistogramOrTimers},
      {"kExceptTimers", StatsLevel::kExceptTimers},
      {"kExceptDetailedTimers", StatsLevel::kExceptDetailedTimers},
      {"kExceptTimeForMutex", StatsLevel::kExceptTimeForMutex},
      {"kAll", StatsLevel::kAll}};
  return levels.at(name);
}

// The line of all the text that begins so.
std::string LineOfText(const Statistics& s, const std::string& name) {
  for (const std::string& line : LinesOf(s.ToString())) {
    if (line.starts_with(name + " ")) return line;
  }
  return "none";
}

// Answers of what reads; nothing of what counts.
std::string AnswerOfStatistics(Statistics* s, const ScriptWords& step) {
  const std::string& verb = step.verb();
  if (verb == "times") return ShouldMeasureTime(s) ? "yes" : "no";
  if (verb == "reset") return s->Reset().ToString();
  const std::string& name = step.Word(0);
  if (verb == "level") return s->set_stats_level(LevelNamed(name)), "OK";
  if (verb == "line") return LineOfText(*s, name);
  const uint64_t value =
      step.words().size() > 1 ? std::stoull(step.words()[1]) : 1;
  if (verb == "numbers") {
    return NumbersOf(*s, IndexOfName(HistogramsNameMap, name));
  }
  if (verb == "record" || verb == "time") {
    const uint32_t histogram = IndexOfName(HistogramsNameMap, name);
    verb == "record" ? s->recordInHistogram(histogram, value)
                     : s->reportTimeToHistogram(histogram, value);
    return "OK";
  }
  const uint32_t ticker = TickerNamed(name);
  if (verb == "count") return std::to_string(s->getTickerCount(ticker));
  if (verb == "take") return std::to_string(s->getAndResetTickerCount(ticker));
  if (verb == "set") return SetTickerCount(s, ticker, value), "OK";
  EXPECT_EQ(verb, "tick");
  return RecordTick(s, ticker, value), "OK";
}

std::string RunStatisticsCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "statistics");
  const auto inner = CreateDBStatistics();
  StatisticsImpl outer(inner);
  return AnswersOfSteps(c,
                        [&](const std::string& who, const ScriptWords& step) {
                          Statistics* const s = who == "outer"   ? &outer
                                                : who == "inner" ? inner.get()
                                                                 : nullptr;
                          EXPECT_TRUE(s != nullptr || who == "nobody") << who;
                          return AnswerOfStatistics(s, step);
                        });
}

TEST(StatisticsTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("monitoring/statistics.txt", RunStatisticsCase), 8u)
      << "cases went missing";
}

TEST(StatisticsTest, MapOfAllTickers) {
  const auto s = CreateDBStatistics();
  EXPECT_EQ(StatsLevel::kExceptDetailedTimers, s->get_stats_level());
  RecordTick(s.get(), NO_FILE_OPENS, 5);
  s->measureTime(DB_GET, 7);
  EXPECT_EQ(NumbersOf(*s, DB_GET), "1 of 7, 7 to 7");
  EXPECT_TRUE(s->getHistogramString(DB_GET).starts_with("Count: 1 "));
  std::map<std::string, uint64_t> map;
  ASSERT_TRUE(s->getTickerMap(&map));
  EXPECT_EQ(TickersNameMap.size() + OwnTickersNameMap.size(), map.size());
  EXPECT_EQ(5u, map["rocksdb.no.file.opens"]);
}

TEST(StatisticsTest, ThreadsAddUpAndTheirCountsOutliveThem) {
  const auto s = CreateDBStatistics();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          RecordTick(s.get(), BYTES_READ);
          s->recordInHistogram(DB_GET, 5);
        }
      });
    }
    s->getTickerCount(BYTES_READ);
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(12000u, s->getTickerCount(BYTES_READ));
  HistogramData data;
  s->histogramData(DB_GET, &data);
  EXPECT_EQ(12000u, data.count);
}

TEST(StatisticsTest, MayGoWhileThreadsThatUsedItLive) {
  auto s = CreateDBStatistics();
  RecordTick(s.get(), BYTES_READ);
  s.reset();
  s = CreateDBStatistics();
  EXPECT_EQ(0u, s->getTickerCount(BYTES_READ));
  RecordTick(s.get(), BYTES_READ);
  EXPECT_EQ(1u, s->getTickerCount(BYTES_READ));
}

// Passes what it is told on to nobody, but counts.
class OtherStatistics final : public Statistics {
 public:
  const char* Name() const override { return "OtherStatistics"; }
  uint64_t getTickerCount(uint32_t type) const override {
    return type == BYTES_WRITTEN ? bytes_ : 0;
  }
  void histogramData(uint32_t, HistogramData*) const override {}
  void recordTick(uint32_t type, uint64_t count) override {
    if (type == BYTES_WRITTEN) bytes_ += count;
  }
  void recordInHistogram(uint32_t, uint64_t value) override {
    recorded_ += value;
  }
  void setTickerCount(uint32_t, uint64_t) override {}
  uint64_t getAndResetTickerCount(uint32_t) override { return 0; }
  // The sum of all histograms.
  uint64_t recorded() const { return recorded_; }

 private:
  uint64_t bytes_ = 0;
  uint64_t recorded_ = 0;
};

// By whoever does not know which statistics they are.
[[gnu::noinline]] void RecordBytes(Statistics* statistics, uint64_t bytes,
                                   uint64_t micros) {
  RecordAll(statistics, std::to_array<TickerCount>({{BYTES_WRITTEN, bytes}}),
            std::to_array<HistogramValue>({{DB_WRITE, micros}}));
}

TEST(StatisticsTest, WhatComesInOneGoIsWhatComesOneByOne) {
  const auto inner = std::make_shared<OtherStatistics>();
  StatisticsImpl ours(inner);
  RecordAll(
      &ours,
      std::to_array<TickerCount>(
          {{BYTES_WRITTEN, 3}, {NUMBER_KEYS_WRITTEN, 2}}),
      std::to_array<HistogramValue>({{DB_WRITE, 7}, {BYTES_PER_WRITE, 3}}));
  RecordAll(&ours, std::to_array<TickerCount>({{BYTES_WRITTEN, 4}}),
            std::to_array<HistogramValue>({{DB_WRITE, 9}}));
  EXPECT_EQ(ours.getTickerCount(BYTES_WRITTEN), 7u);
  EXPECT_EQ(ours.getTickerCount(NUMBER_KEYS_WRITTEN), 2u);
  EXPECT_EQ(ours.GetHistogram(DB_WRITE).count, 2u);
  EXPECT_EQ(ours.GetHistogram(DB_WRITE).sum, 16u);
  EXPECT_EQ(ours.GetHistogram(BYTES_PER_WRITE).count, 1u);
  EXPECT_EQ(inner->getTickerCount(BYTES_WRITTEN), 7u);
  EXPECT_EQ(inner->recorded(), 19u);
  ours.set_stats_level(StatsLevel::kExceptHistogramOrTimers);
  RecordAll(&ours, std::to_array<TickerCount>({{BYTES_WRITTEN, 1}}),
            std::to_array<HistogramValue>({{DB_WRITE, 9}}));
  EXPECT_EQ(ours.getTickerCount(BYTES_WRITTEN), 8u);
  EXPECT_EQ(ours.GetHistogram(DB_WRITE).count, 2u);
  EXPECT_EQ(inner->recorded(), 19u);
  ours.set_stats_level(StatsLevel::kExceptTickers);
  RecordAll(&ours, std::to_array<TickerCount>({{BYTES_WRITTEN, 4}}),
            std::to_array<HistogramValue>({{DB_WRITE, 9}}));
  EXPECT_EQ(ours.getTickerCount(BYTES_WRITTEN), 8u);
  RecordBytes(inner.get(), 5, 1);
  EXPECT_EQ(inner->getTickerCount(BYTES_WRITTEN), 13u);
  EXPECT_EQ(inner->recorded(), 20u);
  RecordBytes(nullptr, 5, 1);
}

// Has room for RocksDB's tickers, and for all if it is asked to.
class NarrowStatistics final : public Statistics {
 public:
  explicit NarrowStatistics(bool takes_own) : takes_own_(takes_own) {}
  const char* Name() const override { return "NarrowStatistics"; }
  bool TakesOwnTickers() const override { return takes_own_; }
  uint64_t getTickerCount(uint32_t type) const override {
    return counts_.at(type);
  }
  void histogramData(uint32_t, HistogramData*) const override {}
  void recordTick(uint32_t type, uint64_t count) override {
    counts_.at(type) += count;
  }
  void setTickerCount(uint32_t type, uint64_t count) override {
    counts_.at(type) = count;
  }
  uint64_t getAndResetTickerCount(uint32_t type) override {
    return std::exchange(counts_.at(type), 0);
  }

 private:
  const bool takes_own_;
  std::vector<uint64_t> counts_ =
      std::vector<uint64_t>(takes_own_ ? OWN_TICKER_ENUM_MAX : TICKER_ENUM_MAX);
};

TEST(StatisticsTest, AnApplicationsIsToldOfTickersThatItHasRoomFor) {
  for (const bool takes_own : {false, true}) {
    const auto inner = std::make_shared<NarrowStatistics>(takes_own);
    StatisticsImpl outer(inner);
    // at() would throw.
    outer.recordTick(HEAT_MICROS, 2);
    outer.recordTick(BYTES_READ, 1);
    RecordAll(&outer, std::to_array<TickerCount>({{HEAT_MICROS, 3}}),
              std::array<HistogramValue, 0>());
    RecordTick(inner.get(), HEAT_MICROS, 4);
    RecordAll(inner.get(), std::to_array<TickerCount>({{HEAT_MICROS, 5}}),
              std::array<HistogramValue, 0>());
    EXPECT_EQ(outer.getTickerCount(HEAT_MICROS), 5u);
    EXPECT_EQ(inner->getTickerCount(BYTES_READ), 1u);
    if (takes_own) {
      EXPECT_EQ(inner->getTickerCount(HEAT_MICROS), 14u);
    }
    outer.setTickerCount(HEAT_MICROS, 7);
    SetTickerCount(inner.get(), HEAT_MICROS, 8);
    EXPECT_EQ(outer.getAndResetTickerCount(HEAT_MICROS), 7u);
    if (takes_own) {
      EXPECT_EQ(inner->getTickerCount(HEAT_MICROS), 0u);
    }
    size_t visited = 0;
    ForEachTicker(*inner, [&](Tickers ticker, const std::string&) {
      visited += inner->getTickerCount(ticker) < 100 ? 1 : 0;
    });
    EXPECT_EQ(visited, TickersNameMap.size() +
                           (takes_own ? OwnTickersNameMap.size() : 0));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
