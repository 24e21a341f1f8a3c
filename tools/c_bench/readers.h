// The ways to read, each for one thread: a look-up, a batch of them, a seek and
// steps. Every call is one operation of the worker.
//
// Threads    Confined to one thread.
// Errors     End the program.

#pragma once

#include <string>
#include <vector>

#include "tools/c_bench/database.h"
#include "tools/c_bench/worker.h"

namespace c_bench {

class KeyReader {
 public:
  explicit KeyReader(const Database& database);
  ~KeyReader();
  KeyReader(const KeyReader&) = delete;
  KeyReader& operator=(const KeyReader&) = delete;

  void Read(uint64_t number, Worker* worker);
  // `batch_size` keys drawn by the worker.
  void ReadMany(Worker* worker);
  // From a key so many steps on.
  void Seek(uint64_t number, Worker* worker);

  uint64_t Draw(Worker* worker) const { return worker->random().Below(keys_); }
  rocksdb_readoptions_t* options() const { return options_; }

 private:
  void CallBatched(Worker* worker);
  void CallPlain(Worker* worker);

  const Database& database_;
  const uint64_t keys_;
  const size_t batch_size_;
  const int64_t steps_;
  const bool is_batched_;
  rocksdb_readoptions_t* options_;
  rocksdb_iterator_t* iterator_ = nullptr;
  std::string key_;
  std::vector<std::string> keys_of_batch_;
  std::vector<const char*> key_pointers_;
  std::vector<size_t> key_sizes_;
};

// How the reads of a benchmark end: by --duration, or --reads of each thread.
Pace ReadPace(const Flags& flags);

}  // namespace c_bench
