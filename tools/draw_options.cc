// draw_options: writes an OPTIONS file with random options, drawn from the
// rows of the engine, for db_crashtest.py.
//
// usage: draw_options SEED ONE_IN FILE
//
// About every ONE_IN-th option is drawn; the same seed gives the same file.
// Objects of the application (comparator, merge operator) are left to whoever
// reads the file.

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "options/options_file.h"
#include "options/random_options.h"
#include "rocksdb/table.h"
#include "util/random.h"

int main(int argc, char** argv) {
  using namespace ROCKSDB_NAMESPACE;
  if (argc != 4) {
    fprintf(stderr, "usage: draw_options SEED ONE_IN FILE\n");
    return 2;
  }
  Random64 random(std::strtoull(argv[1], nullptr, 10));
  const uint64_t one_in = std::strtoull(argv[2], nullptr, 10);
  OptionsFile file;
  ColumnFamilyOptions family;
  BlockBasedTableOptions table;
  if (one_in > 0) {
    RandomizeRunnableOptions(one_in, &random, {&file.db, &family, &table});
  }
  family.table_factory.reset(NewBlockBasedTableFactory(table));
  file.families.push_back({"default", family, {}});
  std::ofstream output(argv[3], std::ios::trunc);
  output << PrintOptionsFile(file);
  output.close();
  return output ? 0 : 1;
}
