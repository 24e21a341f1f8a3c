// What a follower has that a secondary instance has not: a directory of its own
// with links in it, how far it has come, and a thread in which it catches up.
//
// Threads    Opening and closing: one thread. HasNews() and NoteFollowed() by
//            who holds CatchUp::mutex_. WaitToRetry() from any thread.
// Ownership  Once Stop() has returned, no round runs or will.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class CatchUpThread;
class LinkedFiles;
class PrimaryMark;
struct ImmutableDBOptions;

class FollowerPart {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string directory;
    std::string leader;
    std::shared_ptr<Cache> open_tables;  // the database's cache of readers
    std::function<Status()> round;       // catches up
  };
  explicit FollowerPart(Context context);
  ~FollowerPart();

  // --- opening, in this order
  // Makes the directory if need be, and takes it if it may be a follower's.
  Status Lock(FileLock** lock);
  // Removes what was left over; finds out whether there can be links.
  Status Prepare();
  Status Start();

  const std::shared_ptr<LinkedFiles>& links() const { return links_; }

  // --- catching up
  // False: a round has come as far as `mark`.
  bool HasNews(const PrimaryMark& mark) const;
  void NoteFollowed(const PrimaryMark& mark);
  // False: it was stopped.
  bool WaitToRetry();
  // Removes the links that nothing reads any more.
  void RemoveUnneeded();

  // --- closing, in this order
  void Stop();
  // Removes all links: nobody reads any more.
  void Close();

 private:
  void RunRound() const;

  const Context context_;
  const std::shared_ptr<LinkedFiles> links_;
  const std::unique_ptr<CatchUpThread> thread_;
  std::unique_ptr<PrimaryMark> followed_;  // null: by no round yet
};

}  // namespace ROCKSDB_NAMESPACE
