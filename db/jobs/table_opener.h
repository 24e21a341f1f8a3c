// Opens the tables of a database that is open already (open_files_async), in
// the background, so that the open does not wait for them and reads find them
// open.
//
// A read that comes first opens its table itself, and is told if it cannot.
//
// Threads    Under the DB mutex, but for the job, on the HIGH pool, and its
//            helpers.
// Ownership  Borrows what it is given. Not pending at its end. Tables that
//            leave the database meanwhile are held no longer than it takes to
//            come to them.
// Errors     The first one becomes a background error; reads go on.
#pragma once

#include <vector>

#include "db/registry/family_entry.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class JobErrors;
class JobThreads;
class StopSignals;
struct ImmutableDBOptions;

class TableOpener {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    JobThreads* threads = nullptr;
  };
  explicit TableOpener(const Context& context) : context_(context) {}
  ~TableOpener();
  TableOpener(const TableOpener&) = delete;
  TableOpener& operator=(const TableOpener&) = delete;

  // Once. Null `errors`: they are only logged.
  void Start(std::vector<LiveTable> tables, JobErrors* errors);
  // What has not begun will not; what has ends early, if the database is being
  // closed. Without the mutex.
  void Cancel();
  bool IsPending() const { return is_pending_; }
  // Until it is not. Gives the mutex back meanwhile.
  void Await() const;

 private:
  struct Item {
    LiveTable table;
    bool is_opened = false;  // or only looked at
  };

  static void Entry(void* self);
  void Run() EXCLUDES(context_.mutex);
  Status OpenAll() EXCLUDES(context_.mutex);
  Status Open(const Item& item) const;

  const Context context_;
  JobErrors* errors_ = nullptr;
  std::vector<Item> items_;  // the job's, once it is scheduled
  bool is_pending_ = false;  // (mutex)
};

}  // namespace ROCKSDB_NAMESPACE
