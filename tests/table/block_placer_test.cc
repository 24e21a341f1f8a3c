// Blocks of a table file are placed, aligned and padded as the options say, and
// the metaindex names them all.
#include "table/block_placer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "file/writable_file_writer.h"
#include "rocksdb/table.h"
#include "table/metaindex.h"
#include "tests/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class BlockPlacerTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kTrailer = kBlockTrailerBytes;

  void Begin(size_t limit = SIZE_MAX) {
    writer_ = std::make_unique<WritableFileWriter>(
        std::make_unique<StringWriteFile>(&bytes_, limit), "file",
        FileOptions());
    Footer footer;
    footer.base_context_checksum = 7;
    placer_ = std::make_unique<BlockPlacer>(
        BlockPlacer::Context{.table = &table_, .file = writer_.get()}, footer);
  }
  // Where a data block of that size, its trailer included, is put.
  uint64_t Place(uint64_t bytes) {
    BlockHandle handle;
    const std::string payload(bytes - kTrailer, 'd');
    const Status s = placer_->WriteData({payload, kNoCompression}, &handle);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(handle.size, payload.size());
    return handle.offset;
  }

  BlockBasedTableOptions table_;
  std::string bytes_;
  std::unique_ptr<WritableFileWriter> writer_;
  std::unique_ptr<BlockPlacer> placer_;
};

TEST_F(BlockPlacerTest, OneBehindTheOther) {
  Begin();
  EXPECT_EQ(Place(100), 0u);
  EXPECT_EQ(Place(50), 100u);
  EXPECT_EQ(placer_->offset(), 150u);
}

TEST_F(BlockPlacerTest, AlignedBlocksBeginAtTheirSize) {
  table_.block_align = true;
  table_.block_size = 256;
  Begin();
  EXPECT_EQ(Place(100), 0u);
  EXPECT_EQ(Place(256), 256u);
  EXPECT_EQ(Place(257), 512u);
  EXPECT_EQ(placer_->offset(), 1024u);
}

// A quarter of 1024 may be wasted.
TEST_F(BlockPlacerTest, SuperBlocksAreNotCrossedIfThatWastesLittle) {
  table_.super_block_alignment_size = 1024;
  table_.super_block_alignment_space_overhead_ratio = 4;
  Begin();
  EXPECT_EQ(Place(768), 0u);
  EXPECT_EQ(Place(300), 1024u) << "256 bytes are left out";
  EXPECT_EQ(Place(400), 1324u);
  EXPECT_EQ(Place(600), 1724u) << "324 are too many";
  EXPECT_EQ(Place(2000), 2324u) << "it would cross one anywhere";
}

TEST_F(BlockPlacerTest, OnlyDataBlocksAreAligned) {
  table_.block_align = true;
  table_.block_size = 256;
  Begin();
  BlockHandle handle;
  ASSERT_TRUE(placer_->Write({"abc", kNoCompression}, &handle).ok());
  ASSERT_TRUE(placer_->WriteBlob("value", &handle).ok());
  EXPECT_EQ(handle.offset, 3 + kTrailer);
  EXPECT_EQ(placer_->offset(), 8 + 2 * kTrailer);
}

TEST_F(BlockPlacerTest, TheMetaindexHasAllNames) {
  Begin();
  BlockHandle handle;
  ASSERT_TRUE(placer_->Write({"index", kNoCompression}, &handle).ok());
  placer_->Name("some index", handle);
  const uint64_t at = placer_->offset();
  ASSERT_TRUE(placer_->WriteNamed(kPropertiesBlock, "properties").ok());
  const uint64_t begin = placer_->offset();
  ASSERT_TRUE(placer_->Finish(BlockHandle()).ok());
  ASSERT_TRUE(writer_->Close().ok());
  EXPECT_EQ(bytes_.size(), placer_->offset());
  Footer footer;
  const Slice tail(bytes_.data() + bytes_.size() - Footer::kBytes,
                   Footer::kBytes);
  ASSERT_TRUE(footer.DecodeFrom(tail, bytes_.size(), "file").ok());
  const BlockHandle found = footer.metaindex;
  EXPECT_EQ(found.offset, begin);
  Metaindex metaindex;
  ASSERT_EQ(metaindex.Decode(Slice(bytes_.data() + begin, found.size)),
            nullptr);
  ASSERT_NE(metaindex.Find("some index"), nullptr);
  EXPECT_EQ(metaindex.Find("some index")->offset, 0u);
  ASSERT_NE(metaindex.Find(kPropertiesBlock), nullptr);
  EXPECT_EQ(metaindex.Find(kPropertiesBlock)->offset, at);
}

TEST_F(BlockPlacerTest, ErrorsStick) {
  Begin(/*limit=*/10);
  BlockHandle handle;
  const std::string large(1 << 20, 'x');
  EXPECT_FALSE(placer_->Write({large, kNoCompression}, &handle).ok());
  EXPECT_FALSE(placer_->WriteData({"a", kNoCompression}, &handle).ok());
  EXPECT_FALSE(placer_->WriteNamed(kPropertiesBlock, "a").ok());
  EXPECT_FALSE(placer_->Finish(handle).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
