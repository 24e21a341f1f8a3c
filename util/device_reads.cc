#include "util/device_reads.h"

#include <sys/resource.h>

namespace ROCKSDB_NAMESPACE {

uint64_t DeviceReadsOfThread() {
#ifdef RUSAGE_THREAD
  struct rusage usage = {};
  if (getrusage(RUSAGE_THREAD, &usage) == 0) {
    return static_cast<uint64_t>(usage.ru_inblock);
  }
#endif
  return 0;
}

}  // namespace ROCKSDB_NAMESPACE
