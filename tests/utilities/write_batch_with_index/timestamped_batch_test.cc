// Indexed batches over a family with user-defined timestamps:
// testdata/batches/timestamps.txt, in the language of batch_script.h.
#include <gtest/gtest.h>

#include "tests/utilities/write_batch_with_index/batch_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(TimestampedBatchTest, Script) {
  EXPECT_GE(RunBatchScript("batches/timestamps.txt"), 7u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
