// Tables that no damage explains: filters of kinds that are not known here,
// properties that are missing, partitions that lead back to their index, an
// index in the place of a filter.

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/info_log.h"
#include "table/format.h"
#include "table/index_block.h"
#include "table/index_encoder.h"
#include "table/metaindex.h"
#include "tests/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Lines final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list args) override {
    char line[512];
    vsnprintf(line, sizeof(line), format, args);
    lines_.emplace_back(line);
  }
  const std::vector<std::string>& all() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// Without checksums, so that bytes may be others.
class OddTableTest : public testing::Test {
 protected:
  OddTableTest() {
    f_.table.checksum = kNoChecksum;
    f_.table.format_version = 5;
    f_.table.block_size = 256;
    f_.table.no_block_cache = true;
    f_.table.filter_policy.reset(NewBloomFilterPolicy(10));
    f_.db.info_log = lines_;
  }

  static Footer FooterOf(const std::string& bytes) {
    Footer footer;
    const Slice end(bytes.data() + bytes.size() - Footer::kBytes,
                    Footer::kBytes);
    EXPECT_TRUE(footer.DecodeFrom(end, bytes.size(), "odd").ok());
    return footer;
  }
  static Slice At(const std::string& bytes, const BlockHandle& handle) {
    return Slice(bytes.data() + handle.offset, handle.size);
  }
  static BlockHandle BlockNamed(const std::string& bytes,
                                const std::string& name) {
    Metaindex metaindex;
    EXPECT_EQ(metaindex.Decode(At(bytes, FooterOf(bytes).metaindex)), nullptr);
    const BlockHandle* handle = metaindex.Find(name);
    EXPECT_NE(handle, nullptr) << name;
    return handle != nullptr ? *handle : BlockHandle();
  }
  static void Rename(std::string* bytes, const std::string& from,
                     const std::string& to) {
    ASSERT_EQ(from.size(), to.size());
    const size_t at = bytes->rfind(from);
    ASSERT_NE(at, std::string::npos);
    bytes->replace(at, from.size(), to);
  }
  void ExpectAllThere(const std::string& bytes) {
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(f_.Open(bytes, &reader).ok());
    for (const TableEntry& e : entries_) {
      EXPECT_EQ(f_.Get(*reader, e.user_key, e.sequence), "=" + e.value);
    }
    EXPECT_EQ(f_.Get(*reader, "another"), "none");
  }

  const std::vector<TableEntry> entries_ = NumberedEntries(60);
  const std::shared_ptr<Lines> lines_ = std::make_shared<Lines>();
  TableFixture f_;
};

constexpr char kBloom[] = "fullfilter.rocksdb.BuiltinBloomFilter";
constexpr char kPartitionedBloom[] =
    "partitionedfilter.rocksdb.BuiltinBloomFilter";

TEST_F(OddTableTest, AFilterOfAnotherNameIsToldAndNotUsed) {
  std::string bytes = f_.Build(entries_);
  ASSERT_NO_FATAL_FAILURE(ExpectAllThere(bytes));
  EXPECT_TRUE(lines_->all().empty()) << lines_->all()[0];
  ASSERT_NO_FATAL_FAILURE(
      Rename(&bytes, kBloom, "fullfilter.rocksdb.BuiltinCloudFilter"));
  ASSERT_NO_FATAL_FAILURE(ExpectAllThere(bytes));
  ASSERT_EQ(lines_->all().size(), 1u);
  const std::string& line = lines_->all()[0];
  EXPECT_NE(line.find("000007.sst"), std::string::npos) << line;
  EXPECT_NE(line.find("BuiltinCloudFilter"), std::string::npos) << line;
}

TEST_F(OddTableTest, AFilterOfUnknownKindIsToldAndNotUsed) {
  std::string bytes = f_.Build(entries_);
  const BlockHandle filter = BlockNamed(bytes, kBloom);
  for (const char kind : {'\x80', '\xfd', '\0'}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const size_t before = lines_->all().size();
    bytes[filter.offset + filter.size - 5] = kind;
    ASSERT_NO_FATAL_FAILURE(ExpectAllThere(bytes));
    ASSERT_EQ(lines_->all().size(), before + 1);
    const std::string& line = lines_->all().back();
    EXPECT_NE(line.find("000007.sst"), std::string::npos) << line;
    EXPECT_NE(line.find(std::to_string(filter.offset)), std::string::npos);
  }
}

// Of all partitions once.
TEST_F(OddTableTest, PartitionedFiltersOfUnknownKind) {
  f_.table.partition_filters = true;
  f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  f_.table.metadata_block_size = 128;
  std::string bytes = f_.Build(entries_);
  const BlockHandle top = BlockNamed(bytes, kPartitionedBloom);
  // The partitions lie in front of what leads to them.
  for (size_t at = 0; at + 5 < top.offset; ++at) {
    if (bytes[at] == '\xff' && bytes[at + 1] == '\0') bytes[at] = '\xfd';
  }
  ASSERT_NO_FATAL_FAILURE(ExpectAllThere(bytes));
  ASSERT_EQ(lines_->all().size(), 1u);
}

TEST_F(OddTableTest, MissingPropertiesAreCorruption) {
  std::string bytes = f_.Build(entries_);
  ASSERT_NO_FATAL_FAILURE(
      Rename(&bytes, "rocksdb.properties", "rocksdb.propertiez"));
  std::unique_ptr<TableReader> reader;
  const Status s = f_.Open(bytes, &reader);
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("000007.sst"), std::string::npos);
  EXPECT_NE(s.ToString().find("propert"), std::string::npos) << s.ToString();
}

// Every partition that can be is the index itself.
TEST_F(OddTableTest, PartitionsThatAreTheirOwnIndexAreCorruption) {
  f_.table.format_version = 2;  // Handles stand in full.
  f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  f_.table.metadata_block_size = 256;
  f_.table.block_size = 128;
  const std::vector<TableEntry> entries = NumberedEntries(400);
  std::string bytes = f_.Build(entries);
  const BlockHandle top = FooterOf(bytes).index;
  IndexBlock index((IndexEncoding()));
  ASSERT_EQ(index.Append(At(bytes, top)), nullptr);
  ASSERT_GT(index.size(), 2u);
  std::string self;
  top.EncodeTo(&self);
  size_t led_back = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    std::string partition;
    index.handle(i).EncodeTo(&partition);
    const size_t at = bytes.find(partition, top.offset);
    if (at == std::string::npos || partition.size() != self.size()) continue;
    ASSERT_LT(at, top.offset + top.size);
    bytes.replace(at, self.size(), self);
    ++led_back;
  }
  ASSERT_GT(led_back, 0u);
  std::unique_ptr<TableReader> reader;
  Status s = f_.Open(bytes, &reader);
  if (s.ok()) {
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    size_t steps = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_LE(++steps, entries.size());
    }
    s = it->status();
  }
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("000007.sst"), std::string::npos);
}

// Tables with new top levels of index and filter. The parameter is the version:
// 2 has internal keys and whole handles, 5 user keys and differences.
class CrossedTableTest : public OddTableTest,
                         public testing::WithParamInterface<uint32_t> {
 protected:
  CrossedTableTest() {
    encoding_.has_user_keys = GetParam() >= 3;
    encoding_.has_delta_values = GetParam() >= 4;
    f_.table.format_version = GetParam();
    f_.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
    f_.table.partition_filters = true;
    f_.table.metadata_block_size = 128;
    bytes_ = f_.Build(entries_);
    footer_ = FooterOf(bytes_);
    filter_ = BlockNamed(bytes_, kPartitionedBloom);
    EXPECT_EQ(metaindex_.Decode(At(bytes_, footer_.metaindex)), nullptr);
  }

  IndexBlock IndexAt(const BlockHandle& handle) const {
    IndexBlock index(encoding_);
    EXPECT_EQ(index.Append(At(bytes_, handle)), nullptr);
    EXPECT_GT(index.size(), 1u);
    return index;
  }
  // The keys of the block at `keys`, the i-th with handles[i].
  std::string TopLevel(const BlockHandle& keys,
                       const std::vector<BlockHandle>& handles) const {
    const IndexBlock index = IndexAt(keys);
    IndexEncoder encoder(1, encoding_.has_delta_values);
    for (size_t i = 0; i < index.size(); ++i) {
      encoder.Add({index.key(i), handles[i % handles.size()]});
    }
    return encoder.Finish().ToString();
  }
  std::vector<BlockHandle> PartitionsOf(const BlockHandle& top) const {
    const IndexBlock index = IndexAt(top);
    std::vector<BlockHandle> handles;
    for (size_t i = 0; i < index.size(); ++i)
      handles.push_back(index.handle(i));
    return handles;
  }
  BlockHandle Append(const std::string& payload) {
    const BlockHandle handle{bytes_.size(), payload.size()};
    bytes_ += payload + std::string(kBlockTrailerBytes, '\0');
    return handle;
  }
  // Appends a top level with the keys of the one at `keys`, whose partitions
  // all are that top level.
  BlockHandle AppendLoop(const BlockHandle& keys) {
    BlockHandle self{bytes_.size(), 0};
    std::string payload;
    do {
      self.size = payload.size();
      payload = TopLevel(keys, {self});
    } while (payload.size() != self.size);
    return Append(payload);
  }
  // The file ends with these top levels.
  void End(const BlockHandle& index, const BlockHandle& filter) {
    std::map<std::string, BlockHandle> blocks = metaindex_.blocks();
    blocks[kPartitionedBloom] = filter;
    footer_.index = index;
    footer_.metaindex = Append(Metaindex::Encode(blocks));
    footer_.EncodeTo(bytes_.size(), &bytes_);
  }
  // Opening finds it, or each read.
  void ExpectCorruption() {
    std::unique_ptr<TableReader> reader;
    Status s = f_.Open(bytes_, &reader);
    if (s.ok()) {
      for (const TableEntry& e : entries_) {
        const std::string found = f_.Get(*reader, e.user_key, e.sequence);
        EXPECT_NE(found.find("Corruption"), std::string::npos) << found;
      }
      const ReadOptions read;
      const auto it = reader->NewIterator({.read_options = &read});
      it->SeekToFirst();
      EXPECT_FALSE(it->Valid());
      s = it->status();
    }
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(s.ToString().find("000007.sst"), std::string::npos);
  }
  // Both with partitions that are held and with those that are looked for.
  void ForHeldAndCached(const std::function<void()>& check) {
    check();
    f_.table.no_block_cache = false;
    f_.table.cache_index_and_filter_blocks = true;
    f_.table.block_cache = NewLRUCache(1 << 20);
    check();
  }

  IndexEncoding encoding_;
  std::string bytes_;
  Footer footer_;
  Metaindex metaindex_;
  BlockHandle filter_;
};

TEST_P(CrossedTableTest, AreGoodWhenNothingIsCrossed) {
  const BlockHandle index =
      Append(TopLevel(footer_.index, PartitionsOf(footer_.index)));
  const BlockHandle filter = Append(TopLevel(filter_, PartitionsOf(filter_)));
  End(index, filter);
  ForHeldAndCached([this] { ExpectAllThere(bytes_); });
}

TEST_P(CrossedTableTest, AFilterThatIsItsOwnPartitionIsCorruption) {
  End(footer_.index, AppendLoop(filter_));
  ForHeldAndCached([this] { ExpectCorruption(); });
}

// An index is no filter that says no.
TEST_P(CrossedTableTest, AFilterOfIndexPartitionsIsNotUsed) {
  End(footer_.index, Append(TopLevel(filter_, PartitionsOf(footer_.index))));
  ForHeldAndCached([this] { ExpectAllThere(bytes_); });
}

TEST_P(CrossedTableTest, AFilterWhoseTopIsTheIndexIsNotUsed) {
  End(footer_.index, footer_.index);
  ForHeldAndCached([this] { ExpectAllThere(bytes_); });
}

TEST_P(CrossedTableTest, AnIndexThatIsItsOwnPartitionIsCorruption) {
  End(AppendLoop(footer_.index), filter_);
  ForHeldAndCached([this] { ExpectCorruption(); });
}

TEST_P(CrossedTableTest, AnIndexOfFilterPartitionsIsCorruption) {
  End(Append(TopLevel(footer_.index, PartitionsOf(filter_))), filter_);
  ForHeldAndCached([this] { ExpectCorruption(); });
}

// Each is the other's top level.
TEST_P(CrossedTableTest, IndexAndFilterCrossedAreCorruption) {
  End(filter_, footer_.index);
  ForHeldAndCached([this] { ExpectCorruption(); });
}

// What is read may be nonsense, but reading it comes to an end.
TEST_P(CrossedTableTest, AnIndexPartitionWhoseDataBlocksAreItself) {
  const BlockHandle part = AppendLoop(footer_.index);
  End(Append(TopLevel(footer_.index, {part})), filter_);
  ForHeldAndCached([this] {
    std::unique_ptr<TableReader> reader;
    if (!f_.Open(bytes_, &reader).ok()) return;
    for (const TableEntry& e : entries_) f_.Get(*reader, e.user_key);
    const ReadOptions read;
    const auto it = reader->NewIterator({.read_options = &read});
    size_t steps = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      ASSERT_LE(++steps, bytes_.size());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Versions, CrossedTableTest, testing::Values(2, 5));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
