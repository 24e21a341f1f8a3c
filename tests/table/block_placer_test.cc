// Where the blocks of a table file go.
//
// Runs tests/testdata/sst/block_placer.txt:
//
//   place [align:BYTES] [super:BYTES] [ratio:N] [limit:BYTES]    aligned
//   blocks;
//                 blocks that do not cross a super block if no more than a
//                 share of it is wasted; a file that takes no more bytes
//   data SIZE ..        where data blocks of so many bytes go
//   other SIZE ..       other blocks
//   value SIZE ..       values that blocks refer to
//   name NAME SIZE ..   other blocks that the metaindex is to name
//   size                of the file
//   finish              what the metaindex that is written says
//
// Sizes are without the five bytes behind each block.
#include "table/block_placer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "file/writable_file_writer.h"
#include "rocksdb/table.h"
#include "table/metaindex.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class PlacementScript {
 public:
  explicit PlacementScript(const ScriptCase& c) : body_(c.body) {
    const ScriptWords command(c.command);
    EXPECT_EQ(command.verb(), "place");
    table_.block_align = command.Has("align");
    table_.block_size = command.Number("align", 4096);
    table_.super_block_alignment_size =
        static_cast<uint32_t>(command.Number("super", 0));
    table_.super_block_alignment_space_overhead_ratio =
        static_cast<uint32_t>(command.Number("ratio", 0));
    file_ = std::make_unique<WritableFileWriter>(
        std::make_unique<StringWriteFile>(&bytes_,
                                          command.Number("limit", SIZE_MAX)),
        "file", FileOptions());
    Footer footer;
    footer.base_context_checksum = 7;
    placer_ = std::make_unique<BlockPlacer>(
        BlockPlacer::Context{.table = &table_, .file = file_.get()}, footer);
  }

  std::string Answers() {
    return AnswerEachLine(LinesOf(body_), [this](const ScriptWords& words) {
      if (words.verb() == "size") return std::to_string(placer_->offset());
      if (words.verb() == "finish") return Finish();
      if (words.verb() == "name") return Name(words);
      std::string text;
      for (const std::string& size : words.words()) {
        JoinItem(&text, Place(words.verb(), std::stoull(size)));
      }
      return text;
    });
  }

 private:
  std::string Place(const std::string& kind, size_t size) {
    const std::string payload(size, 'd');
    BlockHandle handle;
    Status s;
    if (kind == "data") {
      s = placer_->WriteData({payload, kNoCompression}, &handle);
    } else if (kind == "value") {
      s = placer_->WriteBlob(payload, &handle);
    } else {
      EXPECT_EQ(kind, "other");
      s = placer_->Write({payload, kNoCompression}, &handle);
    }
    if (!s.ok()) return s.ToString();
    EXPECT_EQ(handle.size, size);
    return std::to_string(handle.offset);
  }
  std::string Name(const ScriptWords& words) {
    const uint64_t before = placer_->offset();
    const Status s = placer_->WriteNamed(
        words.Word(0), std::string(std::stoull(words.Word(1)), 'n'));
    return s.ok() ? std::to_string(before) : s.ToString();
  }
  // Metaindex and footer, as a reader sees them.
  std::string Finish() {
    placer_->Name("named afterwards", {.offset = 1, .size = 2});
    const uint64_t begin = placer_->offset();
    Status s = placer_->Finish(BlockHandle());
    if (s.ok()) s = file_->Close();
    if (!s.ok()) return s.ToString();
    EXPECT_EQ(bytes_.size(), placer_->offset());
    Footer footer;
    const Slice tail(bytes_.data() + bytes_.size() - Footer::kBytes,
                     Footer::kBytes);
    s = footer.DecodeFrom(tail, bytes_.size(), "file");
    if (!s.ok()) return s.ToString();
    EXPECT_EQ(footer.metaindex.offset, begin);
    Metaindex metaindex;
    const char* problem =
        metaindex.Decode(Slice(bytes_.data() + begin, footer.metaindex.size));
    if (problem != nullptr) return problem;
    std::string text;
    for (const auto& [name, handle] : metaindex.blocks()) {
      EXPECT_EQ(*metaindex.Find(name), handle);
      JoinItem(&text, name + " " + handle.ToString(), ", ");
    }
    EXPECT_EQ(metaindex.Find("no such block"), nullptr);
    return text;
  }

  const std::string body_;
  BlockBasedTableOptions table_;
  std::string bytes_;
  std::unique_ptr<WritableFileWriter> file_;
  std::unique_ptr<BlockPlacer> placer_;
};

TEST(BlockPlacerTest, EveryCaseOfTheScript) {
  const size_t count = RunScript(
      "sst/block_placer.txt",
      [](const ScriptCase& c) { return PlacementScript(c).Answers(); });
  EXPECT_GE(count, 14u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
