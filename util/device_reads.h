// What the kernel says of this thread's reads from devices.
//
// How long a read took does not tell where it came from: a thread that waits
// for a processor looks like one that waits for the device.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Grows with each read of this thread that a device had to answer, by its
// size in no unit that matters. 0 for ever where the kernel keeps no account.
// Costs a system call.
uint64_t DeviceReadsOfThread();

}  // namespace ROCKSDB_NAMESPACE
