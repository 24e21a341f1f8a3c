// What becomes of errors of background work: what stops by them, who is told,
// and what goes on again, on request or by itself.
//
// Threads    Marked (mutex): under the DB mutex, which is given back while
//            listeners are told. The others without it.
// Ownership  Borrows what it is given. After Stop() nothing goes on by itself.
#pragma once

#include <memory>

#include "db/background/job_errors.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class AutoResume;
class ChangeSignal;
class ErrorHandler;
class LeaderAttention;
class ResumeWork;
class SpaceReserve;
class StopSignals;
class WriteMemory;
enum class ResumeOutcome;
struct ImmutableDBOptions;

class ResumeControl final : public JobErrors {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    ErrorHandler* errors PT_GUARDED_BY(mutex) = nullptr;
    LeaderAttention* attention = nullptr;
    const SpaceReserve* space = nullptr;
    WriteMemory* memory = nullptr;
    ChangeSignal* changes = nullptr;
    const StopSignals* stop = nullptr;
  };
  explicit ResumeControl(const Context& context);
  ~ResumeControl() override;
  ResumeControl(const ResumeControl&) = delete;
  ResumeControl& operator=(const ResumeControl&) = delete;

  // A database that writes calls this before there can be an error.
  void SetWork(ResumeWork* work) { work_ = work; }

  // --- (mutex)
  void OnBackgroundError(const Status& status,
                         BackgroundErrorReason reason) override;
  bool OnManifestError(const Status& status) override;
  void CheckSpaceLimit() override;

  // --- going on
  // One at a time: where another recovery mends it, nothing is left to do.
  Status Resume() EXCLUDES(context_.mutex);
  // No more tries by itself, from here on.
  void Stop();

 private:
  void Count(const Status& status) const;
  void StartTries(BackgroundErrorReason reason, const Status& error)
      EXCLUDES(context_.mutex);
  ResumeOutcome TryOnce() EXCLUDES(context_.mutex);
  void TriesEnded(int tries) EXCLUDES(context_.mutex);
  void TellRecovered(const Status& old_error, const Status& new_error)
      EXCLUDES(context_.mutex);

  const Context context_;
  ResumeWork* work_ = nullptr;  // null: there are no errors
  bool is_resuming_ GUARDED_BY(context_.mutex) = false;
  // What tries were started for.
  Status tried_error_ GUARDED_BY(context_.mutex);
  const std::unique_ptr<AutoResume> tries_;
};

}  // namespace ROCKSDB_NAMESPACE
