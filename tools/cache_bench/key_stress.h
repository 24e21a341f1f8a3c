// Do two files ever get one cache key? Days of many databases are simulated:
// files come and go, databases are opened again and made anew, processes
// restart. Of each key only some bits are compared, so that collisions happen
// at all; how seldom they are with all bits follows from that.
//
// Threads  Confined to one thread.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cache_bench/settings.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::cache_bench {

class KeyStress {
 public:
  KeyStress(const CacheKeyStress& settings, uint64_t seed);

  // Runs until there were collisions enough, and prints each run.
  void Run();

  // Simulates one run. Returns how many files got the key of another file.
  uint64_t RunOnce();

 private:
  struct Database {
    std::string id;
    std::string session_id;
    uint64_t next_file = 0;
  };

  void MakeAnew(Database* database);
  void OpenAgain(Database* database);
  std::string Draw(size_t length);
  bool HappensEvery(uint64_t times) { return random_.Below(times) == 0; }
  // The key of the database's next file, cut to the bits that are kept; not 0.
  uint64_t NextKey(Database* database);
  void PrintRun(uint64_t run, uint64_t collisions, uint64_t all) const;

  const CacheKeyStress settings_;
  bench::Random random_;
  std::vector<Database> databases_;
  // The keys of the files that exist, each at the place that its low bits give;
  // 0: an empty place.
  std::vector<uint64_t> files_;
};

}  // namespace ROCKSDB_NAMESPACE::cache_bench
