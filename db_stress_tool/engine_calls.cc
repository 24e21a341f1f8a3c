#include "db_stress_tool/engine_calls.h"

#include <memory>

#include "rocksdb/version.h"

// Basalt has no checkpoints yet.
#ifndef BASALT_VERSION_MAJOR
#include <rocksdb/utilities/checkpoint.h>
#endif

namespace ROCKSDB_NAMESPACE {

// Declared here for engines without it; completed by the headers of the rest.
class Checkpoint;

namespace stress::engine {

namespace {

template <typename Engine>
Status EnableDeletions(Engine* engine) {
  if constexpr (requires { engine->EnableFileDeletions(false); }) {
    return engine->EnableFileDeletions(false);
  } else {
    return engine->EnableFileDeletions();
  }
}

// What a member function fills, which engines call differently.
template <typename Engine, typename Result>
Result ResultOf(Status (Engine::*call)(Result&));

template <typename Options>
void SetAutoReadaheadOf(bool is_on, Options* options) {
  if constexpr (requires { options->auto_readahead_size; }) {
    options->auto_readahead_size = is_on;
  }
}

template <typename Options>
void SetMultiGetForIoOf(bool is_on, Options* options) {
  if constexpr (requires { options->optimize_multiget_for_io; }) {
    options->optimize_multiget_for_io = is_on;
  }
}

template <typename Engine>
Status LockLog(Engine* engine) {
  if constexpr (requires { engine->LockWAL(); }) {
    Status s = engine->LockWAL();
    return s.ok() ? engine->UnlockWAL() : s;
  } else {
    return Status::NotSupported("LockWAL");
  }
}

template <typename Maker>
Status MakeCheckpoint(DB* db, const std::string& path) {
  if constexpr (requires(Maker* maker) { maker->CreateCheckpoint(path); }) {
    Maker* raw = nullptr;
    Status s = Maker::Create(db, &raw);
    const std::unique_ptr<Maker> maker(raw);
    return s.ok() ? maker->CreateCheckpoint(path) : s;
  } else {
    return Status::NotSupported("Checkpoint");
  }
}

// Opens what is there and reads all of it.
Status ReadWhole(const Options& options, const std::string& path) {
  std::vector<std::string> names;
  Status s = DB::ListColumnFamilies(options, path, &names);
  if (!s.ok()) return s;
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    families.emplace_back(name, ColumnFamilyOptions(options));
  }
  std::vector<ColumnFamilyHandle*> handles;
  DB* raw = nullptr;
  s = DB::OpenForReadOnly(options, path, families, &handles, &raw);
  const std::unique_ptr<DB> db(raw);
  for (ColumnFamilyHandle* handle : handles) {
    ReadOptions reads;
    reads.total_order_seek = true;
    const std::unique_ptr<Iterator> it(db->NewIterator(reads, handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    if (s.ok()) s = it->status();
  }
  for (ColumnFamilyHandle* handle : handles) {
    Status freed = db->DestroyColumnFamilyHandle(handle);
    if (s.ok()) s = freed;
  }
  return s;
}

}  // namespace

Status EnableFileDeletions(DB* db) { return EnableDeletions(db); }

void SetAutoReadahead(bool is_on, ReadOptions* options) {
  SetAutoReadaheadOf(is_on, options);
}

void SetMultiGetForIo(bool is_on, ReadOptions* options) {
  SetMultiGetForIoOf(is_on, options);
}

Status ListLogs(DB* db) {
  decltype(ResultOf(&DB::GetSortedWalFiles)) logs;
  return db->GetSortedWalFiles(logs);
}

Status LockLogForAMoment(DB* db) { return LockLog(db); }

Status CheckCheckpoint(DB* db, const Options& options,
                       const std::string& path) {
  // One of a process that was killed may be there.
  Status s = DestroyDB(path, options);
  if (s.ok()) s = MakeCheckpoint<Checkpoint>(db, path);
  if (s.ok()) s = ReadWhole(options, path);
  if (!s.ok()) return s;
  return DestroyDB(path, options);
}

}  // namespace stress::engine
}  // namespace ROCKSDB_NAMESPACE
