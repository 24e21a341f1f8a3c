// Why an update is not in a batch, and whether the way back to a save point
// takes that back.
//
// Threads  Those of the batch.
// Memory   None but the text of the status: the handle of a transaction's batch
//          goes without a destructor.
#pragma once

#include <algorithm>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::c_api {

class LeftOut {
 public:
  // Not OK: such a batch is not written.
  const Status& status() const { return status_; }

  // The first one stays: what is behind it is taken back with it.
  void Note(const Status& status) {
    if (!status_.ok()) return;
    status_ = status;
    noted_at_ = save_points_;
  }
  void Clear() { *this = LeftOut(); }

  // --- what becomes of the batch's save points
  void NoteSavePoint() { ++save_points_; }
  void NoteRollback() {
    // Without one of its own, the save point is older than the handle.
    if (noted_at_ >= save_points_) status_ = Status::OK();
    NotePop();
  }
  void NotePop() {
    save_points_ = std::max(save_points_ - 1, 0);
    noted_at_ = std::min(noted_at_, save_points_);
  }

 private:
  Status status_;
  int save_points_ = 0;
  int noted_at_ = 0;  // so many save points were before it
};

}  // namespace ROCKSDB_NAMESPACE::c_api
