// What is in the page cache is read from there and nothing else is brought in.
#include "env/resident_pages.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/testing/page_cache.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kResidentPage = MappedFile::kPage;
constexpr size_t kResidentPages = 64;

class ResidentPagesTest : public ::testing::Test {
 protected:
  ResidentPagesTest() : directory_("resident_pages") {
    for (size_t i = 0; i < kResidentPages * kResidentPage + 100; ++i) {
      content_.push_back(static_cast<char>(i * 31 + i / 251));
    }
    std::ofstream(path_) << content_;
  }
  std::unique_ptr<FSRandomAccessFile> Open(bool is_direct) {
    FileOptions options;
    options.use_direct_reads = is_direct;
    std::unique_ptr<FSRandomAccessFile> file;
    const IOStatus s = FileSystem::Default()->NewRandomAccessFile(
        path_, options, &file, nullptr);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return file;
  }
  // What is there of the range, or nothing.
  static std::string Take(FSRandomAccessFile* file, uint64_t offset, size_t n) {
    const auto* pages = dynamic_cast<ResidentPages*>(file);
    EXPECT_NE(pages, nullptr);
    std::string bytes(n, '?');
    return pages->ReadResident(offset, n, bytes.data()) ? bytes : "";
  }

  TempDir directory_;
  const std::string path_ = directory_.File("file");
  std::string content_;
};

TEST_F(ResidentPagesTest, WhatIsThereIsReadAndNothingIsBroughtIn) {
  SKIP_WITHOUT_PAGE_CACHE(directory_);
  const auto file = Open(false);
  const MappedFile mapped(path_);
  if (!HasCacheStat()) {
    EXPECT_EQ(Take(file.get(), 0, kResidentPage), "") << "nobody can tell";
    return;
  }
  EXPECT_EQ(Take(file.get(), 0, content_.size()), content_) << "just written";
  EXPECT_EQ(Take(file.get(), 4321, 98765), content_.substr(4321, 98765));

  mapped.DropPages();
  EXPECT_EQ(Take(file.get(), 0, kResidentPage), "");
  EXPECT_EQ(Take(file.get(), 0, content_.size()), "");
  EXPECT_EQ(mapped.ResidentPages(), 0u) << "no read-ahead was started";

  // The last page alone, then a range that it is not enough for.
  const Slice last(content_.data() + kResidentPages * kResidentPage, 100);
  std::string scratch(kResidentPage, '\0');
  file->Hint(FSRandomAccessFile::kRandom);
  Slice result;
  ASSERT_TRUE(file->Read(kResidentPages * kResidentPage, 100, IOOptions(),
                         &result, scratch.data(), nullptr)
                  .ok());
  EXPECT_EQ(Take(file.get(), kResidentPages * kResidentPage, 100),
            last.ToString());
  EXPECT_EQ(Take(file.get(), kResidentPages * kResidentPage - 1, 101), "");
  EXPECT_EQ(Take(file.get(), kResidentPages * kResidentPage, 101), "")
      << "the file ends before";
}

TEST_F(ResidentPagesTest, ADirectFileKnowsOfNone) {
  SKIP_WITHOUT_DIRECT_IO(directory_);
  EXPECT_EQ(Take(Open(true).get(), 0, kResidentPage), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
