// verify_manifest_content_on_close: a manifest that was damaged while the
// database was open costs nothing. The cases are
// tests/testdata/databases/manifest/on_close.txt, in the language of
// database_script.h.
#include <gtest/gtest.h>

#include "tests/db/impl/database_script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ManifestOnCloseScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.verify_manifest_content_on_close = true;
  options.avoid_flush_during_shutdown = true;
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/manifest/on_close.txt", options), 7u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
