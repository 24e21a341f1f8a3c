// The benchmarks by name: each does its work and prints its line.

#pragma once

#include <string>

#include "tools/c_bench/database.h"

namespace c_bench {

struct Benchmark {
  const char* name;
  void (*run)(const std::string& name, Database* database);
  // It begins with an empty database, unless --use_existing_db.
  bool is_fresh = false;
  // It opens the database itself, or needs none.
  bool is_without_database = false;
};

// nullptr if there is none of that name.
const Benchmark* FindBenchmark(const std::string& name);

// Writes (fills.cc).
void FillInOrder(const std::string& name, Database* database);
void FillAtRandom(const std::string& name, Database* database);
void FillEachOnce(const std::string& name, Database* database);
void FillBatches(const std::string& name, Database* database);
void DeleteInOrder(const std::string& name, Database* database);
// Tables made beside the database (made_files.cc).
void FillFiles(const std::string& name, Database* database);
void PrepareIngestion(const std::string& name, Database* database);
// Reads (reads.cc).
void ReadAtRandom(const std::string& name, Database* database);
void ReadManyAtRandom(const std::string& name, Database* database);
void ReadForwards(const std::string& name, Database* database);
void ReadBackwards(const std::string& name, Database* database);
void SeekAtRandom(const std::string& name, Database* database);
void SeekToFirstKey(const std::string& name, Database* database);
// Nothing at all (idle.cc).
void StayIdle(const std::string& name, Database* database);
// Reads beside other work (beside.cc).
void ReadBeside(const std::string& name, Database* database);
void ReadManyBeside(const std::string& name, Database* database);
void SeekBeside(const std::string& name, Database* database);
void ReadWhileWriting(const std::string& name, Database* database);

}  // namespace c_bench
