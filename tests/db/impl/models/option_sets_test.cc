// Option sets drawn from the rows, one after the other on the same database:
// whatever set wrote the files, and whatever set reads them, every read answers
// as an ordered map does.
#include "tests/db/impl/families_fixture.h"
#include "tests/db/impl/model_run.h"
#include "tests/db/impl/models/drawn_options.h"
#include "tests/db/impl/models/read_forms.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Databases, and the sets that each is opened with: 200 sets a run.
constexpr uint64_t kDatabases = 40;
constexpr uint64_t kSetsEach = 5;
constexpr int kSetOperations = 250;
const TestSeeds kOptionSeeds(0, kDatabases);

// Another instance on the same files.
struct Instance {
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance() {
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_OK(db->DestroyColumnFamilyHandle(handle));
    }
  }

  std::unique_ptr<DB> db;
  std::vector<ColumnFamilyHandle*> handles;
};

class OptionSets : public FamiliesFixture,
                   public ::testing::WithParamInterface<uint64_t> {
 protected:
  // What the families hold; some databases have one alone.
  struct Contents {
    Model main, side;
  };

  void RunSet(uint64_t seed, Contents* now) {
    Random64 random(seed + 1);
    ModelRun run(db_.get(), seed, &now->main);
    ModelRun side(db_.get(), seed, &now->side, handles_.back());
    run.WriteEntities();
    side.WriteEntities();
    const bool has_side = handles_.size() > 1;
    const Snapshot* snapshot = nullptr;
    std::unique_ptr<Iterator> cursor;
    Instance secondary, follower;
    Contents then;
    for (int i = 0; i < kSetOperations; ++i) {
      ASSERT_OK(run.Step());
      if (has_side && random.OneIn(3)) ASSERT_OK(side.Step());
      if (random.OneIn(120)) ASSERT_OK(db_->Flush(FlushOptions(), handles_));
      if (random.OneIn(400)) ASSERT_OK(CompactAll(random.OneIn(2)));
      if (i == kSetOperations / 2) {
        snapshot = db_->GetSnapshot();
        then = *now;
        ReadOptions read = DrawReadOptions(&random, nullptr);
        read.tailing = false;
        cursor.reset(db_->NewIterator(read));
        cursor->SeekToFirst();
        if (seed % 8 == 0) ASSERT_OK(OpenSecondary(&secondary));
        if (seed % 8 == 2) ASSERT_OK(OpenFollower(&follower));
      }
    }
    ReadOptions read = DrawReadOptions(&random, nullptr);
    ASSERT_NO_FATAL_FAILURE(run.CheckOnce(now->main, read));
    ASSERT_NO_FATAL_FAILURE(CheckForms(db_.get(), handles_, *now, read));
    if (secondary.db != nullptr) {
      ASSERT_NO_FATAL_FAILURE(CheckOther(then, read, secondary));
      ASSERT_OK(db_->FlushWAL(/*sync=*/false));
      ASSERT_OK(secondary.db->TryCatchUpWithPrimary());
      ASSERT_NO_FATAL_FAILURE(CheckOther(*now, read, secondary));
    }
    if (follower.db != nullptr) {
      ASSERT_NO_FATAL_FAILURE(CheckOther(then, read, follower));
      ASSERT_OK(db_->Flush(FlushOptions(), handles_));
      ASSERT_OK(follower.db->TryCatchUpWithPrimary());
      ASSERT_NO_FATAL_FAILURE(CheckOther(*now, read, follower));
    }
    if (seed % 8 == 4) {
      ASSERT_NO_FATAL_FAILURE(CheckReadOnly(*now, read));
    }
    read = DrawReadOptions(&random, snapshot);
    ASSERT_NO_FATAL_FAILURE(run.CheckOnce(then.main, read));
    ASSERT_NO_FATAL_FAILURE(CheckForms(db_.get(), handles_, then, read));
    // From the moment of the snapshot to the present, and back.
    ASSERT_OK(cursor->Refresh());
    ASSERT_NO_FATAL_FAILURE(run.CheckCursor(now->main, cursor.get()));
    ASSERT_OK(cursor->Refresh(snapshot));
    ASSERT_NO_FATAL_FAILURE(run.CheckCursor(then.main, cursor.get()));
    db_->ReleaseSnapshot(snapshot);
    cursor.reset();
    if (seed % 8 == 6) {
      ASSERT_NO_FATAL_FAILURE(CheckNoTables());
    }
  }

  // What is in tables alone does not show where all of them are left out.
  void CheckNoTables() {
    ASSERT_OK(db_->Flush(FlushOptions(), handles_));
    const std::function<bool(const TableProperties&)> none =
        [](const TableProperties&) { return false; };
    ReadOptions read;
    read.total_order_seek = true;
    read.table_filter = &none;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->SeekToFirst();
    ASSERT_FALSE(it->Valid()) << it->key().ToString();
    it->SeekToLast();
    ASSERT_FALSE(it->Valid()) << it->key().ToString();
    ASSERT_OK(it->status());
  }

  // About every eighth form.
  void CheckForms(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                  const Contents& contents, const ReadOptions& read) {
    std::vector<ModelFamily> families{{handles[0], &contents.main}};
    if (handles.size() > 1) families.push_back({handles[1], &contents.side});
    ReadForms forms(db, std::move(families), options_.prefix_extractor.get(),
                    db->GetLatestSequenceNumber());
    forms.CheckSome(/*one_in=*/8, read);
  }

  std::vector<ColumnFamilyDescriptor> Descriptors() const {
    std::vector<ColumnFamilyDescriptor> descriptors;
    for (ColumnFamilyHandle* handle : handles_) {
      descriptors.emplace_back(handle->GetName(),
                               ColumnFamilyOptions(options_));
    }
    return descriptors;
  }
  Status OpenSecondary(Instance* secondary) {
    DBOptions own(options_);
    own.max_open_files = -1;
    Status s = db_->FlushWAL(/*sync=*/false);
    if (!s.ok()) return s;
    return DB::OpenAsSecondary(own, path_, directory_.path() + "/second",
                               Descriptors(), &secondary->handles,
                               &secondary->db);
  }
  // Which looks for news when it is told to.
  Status OpenFollower(Instance* follower) {
    DBOptions own(options_);
    own.follower_refresh_catchup_period_ms = 0;
    Status s = db_->Flush(FlushOptions(), handles_);
    if (!s.ok()) return s;
    return DB::OpenAsFollower(own, directory_.path() + "/follower", path_,
                              Descriptors(), &follower->handles, &follower->db);
  }
  void CheckReadOnly(const Contents& contents, const ReadOptions& read) {
    // Its files must stay.
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    ASSERT_OK(db_->FlushWAL(/*sync=*/false));
    Instance other;
    ASSERT_OK(DB::OpenForReadOnly(DBOptions(options_), path_, Descriptors(),
                                  &other.handles, &other.db));
    ASSERT_NO_FATAL_FAILURE(CheckOther(contents, read, other));
  }
  void CheckOther(const Contents& contents, const ReadOptions& read,
                  const Instance& other) {
    Contents copy = contents;
    ModelRun run(other.db.get(), contents.main.size(), &copy.main);
    ASSERT_NO_FATAL_FAILURE(run.CheckOnce(contents.main, read));
    CheckForms(other.db.get(), other.handles, contents, read);
  }
};

TEST_P(OptionSets, EverySetReadsAsTheModelDoes) {
  for (uint64_t scale = 0; scale < TestScale(); ++scale) {
    const uint64_t database = GetParam() + scale * kDatabases;
    CloseFamilies();
    path_ = directory_.path() + "/" + std::to_string(database);
    Contents contents;
    std::vector<std::string> names{kDefaultColumnFamilyName};
    if (database % 5 == 1) names.emplace_back("side");
    for (uint64_t set = 0; set < kSetsEach; ++set) {
      const uint64_t seed = database * kSetsEach + set;
      SCOPED_TRACE("option set " + std::to_string(seed));
      Random64 random(seed);
      options_ = DrawOptions(&random, /*is_universal=*/database % 4 == 3);
      options_.create_missing_column_families = true;
      ASSERT_NO_FATAL_FAILURE(OpenFamilies(names));
      ASSERT_NO_FATAL_FAILURE(RunSet(seed, &contents));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OptionSets,
                         ::testing::Range(kOptionSeeds.begin,
                                          kOptionSeeds.end));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
