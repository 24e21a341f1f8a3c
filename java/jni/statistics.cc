// StatisticsParts and PerfParts: what the engine counts.
#include "rocksdb/statistics.h"

#include "java/jni/packing.h"
#include "java/jni/statistics_numbers.h"
#include "java/jni/values.h"
#include "rocksdb/compaction_job_stats.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// Java has three levels of the engine's six.
constexpr StatsLevel kLevels[] = {StatsLevel::kExceptDetailedTimers,
                                  StatsLevel::kExceptTimeForMutex,
                                  StatsLevel::kAll};

// Java has no level for waits alone.
int8_t JavaLevel(PerfLevel level) {
  const auto number = static_cast<int8_t>(level);
  return number > 2 ? static_cast<int8_t>(number - 1) : number;
}

PerfLevel EngineLevel(int8_t level) {
  return static_cast<PerfLevel>(level > 2 ? level + 1 : level);
}

// The counters of whichever thread asks.
class ThreadCounters : public StructObject {
 public:
  static constexpr TypeTag kTag{"PerfContext", &StructObject::kTag};
  const TypeTag* Tag() const override { return &kTag; }
  void* StructOf(const std::type_info& type) override {
    return type == typeid(PerfContext) ? get_perf_context() : nullptr;
  }
};

// Counts as another one does, but for some histograms.
class WithoutHistograms : public Statistics {
 public:
  WithoutHistograms(std::shared_ptr<Statistics> statistics,
                    std::vector<bool> ignored)
      : inner_(std::move(statistics)), ignored_(std::move(ignored)) {}
  const char* Name() const override { return "BasicStatistics"; }
  uint64_t getTickerCount(uint32_t ticker) const override {
    return inner_->getTickerCount(ticker);
  }
  void histogramData(uint32_t type, HistogramData* data) const override {
    inner_->histogramData(type, data);
  }
  std::string getHistogramString(uint32_t type) const override {
    return inner_->getHistogramString(type);
  }
  void recordTick(uint32_t ticker, uint64_t count) override {
    inner_->recordTick(ticker, count);
  }
  void setTickerCount(uint32_t ticker, uint64_t count) override {
    inner_->setTickerCount(ticker, count);
  }
  uint64_t getAndResetTickerCount(uint32_t ticker) override {
    return inner_->getAndResetTickerCount(ticker);
  }
  void recordInHistogram(uint32_t type, uint64_t value) override {
    if (HistEnabledForType(type)) inner_->recordInHistogram(type, value);
  }
  bool HistEnabledForType(uint32_t type) const override {
    return type < HISTOGRAM_ENUM_MAX && !ignored_[type];
  }
  bool TakesOwnTickers() const override { return inner_->TakesOwnTickers(); }
  Status Reset() override { return inner_->Reset(); }
  std::string ToString() const override { return inner_->ToString(); }

 private:
  std::shared_ptr<Statistics> inner_;
  std::vector<bool> ignored_;
};

uint32_t Counted(uint32_t number, const char* what) {
  if (number == kNoNumber) {
    Fail(Wrong::kArgument,
         std::string("the engine does not count this ") + what);
  }
  return number;
}

}  // namespace

NATIVE(jlong, StatisticsParts, create, jbyteArray ignored, jlong other) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Statistics>> given(other, true);
    std::shared_ptr<Statistics> made =
        given ? given->rep : CreateDBStatistics();
    const std::string numbers = ignored == nullptr ? "" : BytesOf(env, ignored);
    if (!numbers.empty()) {
      std::vector<bool> is_ignored(HISTOGRAM_ENUM_MAX);
      for (const char number : numbers) {
        const uint32_t type = HistogramOf(static_cast<int8_t>(number));
        if (type < HISTOGRAM_ENUM_MAX) is_ignored[type] = true;
      }
      made = std::make_shared<WithoutHistograms>(made, is_ignored);
    }
    return Share(made);
  });
}

NATIVE(jbyte, StatisticsParts, level, jlong statistics) {
  return Run(env, [&]() -> jbyte {
    const StatsLevel level =
        Pin<Shared<Statistics>>(statistics)->rep->get_stats_level();
    for (jbyte i = 2; i > 0; --i) {
      if (level >= kLevels[i]) return i;
    }
    return 0;
  });
}

NATIVE(void, StatisticsParts, setLevel, jlong statistics, jbyte level) {
  Run(env, [&] {
    if (level < 0 || level > 2) Fail(Wrong::kArgument, "no such level");
    Pin<Shared<Statistics>>(statistics)->rep->set_stats_level(kLevels[level]);
  });
}

NATIVE(jlong, StatisticsParts, ticker, jlong statistics, jbyte number,
       jboolean reset) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Statistics>> pin(statistics);
    const uint32_t ticker = TickerOf(number);
    if (ticker == kNoNumber) return 0;
    return static_cast<jlong>(reset ? pin->rep->getAndResetTickerCount(ticker)
                                    : pin->rep->getTickerCount(ticker));
  });
}

NATIVE(jbyteArray, StatisticsParts, histogram, jlong statistics, jbyte number) {
  return Run(env, [&] {
    Pin<Shared<Statistics>> pin(statistics);
    HistogramData data;
    pin->rep->histogramData(Counted(HistogramOf(number), "histogram"), &data);
    Packer out;
    out.Double(data.median);
    out.Double(data.percentile95);
    out.Double(data.percentile99);
    out.Double(data.average);
    out.Double(data.standard_deviation);
    out.Double(data.max);
    out.Long(data.count);
    out.Long(data.sum);
    out.Double(data.min);
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, StatisticsParts, histogramText, jlong statistics,
       jbyte number) {
  return Run(env, [&] {
    Pin<Shared<Statistics>> pin(statistics);
    return NewArray(env, pin->rep->getHistogramString(
                             Counted(HistogramOf(number), "histogram")));
  });
}

NATIVE(void, StatisticsParts, reset, jlong statistics) {
  Run(env, [&] { Check(Pin<Shared<Statistics>>(statistics)->rep->Reset()); });
}

NATIVE(jbyteArray, StatisticsParts, text, jlong statistics) {
  return Run(env, [&] {
    return NewArray(env, Pin<Shared<Statistics>>(statistics)->rep->ToString());
  });
}

NATIVE(void, PerfParts, resetContext) {
  Run(env, [&] { get_perf_context()->Reset(); });
}

NATIVE(jbyteArray, PerfParts, contextText, jboolean exclude_zero_counters) {
  return Run(env, [&] {
    return NewArray(
        env, get_perf_context()->ToString(exclude_zero_counters != JNI_FALSE));
  });
}

NATIVE(jlong, PerfParts, context) {
  return Run(env, [&]() -> jlong { return PublishNew<ThreadCounters>(); });
}

NATIVE(void, PerfParts, setLevel, jbyte level) {
  Run(env, [&] { SetPerfLevel(EngineLevel(level)); });
}

NATIVE(jbyte, PerfParts, level) {
  return Run(env, [&]() -> jbyte { return JavaLevel(GetPerfLevel()); });
}

NATIVE(void, PerfParts, resetJobStats, jlong stats) {
  Run(env, [&] { PinStruct<CompactionJobStats>(stats)->Reset(); });
}

NATIVE(void, PerfParts, addJobStats, jlong stats, jlong more) {
  Run(env, [&] {
    PinStruct<CompactionJobStats>(stats)->Add(
        *PinStruct<CompactionJobStats>(more));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
