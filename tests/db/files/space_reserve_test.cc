// A compaction runs only where the SstFileManager grants room for its outputs,
// and a full device is tried again once there may be room.
#include "db/files/space_reserve.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "db/compaction/compaction.h"
#include "rocksdb/sst_file_manager.h"
#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Says how much room there is.
class ToldSpace final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "ToldSpace"; }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& /*options*/,
                        uint64_t* free, IODebugContext* /*dbg*/) override {
    EXPECT_EQ(path, "/db");
    *free = free_bytes;
    return answer;
  }

  uint64_t free_bytes = 0;
  IOStatus answer;
};

// One that an application has made.
class OwnSpaceManager final : public SstFileManager {
 public:
  void SetMaxAllowedSpaceUsage(uint64_t) override {}
  void SetCompactionBufferSize(uint64_t) override {}
  bool IsMaxAllowedSpaceReached() override { return true; }
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override { return true; }
  uint64_t GetTotalSize() override { return 0; }
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override {
    return {};
  }
  int64_t GetDeleteRateBytesPerSecond() override { return 0; }
  void SetDeleteRateBytesPerSecond(int64_t) override {}
  double GetMaxTrashDBRatio() override { return 0; }
  void SetMaxTrashDBRatio(double) override {}
  uint64_t GetTotalTrashSize() override { return 0; }
  void SetStatisticsPtr(const std::shared_ptr<Statistics>&) override {}
};

class SpaceReserveTest : public ::testing::Test {
 protected:
  SpaceReserveTest() { world.f.db->fs = &space_on_device; }
  // The database has a manager from here on.
  SstFileManager* Manage() {
    world.f.db->sst_file_manager.reset(NewSstFileManager(world.f.env.get()));
    return world.f.db->sst_file_manager.get();
  }
  static FileRef Sized(uint64_t number, uint64_t size_bytes) {
    auto file = std::make_shared<FileMeta>();
    file->number = number;
    file->epoch_number = number;
    file->size_bytes = size_bytes;
    const InternalKey key("k", number, kTypeValue);
    file->NoteEntry(key.Encode(), number);
    return file;
  }

  FamilyWorld world;
  ToldSpace space_on_device{world.f.fs};
  SpaceReserve space{{.db = world.f.db.get(),
                      .db_name = "/db",
                      .mutex = &world.mutex,
                      .families = &world.families}};
};

TEST_F(SpaceReserveTest, WithoutAManagerThereIsRoomForAll) {
  EXPECT_TRUE(space.Check().ok());
  space.Track();
  EXPECT_FALSE(space.IsLimitReached());
  EXPECT_TRUE(space.Reserve(UINT64_MAX));
  space.Release(UINT64_MAX);
  EXPECT_FALSE(space.LacksRoom());  // Though the device is full.
  EXPECT_FALSE(space.MayGetRoom(Status::NoSpace()));
}

TEST_F(SpaceReserveTest, AManagerOfTheApplicationsOwnIsRefused) {
  world.f.db->sst_file_manager = std::make_shared<OwnSpaceManager>();
  EXPECT_TRUE(space.Check().IsNotSupported());
  EXPECT_FALSE(space.IsLimitReached());
  Manage();
  EXPECT_TRUE(space.Check().ok());
}

TEST_F(SpaceReserveTest, FilesThatAreThereCount) {
  const FamilyRef first = world.Add(0, "a");
  const FamilyRef second = world.Add(1, "b");
  world.Install(first, {{Sized(11, 100)}, {Sized(12, 30)}},
                {FamilyWorld::Blob(13, 1000)});
  world.Install(second, {{}, {}, {Sized(14, 7)}});
  SstFileManager* const manager = Manage();
  manager->SetMaxAllowedSpaceUsage(1000 + BlobFile::kFrameBytes + 137);
  EXPECT_FALSE(space.IsLimitReached());
  space.Track();
  EXPECT_EQ(manager->GetTrackedFiles(),
            (std::unordered_map<std::string, uint64_t>{
                {"/db/000011.sst", 100},
                {"/db/000012.sst", 30},
                {"/db/000013.blob", 1000 + BlobFile::kFrameBytes},
                {"/db/000014.sst", 7}}));
  EXPECT_TRUE(space.IsLimitReached());
  manager->SetMaxAllowedSpaceUsage(1000 + BlobFile::kFrameBytes + 138);
  EXPECT_FALSE(space.IsLimitReached());
}

TEST_F(SpaceReserveTest, CompactionsThatHaveNoRoomDoNotRun) {
  Manage()->SetMaxAllowedSpaceUsage(1000);
  EXPECT_TRUE(space.Reserve(600));
  EXPECT_EQ(world.f.Ticker(COMPACTION_CANCELLED), 0u);
  EXPECT_FALSE(space.Reserve(401));
  EXPECT_EQ(world.f.Ticker(COMPACTION_CANCELLED), 1u);
  EXPECT_TRUE(space.Reserve(400));
  EXPECT_TRUE(space.Reserve(0));  // What needs none always has it.
  space.Release(600);
  EXPECT_TRUE(space.Reserve(600));
  space.Release(600);
  space.Release(400);
  EXPECT_EQ(world.f.Ticker(COMPACTION_CANCELLED), 1u);
}

TEST_F(SpaceReserveTest, ACompactionNeedsTheRoomOfItsInputs) {
  Compaction compaction;
  compaction.inputs.resize(2);
  compaction.inputs[0].files = {Sized(11, 100), Sized(12, 30)};
  compaction.inputs[1].files = {Sized(13, 5)};
  EXPECT_EQ(SpaceReserve::RoomFor(compaction), 135u);
  compaction.is_trivial_move = true;
  EXPECT_EQ(SpaceReserve::RoomFor(compaction), 0u);
  // The user's partitioner may want it to be rewritten.
  compaction.asks_for_move = true;
  EXPECT_EQ(SpaceReserve::RoomFor(compaction), 135u);
}

TEST_F(SpaceReserveTest, AFullDeviceMayGetRoomAgain) {
  Manage();
  EXPECT_TRUE(space.MayGetRoom(Status::NoSpace()));
  EXPECT_FALSE(space.MayGetRoom(Status::IOError()));
  EXPECT_FALSE(space.MayGetRoom(Status::SpaceLimit()));
}

TEST_F(SpaceReserveTest, RunningCompactionsNeedMoreThanThereIs) {
  SstFileManager* const manager = Manage();
  manager->SetCompactionBufferSize(50);
  ASSERT_TRUE(space.Reserve(500));
  space_on_device.free_bytes = 551;
  EXPECT_FALSE(space.LacksRoom());
  space_on_device.free_bytes = 550;
  EXPECT_TRUE(space.LacksRoom());
  // Nobody knows.
  space_on_device.answer = IOStatus::NotSupported();
  EXPECT_FALSE(space.LacksRoom());
  space.Release(500);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
