// One thread's way to write.
//
// Threads    Confined to one thread.
// Errors     End the program.

#pragma once

#include <cstdint>
#include <string>

#include "tools/c_bench/database.h"
#include "tools/c_bench/keys.h"
#include "tools/c_bench/worker.h"

namespace c_bench {

class Writer {
 public:
  Writer(const Database& database, uint64_t seed);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // The same without a worker to tell: what it wrote, in bytes.
  uint64_t Put(uint64_t number);

  // One operation of the worker each.
  void Put(uint64_t number, Worker* worker);
  void Delete(uint64_t number, Worker* worker);
  // `count` keys from `first` on at once.
  void PutBatch(uint64_t first, int64_t count, Worker* worker);

 private:
  const Database& database_;
  rocksdb_writeoptions_t* options_;
  std::string key_;
  Values values_;
};

}  // namespace c_bench
