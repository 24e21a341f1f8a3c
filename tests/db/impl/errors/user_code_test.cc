// Filters, merge operators and other parts of the application that throw, fail
// or return nonsense while data are flushed or compacted: a status that says
// so, and the database as it was before.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/table_properties.h"
#include "tests/db/impl/db_fixture.h"
#include "util/caught_exceptions.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What the parts do; shared with the test.
struct Mood {
  std::atomic<bool> is_bad{false};
};

void ThrowIfBad(const Mood& mood) {
  if (mood.is_bad.load()) throw std::runtime_error("in a bad mood");
}

class MoodyFilter final : public CompactionFilter {
 public:
  using Ask = std::function<Decision(std::string* value, std::string* skip)>;
  MoodyFilter(const Mood* mood, Ask ask) : mood_(mood), ask_(std::move(ask)) {}
  const char* Name() const override { return "MoodyFilter"; }
  Decision FilterV2(int, const Slice&, ValueType, const Slice&,
                    std::string* value, std::string* skip) const override {
    return mood_->is_bad.load() ? ask_(value, skip) : Decision::kKeep;
  }

 private:
  const Mood* const mood_;
  const Ask ask_;
};

class MoodyFilterFactory final : public CompactionFilterFactory {
 public:
  explicit MoodyFilterFactory(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyFilterFactory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason /*reason*/) const override {
    if (throws_when_asked) ThrowIfBad(*mood_);
    return true;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& /*context*/) override {
    ThrowIfBad(*mood_);
    return nullptr;
  }
  bool throws_when_asked = false;

 private:
  const Mood* const mood_;
};

class MoodyMerge final : public MergeOperator {
 public:
  MoodyMerge(const Mood* mood, bool throws) : mood_(mood), throws_(throws) {}
  const char* Name() const override { return "MoodyMerge"; }
  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    if (throws_) ThrowIfBad(*mood_);
    if (mood_->is_bad.load()) return false;
    if (in.existing_value != nullptr) {
      out->new_value = in.existing_value->ToString();
    }
    for (const Slice& operand : in.operand_list) {
      out->new_value += "," + operand.ToString();
    }
    return true;
  }
  bool PartialMerge(const Slice&, const Slice& left, const Slice& right,
                    std::string* value, Logger*) const override {
    if (throws_) ThrowIfBad(*mood_);
    if (mood_->is_bad.load()) return false;
    *value = left.ToString() + "," + right.ToString();
    return true;
  }

 private:
  const Mood* const mood_;
  const bool throws_;
};

class MoodyPartitioner final : public SstPartitioner {
 public:
  explicit MoodyPartitioner(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyPartitioner"; }
  PartitionerResult ShouldPartition(const PartitionerRequest&) override {
    ThrowIfBad(*mood_);
    return kNotRequired;
  }
  bool CanDoTrivialMove(const Slice&, const Slice&) override { return true; }

 private:
  const Mood* const mood_;
};

class MoodyPartitionerFactory final : public SstPartitionerFactory {
 public:
  explicit MoodyPartitionerFactory(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyPartitionerFactory"; }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context&) const override {
    return std::make_unique<MoodyPartitioner>(mood_);
  }

 private:
  const Mood* const mood_;
};

class MoodyCollector final : public TablePropertiesCollector {
 public:
  explicit MoodyCollector(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyCollector"; }
  Status AddUserKey(const Slice&, const Slice&, EntryType, SequenceNumber,
                    uint64_t) override {
    ThrowIfBad(*mood_);
    return Status::OK();
  }
  Status Finish(UserCollectedProperties*) override { return Status::OK(); }
  UserCollectedProperties GetReadableProperties() const override { return {}; }

 private:
  const Mood* const mood_;
};

class MoodyCollectorFactory final : public TablePropertiesCollectorFactory {
 public:
  explicit MoodyCollectorFactory(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyCollectorFactory"; }
  TablePropertiesCollector* CreateTablePropertiesCollector(
      Context /*context*/) override {
    return std::make_unique<MoodyCollector>(mood_).release();
  }

 private:
  const Mood* const mood_;
};

// It throws where a job makes a status of that, and nowhere else.
class MoodyOrder final : public Comparator {
 public:
  explicit MoodyOrder(const Mood* mood) : mood_(mood) {}
  const char* Name() const override { return "MoodyOrder"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (ExceptionsAreCaught()) ThrowIfBad(*mood_);
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const Mood* const mood_;
};

class UserCodeTest : public DbFixture {
 protected:
  UserCodeTest() {
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 50;
  }
  ~UserCodeTest() override { db_.reset(); }

  void UseFilter(MoodyFilter::Ask ask) {
    db_.reset();
    filter_ = std::make_unique<MoodyFilter>(&mood_, std::move(ask));
    options_.compaction_filter = filter_.get();
  }
  // Two tables that hide each other in part, with merges and large values.
  void Fill() {
    mood_.is_bad = false;
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    Open();
    for (int round = 0; round < 2; ++round) {
      for (int i = round * 20; i < 60; ++i) {
        const std::string key = "key" + std::to_string(100 + i);
        if (options_.merge_operator != nullptr && i % 3 == 0) {
          ASSERT_OK(db_->Merge(WriteOptions(), key, std::to_string(round)));
        } else {
          ASSERT_OK(Put(key, std::string(i % 2 == 0 ? 100 : 5, 'v') +
                                 std::to_string(round)));
        }
      }
      ASSERT_OK(Flush());
    }
  }
  // A compaction in bad mood answers something like `expected`; afterwards all
  // is there, and it works in good mood.
  void ExpectRefused(const std::function<bool(const Status&)>& expected,
                     const std::string& text) {
    ASSERT_NO_FATAL_FAILURE(Fill());
    const std::string before = Scan();
    mood_.is_bad = true;
    const Status s = CompactAll();
    EXPECT_TRUE(expected(s)) << s.ToString();
    EXPECT_NE(s.ToString().find(text), std::string::npos) << s.ToString();
    mood_.is_bad = false;
    EXPECT_EQ(FilesAt(0), 2);
    EXPECT_EQ(Scan(), before);
    Reopen();
    EXPECT_EQ(Scan(), before);
    ASSERT_OK(CompactAll());
    EXPECT_EQ(FilesAt(0), 0);
    EXPECT_EQ(Scan(), before);
  }
  static bool IsAborted(const Status& s) { return s.IsAborted(); }

  Mood mood_;
  const MoodyOrder order_{&mood_};
  std::unique_ptr<MoodyFilter> filter_;
};

using Decision = CompactionFilter::Decision;

TEST_F(UserCodeTest, AFilterThatThrows) {
  UseFilter([](std::string*, std::string*) -> Decision {
    throw std::runtime_error("in a bad mood");
  });
  ExpectRefused(IsAborted, "MoodyFilter threw: in a bad mood");
  UseFilter([](std::string*, std::string*) -> Decision { throw 7; });
  ExpectRefused(IsAborted, "MoodyFilter: threw");
}

TEST_F(UserCodeTest, AFilterThatFailsOrSaysNonsense) {
  UseFilter([](std::string*, std::string*) { return Decision::kIOError; });
  ExpectRefused([](const Status& s) { return s.IsIOError(); }, "MoodyFilter");
  const auto is_not_supported = [](const Status& s) {
    return s.IsNotSupported();
  };
  UseFilter(
      [](std::string*, std::string*) { return static_cast<Decision>(99); });
  ExpectRefused(is_not_supported, "MoodyFilter: decision 99 on a value");
  UseFilter(
      [](std::string*, std::string*) { return Decision::kChangeBlobIndex; });
  ExpectRefused(is_not_supported, "MoodyFilter: kChangeBlobIndex");
  // To skip backwards is to keep.
  UseFilter([](std::string*, std::string* skip) {
    *skip = "a";
    return Decision::kRemoveAndSkipUntil;
  });
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string before = Scan();
  mood_.is_bad = true;
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), before);
}

TEST_F(UserCodeTest, AFactoryOfFiltersThatThrows) {
  const auto factory = std::make_shared<MoodyFilterFactory>(&mood_);
  options_.compaction_filter_factory = factory;
  ExpectRefused(IsAborted, "in a bad mood");
  factory->throws_when_asked = true;
  ExpectRefused(IsAborted, "in a bad mood");
}

TEST_F(UserCodeTest, AMergeOperatorThatThrowsOrFails) {
  for (const bool throws : {true, false}) {
    db_.reset();
    options_.merge_operator = std::make_shared<MoodyMerge>(&mood_, throws);
    ExpectRefused([](const Status& s) { return s.IsCorruption(); },
                  "MoodyMerge");
  }
}

TEST_F(UserCodeTest, APartitionerThatThrows) {
  options_.sst_partitioner_factory =
      std::make_shared<MoodyPartitionerFactory>(&mood_);
  ExpectRefused(IsAborted, "in a bad mood");
}

TEST_F(UserCodeTest, ACollectorOfPropertiesThatThrows) {
  options_.table_properties_collector_factories.push_back(
      std::make_shared<MoodyCollectorFactory>(&mood_));
  ExpectRefused(IsAborted, "in a bad mood");
}

TEST_F(UserCodeTest, AnOrderThatThrows) {
  EXPECT_FALSE(ExceptionsAreCaught());
  options_.comparator = &order_;
  ExpectRefused(IsAborted, "in a bad mood");
  ASSERT_OK(Put("new", "value"));
  ASSERT_OK(Put("newer", "value"));
  const std::string before = Scan();
  mood_.is_bad = true;
  const Status s = Flush();
  EXPECT_TRUE(s.IsAborted()) << s.ToString();
  EXPECT_NE(s.ToString().find("in a bad mood"), std::string::npos);
  mood_.is_bad = false;
  Reopen();
  ASSERT_OK(Flush());
  EXPECT_EQ(Scan(), before);
}

// What a flush cannot write stays in memory and in the log.
TEST_F(UserCodeTest, AFlushLosesNothing) {
  const auto factory = std::make_shared<MoodyFilterFactory>(&mood_);
  const auto expect = [&] {
    ASSERT_NO_FATAL_FAILURE(Fill());
    ASSERT_OK(Put("new", "value"));
    const std::string before = Scan();
    mood_.is_bad = true;
    const Status s = Flush();
    EXPECT_TRUE(s.IsAborted()) << s.ToString();
    EXPECT_NE(s.ToString().find("in a bad mood"), std::string::npos);
    EXPECT_EQ(Scan(), before);
    mood_.is_bad = false;
    Reopen();
    EXPECT_EQ(Scan(), before);
    ASSERT_OK(Flush());
    EXPECT_EQ(Scan(), before);
  };
  options_.compaction_filter_factory = factory;
  expect();
  factory->throws_when_asked = true;
  expect();
  db_.reset();
  options_.compaction_filter_factory.reset();
  options_.table_properties_collector_factories.push_back(
      std::make_shared<MoodyCollectorFactory>(&mood_));
  expect();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
