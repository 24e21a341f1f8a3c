#include "db/recovery/follower_part.h"

#include <utility>

#include "db/manifest/linked_files.h"
#include "db/recovery/catch_up_thread.h"
#include "db/recovery/primary_mark.h"
#include "file/filename.h"
#include "options/db_options.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

FollowerPart::FollowerPart(Context context)
    : context_(std::move(context)),
      links_(std::make_shared<LinkedFiles>(LinkedFiles::Context{
          context_.db, context_.directory, context_.open_tables})),
      thread_(std::make_unique<CatchUpThread>(context_.db->clock,
                                              [this] { RunRound(); })) {
  INVARIANT(context_.round != nullptr);
  INVARIANT(context_.directory != context_.leader);
}

FollowerPart::~FollowerPart() = default;

Status FollowerPart::Lock(FileLock** lock) {
  INVARIANT(lock != nullptr && *lock == nullptr);
  FileSystem* const fs = context_.db->fs;
  Status s = fs->CreateDirIfMissing(context_.directory, IOOptions(), nullptr);
  if (s.ok()) s = links_->CheckDirectory();
  if (!s.ok()) return s;
  return fs->LockFile(LockFileName(context_.directory), IOOptions(), lock,
                      nullptr);
}

Status FollowerPart::Prepare() {
  Status s = links_->RemoveLeftOvers();
  // There may be no table yet to find out by.
  return s.ok() ? links_->TryToLink(CurrentFileName(context_.leader)) : s;
}

Status FollowerPart::Start() {
  const uint64_t millis = context_.db->follower_refresh_catchup_period_ms;
  if (millis == 0) return Status::OK();
  return thread_->Start(MillisToMicros(millis));
}

void FollowerPart::RemoveUnneeded() { links_->RemoveUnneeded(); }

void FollowerPart::Stop() { thread_->Stop(); }

void FollowerPart::Close() { links_->Close(); }

void FollowerPart::RunRound() const {
  const Status s = context_.round();
  if (s.ok()) return;
  Warn(context_.db->logger, "%s stays behind %s until the next try: %s",
       context_.directory.c_str(), context_.leader.c_str(),
       s.ToString().c_str());
}

bool FollowerPart::HasNews(const PrimaryMark& mark) const {
  return followed_ == nullptr || *followed_ != mark;
}

void FollowerPart::NoteFollowed(const PrimaryMark& mark) {
  followed_ = std::make_unique<PrimaryMark>(mark);
}

bool FollowerPart::WaitToRetry() {
  return thread_->Pause(
      MillisToMicros(context_.db->follower_catchup_retry_wait_ms));
}

}  // namespace ROCKSDB_NAMESPACE
