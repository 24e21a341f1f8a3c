// The reference page docs/options.md is what the option rows say, and each
// value that is refused has a reason.
#include "options/reference_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/table_rows.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Set BASALT_REWRITE=1 to write the page anew.
TEST(ReferencePageTest, IsCurrent) {
  const std::string path = std::string(BASALT_SOURCE_DIR) + "/docs/options.md";
  if (std::getenv("BASALT_REWRITE") != nullptr) {
    std::ofstream(path, std::ios::binary) << OptionReferencePage();
  }
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(OptionReferencePage(), text.str())
      << "docs/options.md is stale; run this test with BASALT_REWRITE=1";
}

// An option with values that the engine refuses has a note that says why.
TEST(ReferencePageTest, EachRefusalHasItsReason) {
  for (const OptionStruct* options :
       {&DBOptionStruct(), &ColumnFamilyOptionStruct(),
        &BlockBasedTableOptionStruct(), &PlainTableOptionStruct(),
        &CuckooTableOptionStruct(), &CompressionOptionStruct(),
        &UniversalOptionStruct(), &FifoOptionStruct(),
        &MetadataCacheOptionStruct()}) {
    for (const OptionRow& row : options->rows) {
      EXPECT_TRUE(row.traits.built.empty() || !row.traits.note.empty())
          << row.name;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
