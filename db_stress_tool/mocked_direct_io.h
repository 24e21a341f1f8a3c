// Direct files that are buffered ones below: for file systems without direct
// I/O, and to see that what the engine asks of a direct file is aligned.
//
// Threads  Pure functions.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE::stress {

enum class DirectIo : uint8_t { kAsBelow, kMocked };

struct Transfer {
  uint64_t offset = 0;
  size_t length = 0;
  const char* memory = nullptr;
};

// InvalidArgument, as a device would answer.
inline IOStatus CheckAligned(DirectIo direct, const std::string& path,
                             const Transfer& transfer) {
  constexpr uint64_t kUnit = 512;
  if (direct != DirectIo::kMocked) return IOStatus::OK();
  const uint64_t odd = (transfer.offset | transfer.length |
                        reinterpret_cast<uintptr_t>(transfer.memory)) %
                       kUnit;
  if (odd == 0) return IOStatus::OK();
  return IOStatus::InvalidArgument(
      path, "direct I/O of " + std::to_string(transfer.length) + " bytes at " +
                std::to_string(transfer.offset) + " is not aligned");
}

}  // namespace ROCKSDB_NAMESPACE::stress
