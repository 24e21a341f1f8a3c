// The sync of a finished output file, by another thread, while the job goes on
// with its next file.
//
// Contract   Begins when it is made. Wait() before the file is closed.
// Threads    One thread calls.
// Ownership  Borrows the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "db/outputs/job_context.h"
#include "file/io_helpers.h"
#include "file/writable_file_writer.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundSync {
 public:
  // Its time goes to `histogram`.
  BackgroundSync(WritableFileWriter* writer, const JobContext& job,
                 uint32_t histogram);
  // Waits, too.
  ~BackgroundSync();
  BackgroundSync(const BackgroundSync&) = delete;
  BackgroundSync& operator=(const BackgroundSync&) = delete;

  // How it ended. A failed sync is not tried again: the file is given up.
  Status Wait();

 private:
  const std::shared_ptr<IoHelpers> helpers_;
  std::atomic<bool> is_done_{false};
  Status status_;
};

}  // namespace ROCKSDB_NAMESPACE
