// Wide columns are stored and read back, with references to blobs too, and
// damaged bytes do no harm.
#include "rocksdb/wide_columns.h"

#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "util/coding.h"
#include "util/random.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const WideColumns& Example() {
  static const WideColumns columns = {{"", "plain"}, {"a", ""}, {"bc", "xyz"}};
  return columns;
}

std::string Encoded() {
  std::string s;
  EXPECT_TRUE(EncodeWideColumns(Example(), &s).ok());
  return s;
}

// The same columns in version 2.
std::string Version2(uint8_t type_of_last) {
  std::string s;
  for (const uint32_t n : {2u, 3u, 3u, 3u, 3u}) PutVarint32(&s, n);
  s += "\x01\x01";
  s.push_back(static_cast<char>(type_of_last));
  for (const uint32_t n : {0u, 1u, 2u, 5u, 0u, 3u}) PutVarint32(&s, n);
  return s + "abc" + "plainxyz";
}

TEST(WideColumnsTest, RoundTrip) {
  const std::string s = Encoded();
  EXPECT_EQ("0103000501610002626303706C61696E78797A", Slice(s).ToString(true));
  WideColumns columns;
  ASSERT_TRUE(DecodeWideColumns(s, &columns).ok());
  EXPECT_EQ(Example(), columns);
  Slice value;
  ASSERT_TRUE(DefaultColumnOf(s, &value).ok());
  EXPECT_EQ("plain", value.ToString());
}

TEST(WideColumnsTest, Version2) {
  WideColumns columns;
  const std::string good = Version2(0x01);
  ASSERT_TRUE(DecodeWideColumns(good, &columns).ok());
  EXPECT_EQ(Example(), columns);
  EXPECT_TRUE(DecodeWideColumns(Version2(0x11), &columns).IsNotSupported());
  EXPECT_TRUE(DecodeWideColumns(Version2(0x02), &columns).IsCorruption());
}

// With references to blobs, which are for those who store entities.
TEST(WideColumnsTest, StoredColumnsRoundTrip) {
  for (const uint8_t type : {uint8_t{0x01}, uint8_t{0x11}}) {
    const std::string bytes = Version2(type);
    EXPECT_EQ(RefersToBlobs(bytes), type == 0x11);
    StoredColumns stored;
    ASSERT_TRUE(DecodeStoredColumns(bytes, &stored).ok());
    EXPECT_EQ(stored.columns, Example());
    EXPECT_EQ(stored.is_reference,
              std::vector<bool>({false, false, type == 0x11}));
    std::string again;
    ASSERT_TRUE(EncodeStoredColumns(stored, &again).ok());
    EXPECT_EQ(again, type == 0x11 ? bytes : Encoded());
  }
  const std::string plain = Encoded();
  EXPECT_FALSE(RefersToBlobs(plain));
  StoredColumns stored;
  ASSERT_TRUE(DecodeStoredColumns(plain, &stored).ok());
  EXPECT_EQ(stored.is_reference, std::vector<bool>(3, false));
  std::swap(stored.columns[0], stored.columns[1]);
  stored.is_reference[2] = true;
  std::string none;
  EXPECT_TRUE(EncodeStoredColumns(stored, &none).IsCorruption());
  for (const char* bad : {"", "\x02", "\x02\x01\x01\x01\x01", "\x82"}) {
    EXPECT_FALSE(RefersToBlobs(bad));
    EXPECT_TRUE(DecodeStoredColumns(bad, &stored).IsCorruption());
  }
}

TEST(WideColumnsTest, BadOrderIsRefused) {
  std::string s;
  EXPECT_TRUE(EncodeWideColumns({{"b", "1"}, {"a", "2"}}, &s).IsCorruption());
  EXPECT_TRUE(EncodeWideColumns({{"a", "1"}, {"a", "2"}}, &s).IsCorruption());
}

TEST(WideColumnsTest, DamagedBytesAreCorruptionOrOtherColumns) {
  for (const std::string& good : {Encoded(), Version2(0x01), Version2(0x11)}) {
    WideColumns columns;
    for (size_t n = 0; n < good.size(); ++n) {
      EXPECT_TRUE(
          DecodeWideColumns(Slice(good.data(), n), &columns).IsCorruption());
    }
    EXPECT_TRUE(DecodeWideColumns(good + "x", &columns).IsCorruption());
    Random64 random(3);
    for (int i = 0; i < 5000; ++i) {
      std::string bad = good;
      bad[random.Uniform(bad.size())] = static_cast<char>(random.Next());
      const std::vector<char> exact(bad.begin(), bad.end());
      const Status s =
          DecodeWideColumns(Slice(exact.data(), exact.size()), &columns);
      EXPECT_TRUE(s.ok() || s.IsCorruption() || s.IsNotSupported());
    }
  }
  WideColumns columns;
  std::string huge("\x01");
  PutVarint32(&huge, UINT32_MAX);
  EXPECT_TRUE(DecodeWideColumns(huge, &columns).IsCorruption());
  EXPECT_TRUE(DecodeWideColumns("\x03", &columns).IsCorruption());
}

TEST(PinnableWideColumnsTest, HoldsPlainValuesAndEntities) {
  PinnableWideColumns p;
  p.SetPlainValue(Slice("v"));
  EXPECT_EQ(WideColumns({{"", "v"}}), p.columns());
  ASSERT_TRUE(p.SetWideColumnValue(Encoded()).ok());
  EXPECT_EQ(Example(), p.columns());
  EXPECT_EQ(Encoded().size(), p.serialized_size());
  const PinnableWideColumns copy = p;
  PinnableWideColumns moved = std::move(p);
  EXPECT_EQ(Example(), copy.columns());
  EXPECT_EQ(Example(), moved.columns());
  EXPECT_EQ(copy, moved);
  moved.Reset();
  EXPECT_TRUE(moved.columns().empty());
  EXPECT_TRUE(moved.SetWideColumnValue(Slice("rubbish")).IsCorruption());
  EXPECT_TRUE(moved.columns().empty());
  moved.SetPlainValue(std::string("short"));
  p = std::move(moved);
  EXPECT_EQ(WideColumns({{"", "short"}}), p.columns());
}

TEST(PinnableWideColumnsTest, Pins) {
  int count = 0;
  const std::string bytes = Encoded();
  {
    Cleanable source;
    source.RegisterCleanup([](void* n, void*) { ++*static_cast<int*>(n); },
                           &count, nullptr);
    PinnableWideColumns p;
    ASSERT_TRUE(p.SetWideColumnValue(bytes, &source).ok());
    const PinnableWideColumns moved = std::move(p);
    EXPECT_EQ(bytes.data() + bytes.size(),
              moved.columns().back().value().data() + 3);
    EXPECT_EQ(0, count);
  }
  EXPECT_EQ(1, count);
}

TEST(WideColumnsTest, Prints) {
  std::ostringstream out;
  out << WideColumn("a", "b");
  EXPECT_EQ("61:62", out.str());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
