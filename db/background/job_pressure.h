// What listeners are told of a database's background jobs as a whole
// (EventListener::OnBackgroundJobPressureChanged): how many threads are asked
// for and run, and how near writers are to being slowed down.
//
// Threads    Any, without the DB mutex. Listeners are told by one thread at a
//            time: whoever comes meanwhile leaves it to that thread to tell
//            what has changed since, so that the last call has the last state.
// Ownership  Borrows what it is given.
#pragma once

#include "db/write/pressure_notice.h"
#include "rocksdb/listener.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class StallControl;
class StopSignals;
class WriteController;
struct ImmutableDBOptions;

class JobPressure : public PressureNotice {
 public:
  struct Context {
    DB* handed_out = nullptr;  // what listeners are handed
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    const StallControl* stalls PT_GUARDED_BY(mutex) = nullptr;
    const WriteController* writes = nullptr;
    const StopSignals* stop = nullptr;
  };
  explicit JobPressure(const Context& context) : context_(context) {}
  JobPressure(const JobPressure&) = delete;
  JobPressure& operator=(const JobPressure&) = delete;

  // Nothing is told before the database is open, when listeners cannot use it
  // yet, and from the moment that it begins to close.
  void TellIfChanged() override EXCLUDES(context_.mutex);

 private:
  BackgroundJobPressure Now() const REQUIRES(context_.mutex);

  const Context context_;
  BackgroundJobPressure told_ GUARDED_BY(context_.mutex);
  bool is_telling_ GUARDED_BY(context_.mutex) = false;
};

}  // namespace ROCKSDB_NAMESPACE
