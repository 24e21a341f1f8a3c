// Reads what a database consists of, and finds what is wrong with it. Nothing
// is opened for writing, and no lock is taken.
//
// What is looked at: CURRENT, all manifests, the newest OPTIONS file, the logs
// that are still needed, the footer and the metadata of each table, header and
// footer of each blob file, and that files have the sizes that the manifest
// tells. Data blocks, and values in blob files, are read where `reads_all` says
// so.
//
// Threads  One.
// Errors   NotFound: no database is there. Everything else is a finding.
#pragma once

#include <functional>
#include <string>

#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/status.h"
#include "tools/ldb/doctor/health.h"

namespace ROCKSDB_NAMESPACE {

struct Examination {
  std::string db_path;
  Env* env = nullptr;
  ConfigOptions config;  // how the OPTIONS file is read
  bool reads_all = false;
  // Told of each file before it is looked at.
  std::function<void(const std::string& path)> progress;
};

Status Examine(const Examination& request, Health* health);

}  // namespace ROCKSDB_NAMESPACE
