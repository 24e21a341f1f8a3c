// The ways out of what is wrong with a database, the one to take first, each
// with a bound of what is lost by it.
//
// Threads  Pure functions.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "tools/ldb/doctor/health.h"

namespace ROCKSDB_NAMESPACE {

// Empty: nothing is to be done.
std::vector<WayOut> WaysOut(const Health& health);

// What an open in that mode loses of the logs.
std::vector<Loss> LossesOfLogs(const Health& health, WALRecoveryMode mode);

// What recovery by best efforts may lose.
std::vector<Loss> LossesOfBestEfforts(const Health& health);

// The name that ldb's --wal_recovery_mode has for the mode.
std::string NameOfMode(WALRecoveryMode mode);

}  // namespace ROCKSDB_NAMESPACE
