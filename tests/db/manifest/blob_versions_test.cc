// Blob files in the version state: which stay, what is garbage, which are
// forced out.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "db/version/version_builder.h"
#include "db/version/version_storage.h"
#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE {
namespace {

FileRef LinkedTable(uint64_t number, uint64_t oldest_blob_file) {
  auto file = std::make_shared<FileMeta>();
  const std::string key = "key" + std::to_string(number);
  file->number = number;
  file->size_bytes = 1000;
  file->smallest = InternalKey(key, 5, kTypeBlobIndex);
  file->largest = InternalKey(key, 5, kTypeBlobIndex);
  file->smallest_sequence = file->largest_sequence = 5;
  file->epoch_number = number;
  file->oldest_blob_file = oldest_blob_file;
  return file;
}

BlobFileAddition Blob(uint64_t number) { return {number, 10, 1000, "", ""}; }

class BlobVersionsTest : public ::testing::Test {
 protected:
  // The version that `edit` makes of `base` (null: of nothing).
  Status Apply(const VersionEdit& edit, const VersionStorage* base,
               std::unique_ptr<VersionStorage>* result) {
    VersionBuilder builder(base);
    Status s = builder.Apply(edit);
    std::vector<std::vector<FileRef>> levels;
    if (s.ok()) s = builder.Finish(kLevels, &levels);
    if (!s.ok()) return s;
    BlobFileList blobs = builder.FinishBlobs(levels);
    auto storage = std::make_unique<VersionStorage>(&order_, kLevels);
    s = storage->Build(std::move(levels), true, std::move(blobs));
    if (s.ok()) *result = std::move(storage);
    return s;
  }
  // Tables 1..n at level 1, each linked to the blob file of its number + 10.
  std::unique_ptr<VersionStorage> Linked(uint64_t n) {
    VersionEdit edit;
    for (uint64_t i = 1; i <= n; ++i) {
      edit.AddFile(1, LinkedTable(i, 10 + i));
      edit.blob_additions.push_back(Blob(10 + i));
    }
    std::unique_ptr<VersionStorage> storage;
    const Status s = Apply(edit, nullptr, &storage);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return storage;
  }
  static std::vector<uint64_t> Numbers(const VersionStorage& storage) {
    std::vector<uint64_t> numbers;
    for (const BlobFileState& blob : storage.blobs()) {
      numbers.push_back(blob.number());
    }
    return numbers;
  }
  using List = std::vector<uint64_t>;

  static constexpr int kLevels = 3;
  const InternalKeyComparator order_{BytewiseComparator()};
};

// A table that was deleted as a whole leaves a blob file without garbage.
TEST_F(BlobVersionsTest, WhatWasDroppedDoesNotComeBackWithAnOlderNumber) {
  VersionEdit first;
  first.AddFile(0, LinkedTable(20, 10));
  first.blob_additions.push_back(Blob(10));
  VersionEdit deleted;
  deleted.DeleteFile(0, 20);
  // The number was taken before those of the first one, and used later.
  VersionEdit late;
  late.AddFile(0, LinkedTable(9, 8));
  late.blob_additions.push_back(Blob(8));
  std::unique_ptr<VersionStorage> version;
  std::unique_ptr<VersionStorage> next;
  ASSERT_TRUE(Apply(first, nullptr, &version).ok());
  ASSERT_TRUE(Apply(deleted, version.get(), &next).ok());
  EXPECT_EQ(Numbers(*next), (List{}));
  ASSERT_TRUE(Apply(late, next.get(), &version).ok());
  EXPECT_EQ(Numbers(*version), (List{8}));
  // All edits in one go, as a replay has them: from nothing, and from a
  // version.
  VersionEdit other;
  other.AddFile(1, LinkedTable(5, 4));
  other.blob_additions.push_back(Blob(4));
  std::unique_ptr<VersionStorage> base;
  ASSERT_TRUE(Apply(other, nullptr, &base).ok());
  VersionEdit without;
  without.DeleteFile(1, 5);
  for (const VersionStorage* from :
       {static_cast<VersionStorage*>(nullptr), base.get()}) {
    VersionBuilder builder(from);
    if (from != nullptr) {
      ASSERT_TRUE(builder.Apply(without).ok());
    }
    for (const VersionEdit* edit : {&first, &deleted, &late}) {
      ASSERT_TRUE(builder.Apply(*edit).ok());
    }
    std::vector<std::vector<FileRef>> levels;
    ASSERT_TRUE(builder.Finish(kLevels, &levels).ok());
    const BlobFileList blobs = builder.FinishBlobs(levels);
    ASSERT_EQ(blobs.size(), 1u);
    EXPECT_EQ(blobs[0].number(), 8u);
  }
}

TEST_F(BlobVersionsTest, FilesStayAsLongAsATableIsLinkedToThemOrToAnOlderOne) {
  auto first = Linked(3);
  EXPECT_EQ(Numbers(*first), (List{11, 12, 13}));
  EXPECT_EQ(first->BlobBytes(), 3 * (1000 + 62u));
  std::unique_ptr<VersionStorage> second;
  VersionEdit middle;
  middle.DeleteFile(1, 2);
  ASSERT_TRUE(Apply(middle, first.get(), &second).ok());
  // LinkedTable 1 may refer to 12, though it is linked to 11.
  EXPECT_EQ(Numbers(*second), (List{11, 12, 13}));
  EXPECT_EQ(second->FindBlob(12)->linked_table_count, 0u);
  std::unique_ptr<VersionStorage> third;
  VersionEdit oldest;
  oldest.DeleteFile(1, 1);
  ASSERT_TRUE(Apply(oldest, second.get(), &third).ok());
  EXPECT_EQ(Numbers(*third), (List{13}));
  EXPECT_EQ(third->FindBlob(11), nullptr);
  std::unique_ptr<VersionStorage> none;
  VersionEdit last;
  last.DeleteFile(1, 3);
  ASSERT_TRUE(Apply(last, third.get(), &none).ok());
  EXPECT_TRUE(none->blobs().empty());
}

TEST_F(BlobVersionsTest, GarbageAddsUpAndAFileThatIsAllGarbageGoes) {
  auto first = Linked(3);
  std::unique_ptr<VersionStorage> second;
  VersionEdit some;
  some.blob_garbage.push_back({12, 4, 400});
  some.DeleteFile(1, 2);
  ASSERT_TRUE(Apply(some, first.get(), &second).ok());
  EXPECT_EQ(second->FindBlob(12)->garbage_count, 4u);
  EXPECT_EQ(second->BlobGarbageBytes(), 400u);
  EXPECT_EQ(first->BlobGarbageBytes(), 0u);
  std::unique_ptr<VersionStorage> third;
  VersionEdit rest;
  rest.blob_garbage.push_back({12, 6, 600});
  ASSERT_TRUE(Apply(rest, second.get(), &third).ok());
  EXPECT_EQ(Numbers(*third), (List{11, 13}));
}

TEST_F(BlobVersionsTest, EditsThatDoNotFitAreCorruption) {
  auto base = Linked(2);
  const auto answer = [&](const VersionEdit& edit) {
    std::unique_ptr<VersionStorage> result;
    return Apply(edit, base.get(), &result);
  };
  VersionEdit again;
  again.blob_additions.push_back(Blob(11));
  EXPECT_TRUE(answer(again).IsCorruption());
  VersionEdit unknown;
  unknown.blob_garbage.push_back({77, 1, 1});
  EXPECT_TRUE(answer(unknown).IsCorruption());
  VersionEdit too_many;
  too_many.blob_garbage.push_back({11, 11, 100});
  EXPECT_TRUE(answer(too_many).IsCorruption());
  VersionEdit too_large;
  too_large.blob_garbage.push_back({11, 1, 1001});
  EXPECT_TRUE(answer(too_large).IsCorruption());
  VersionEdit in_pieces;
  in_pieces.blob_garbage.push_back({11, 6, 600});
  in_pieces.blob_garbage.push_back({11, 6, 100});
  EXPECT_TRUE(answer(in_pieces).IsCorruption());
  // A table without its blob file, or with one that is all garbage.
  VersionEdit lost;
  lost.AddFile(1, LinkedTable(9, 99));
  EXPECT_TRUE(answer(lost).IsCorruption());
  VersionEdit all;
  all.blob_garbage.push_back({11, 10, 1000});
  EXPECT_TRUE(answer(all).IsCorruption());
}

TEST_F(BlobVersionsTest, TheCutoffIsACountOfFiles) {
  auto base = Linked(4);
  EXPECT_EQ(base->BlobCutoff(0), 0u);
  EXPECT_EQ(base->BlobCutoff(0.24), 0u);
  EXPECT_EQ(base->BlobCutoff(0.25), 12u);
  EXPECT_EQ(base->BlobCutoff(0.74), 13u);
  EXPECT_EQ(base->BlobCutoff(1), UINT64_MAX);
}

TEST_F(BlobVersionsTest, TheOldestFilesAreForcedOutWithTheirGarbage) {
  // 11 is linked, 12 is not, 13 and 14 are.
  auto all = Linked(4);
  std::unique_ptr<VersionStorage> base;
  VersionEdit edit;
  edit.DeleteFile(1, 2);
  edit.blob_garbage.push_back({11, 4, 400});
  edit.blob_garbage.push_back({12, 8, 800});
  edit.blob_garbage.push_back({13, 9, 900});
  ASSERT_TRUE(Apply(edit, all.get(), &base).ok());
  ColumnFamilyOptions options;
  options.num_levels = kLevels;
  options.enable_blob_garbage_collection = true;
  const ImmutableCFOptions fixed(options);
  struct Case {
    double cutoff, threshold;
    uint64_t forced;
  };
  for (const Case& c : {Case{0.5, 0.59, 11},  // 1200 of 2000
                        Case{0.5, 0.60, 0},   // not more than that
                        Case{0.25, 0.1, 0},   // 12 would stay
                        Case{1, 0.1, 11},     // still only these two
                        Case{0, 0, 0}, Case{1, 1, 0}}) {
    options.blob_garbage_collection_age_cutoff = c.cutoff;
    options.blob_garbage_collection_force_threshold = c.threshold;
    base->ComputeScores(fixed, MutableCFOptions(options), 0);
    EXPECT_EQ(base->forced_blob_file(), c.forced)
        << c.cutoff << ", " << c.threshold;
    std::vector<uint64_t> rewritten;
    for (const auto& entry : base->FilesToRewrite()) {
      rewritten.push_back(entry.second->number);
    }
    EXPECT_EQ(rewritten, c.forced == 0 ? List{} : List{1});
  }
  options.enable_blob_garbage_collection = false;
  options.blob_garbage_collection_force_threshold = 0.1;
  base->ComputeScores(fixed, MutableCFOptions(options), 0);
  EXPECT_EQ(base->forced_blob_file(), 0u);
}

// Reports itself when the last version that lists it goes, and not before.
TEST_F(BlobVersionsTest, AFileTellsWhenItGoes) {
  struct Sink : BlobFileSink {
    void OnBlobUnreferenced(const std::string& path, uint64_t number,
                            uint64_t size_bytes) override {
      gone.push_back(path + " " + std::to_string(number) + " " +
                     std::to_string(size_bytes));
    }
    std::vector<std::string> gone;
  };
  const auto sink = std::make_shared<Sink>();
  auto first = Linked(1);
  BlobFile* file = first->blobs()[0].file.get();
  file->path = "/db/000011.blob";
  file->sink = sink;
  std::unique_ptr<VersionStorage> second;
  VersionEdit edit;
  edit.DeleteFile(1, 1);
  ASSERT_TRUE(Apply(edit, first.get(), &second).ok());
  EXPECT_TRUE(sink->gone.empty());
  first.reset();
  EXPECT_EQ(sink->gone, std::vector<std::string>{"/db/000011.blob 11 1062"});
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
