// CompressionOptions::parallel_threads through a database: the same tables as
// by one thread, however they are written.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/db/impl/db_fixture.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ParallelCompressionTest : public DbFixture {
 protected:
  static constexpr int kKeys = 4000;
  void Fill() {
    Random64 random(5);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < kKeys; ++i) {
        const std::string key =
            std::to_string(100000 + random.Uniform(2 * kKeys));
        ASSERT_OK(Put(key, std::string(random.Uniform(200), 'a') +
                               std::to_string(random.Next())));
      }
      ASSERT_OK(Flush());
    }
    ASSERT_OK(CompactAll());
  }
};

TEST_F(ParallelCompressionTest, TablesAreTheSame) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  options_.compression = kZSTD;
  options_.bottommost_compression = kDisableCompressionOption;
  options_.disable_auto_compactions = true;
  std::string expected;
  for (const bool is_direct : {false, true}) {
    options_.use_direct_io_for_flush_and_compaction = is_direct;
    for (const uint32_t threads : {1u, 4u}) {
      SCOPED_TRACE(threads);
      options_.compression_opts.parallel_threads = threads;
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      const Status s = TryOpen();
      if (is_direct && s.IsInvalidArgument()) GTEST_SKIP() << s.ToString();
      ASSERT_OK(s);
      ASSERT_NO_FATAL_FAILURE(Fill());
      ASSERT_OK(db_->VerifyChecksum());
      const std::string scan = Scan();
      if (expected.empty()) expected = scan;
      EXPECT_EQ(scan, expected);
      Reopen();
      EXPECT_EQ(Scan(), expected);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
