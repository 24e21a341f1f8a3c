// What messages say of internal keys.
#include <gtest/gtest.h>

#include <string>

#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(InternalKeyTextTest, OnlyWhatIsAllowedIsShown) {
  const InternalKey key("key", 7, kTypeMerge);
  EXPECT_EQ(InternalKeyText(key.Encode(), KeyTextOf(false)),
            "<redacted> seq:7, type:2");
  EXPECT_EQ(InternalKeyText(key.Encode(), KeyTextOf(true)),
            "'6B6579' seq:7, type:2");
}

TEST(InternalKeyTextTest, BytesThatAreNoKey) {
  EXPECT_EQ(InternalKeyText("key", KeyText::kRedacted),
            "(bad) <redacted> of 3 bytes");
  EXPECT_EQ(InternalKeyText("key", KeyText::kShown), "(bad) 6B6579");
  EXPECT_EQ(InternalKeyText("", KeyText::kShown), "(bad) ");
  const std::string unknown_type("key\xfe\7\0\0\0\0\0\0", 11);
  EXPECT_EQ(InternalKeyText(unknown_type, KeyText::kRedacted),
            "<redacted> seq:7, type:254");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
