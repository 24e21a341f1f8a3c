// How many bytes of a version are live, by the ranges of its tables: the cases
// of tests/testdata/versions/live_bytes.txt, in the language of
// version_script.h.
#include "db/version/size_estimate.h"

#include <gtest/gtest.h>

#include "tests/db/version/version_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(LiveBytesTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("versions/live_bytes.txt", RunVersionCase), 12u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
