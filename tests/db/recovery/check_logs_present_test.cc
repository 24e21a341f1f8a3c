// An opening names a log of the manifest that is missing, and misses none that
// the manifest has let go.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "db/recovery/wal_replay.h"
#include "options/db_options.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(CheckLogsPresentTest, WhatTheManifestHasLetGoIsNotMissed) {
  DBOptions options;
  options.track_and_verify_wals_in_manifest = true;
  const ImmutableDBOptions db(options);
  // 7 was announced only.
  const std::map<uint64_t, uint64_t> synced = {{5, 100}, {6, 200}, {7, 0}};
  const auto check = [&](uint64_t min_to_keep) {
    return CheckLogsPresent(
        db, "/logs", {.synced_sizes = synced, .min_to_keep = min_to_keep}, {});
  };
  EXPECT_EQ(check(0).ToString(),
            "Corruption: /logs/000005.log: a log in the manifest is missing");
  EXPECT_EQ(check(6).ToString(),
            "Corruption: /logs/000006.log: a log in the manifest is missing");
  EXPECT_TRUE(check(7).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
