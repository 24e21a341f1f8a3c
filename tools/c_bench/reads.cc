// Benchmarks that read.

#include <algorithm>
#include <string>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/readers.h"
#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

// Runs one kind of operation in all threads until their pace ends.
template <typename Operation>
void RunReads(const std::string& name, const Pace& pace, Database* database,
              const Operation& operation) {
  const Total total = RunWorkers(database->flags(), pace, [&](Worker* worker) {
    KeyReader reader(*database);
    while (worker->Next()) operation(&reader, worker);
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/true);
}

// What a batch counts, the limit of reads counts too.
Pace BatchPace(const Flags& flags) {
  Pace pace = ReadPace(flags);
  const int64_t size = flags.Number("batch_size");
  if (pace.operations > 0) {
    pace.operations = std::max<int64_t>(pace.operations / size, 1);
  }
  return pace;
}

// Reads from one end of the database to the other, or --reads entries.
void ReadAlong(const std::string& name, Database* database, bool is_forwards) {
  const Flags& flags = database->flags();
  const Pace pace = ReadPace(flags);
  const Total total = RunWorkers(flags, pace, [&](Worker* worker) {
    const KeyReader reader(*database);
    for (rocksdb_column_family_handle_t* family : database->families()) {
      rocksdb_iterator_t* iterator =
          rocksdb_create_iterator_cf(database->db(), reader.options(), family);
      is_forwards ? rocksdb_iter_seek_to_first(iterator)
                  : rocksdb_iter_seek_to_last(iterator);
      while (rocksdb_iter_valid(iterator) && worker->Next()) {
        size_t key_size = 0, value_size = 0;
        rocksdb_iter_key(iterator, &key_size);
        rocksdb_iter_value(iterator, &value_size);
        is_forwards ? rocksdb_iter_next(iterator) : rocksdb_iter_prev(iterator);
        worker->Done(1, 1, key_size + value_size);
      }
      char* error = nullptr;
      rocksdb_iter_get_error(iterator, &error);
      Check(error, name);
      rocksdb_iter_destroy(iterator);
    }
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/false);
}

}  // namespace

void ReadAtRandom(const std::string& name, Database* database) {
  RunReads(name, ReadPace(database->flags()), database,
           [](KeyReader* reader, Worker* worker) {
             reader->Read(reader->Draw(worker), worker);
           });
}

void ReadManyAtRandom(const std::string& name, Database* database) {
  RunReads(name, BatchPace(database->flags()), database,
           [](KeyReader* reader, Worker* worker) { reader->ReadMany(worker); });
}

void SeekAtRandom(const std::string& name, Database* database) {
  RunReads(name, ReadPace(database->flags()), database,
           [](KeyReader* reader, Worker* worker) {
             reader->Seek(reader->Draw(worker), worker);
           });
}

void SeekToFirstKey(const std::string& name, Database* database) {
  RunReads(name, ReadPace(database->flags()), database,
           [](KeyReader* reader, Worker* worker) { reader->Seek(0, worker); });
}

void ReadForwards(const std::string& name, Database* database) {
  ReadAlong(name, database, /*is_forwards=*/true);
}

void ReadBackwards(const std::string& name, Database* database) {
  ReadAlong(name, database, /*is_forwards=*/false);
}

}  // namespace c_bench
