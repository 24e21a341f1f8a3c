#include "options/reference_page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
