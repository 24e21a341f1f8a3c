// Blob files in the version state: which stay, what is garbage, which are
// forced out. The cases are those of tests/testdata/versions/blobs.txt, in the
// language of version_script.h.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/version/version_storage.h"
#include "tests/db/version/version_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::unique_ptr<VersionStorage> VersionAfter(const std::string& edit,
                                             const VersionStorage* from) {
  std::unique_ptr<VersionStorage> result;
  const Status s = ApplyEdits(from, {ParseEdit(edit)}, 3, &result);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return result;
}

// Reports itself when the last version that lists it goes, and not before.
TEST(BlobVersionsTest, AFileTellsWhenItGoes) {
  struct Sink : BlobFileSink {
    void OnBlobUnreferenced(const std::string& path, uint64_t number,
                            uint64_t size_bytes) override {
      gone.push_back(path + " " + std::to_string(number) + " " +
                     std::to_string(size_bytes));
    }
    std::vector<std::string> gone;
  };
  const auto sink = std::make_shared<Sink>();
  auto first = VersionAfter("+1:1:[a-a]b11 blob:11=10/1000", nullptr);
  BlobFile* file = first->blobs()[0].file.get();
  file->path = "/db/000011.blob";
  file->sink = sink;
  const auto second = VersionAfter("-1:1", first.get());
  EXPECT_TRUE(sink->gone.empty());
  first.reset();
  EXPECT_EQ(sink->gone, std::vector<std::string>{"/db/000011.blob 11 1062"});
}

TEST(BlobVersionsTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("versions/blobs.txt", RunVersionCase), 27u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
