// ldb top: what a running database says of itself, shown anew every few
// seconds: rates, compactions, cache, and why writes are held back.
//
// It reads what the database publishes anyway: the statistics in its LOG, or a
// file that has its numbers in the format of Prometheus.
#pragma once

#include <string>

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE {

class Metrics;

class TopCommand : public Command {
 public:
  using Command::Command;
  void Parse() override;
  void DoCommand() override;

 private:
  // False: the source cannot be read, and the command has failed.
  bool ShowLog();
  bool ShowMetrics(Metrics* before);

  std::string metrics_path_;
  int interval_seconds_ = 2;
  int count_ = 1;
};

}  // namespace ROCKSDB_NAMESPACE
