// Reads the OPTIONS files that databases write.
//
// Threads  Every call from any thread.
// Errors   NotFound where there is no OPTIONS file; InvalidArgument names the
//          file, the line and what is wrong with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// The options that the database in `dbpath` last ran with. An application's own
// objects (comparators, merge operators, ...) are made by name, if they are
// registered: see rocksdb/utilities/object_registry.h. What the file does not
// name (caches, listeners, ...) has defaults;
// `cache`, if given, becomes the block cache of every block-based table.
// "default" is the first of `*cf_descs`.
Status LoadLatestOptions(const ConfigOptions& config_options,
                         const std::string& dbpath, DBOptions* db_options,
                         std::vector<ColumnFamilyDescriptor>* cf_descs,
                         std::shared_ptr<Cache>* cache = {});

// The same from one file.
Status LoadOptionsFromFile(const ConfigOptions& config_options,
                           const std::string& options_file_name,
                           DBOptions* db_options,
                           std::vector<ColumnFamilyDescriptor>* cf_descs,
                           std::shared_ptr<Cache>* cache = {});

// The name, without directory, of the newest OPTIONS file.
Status GetLatestOptionsFileName(const std::string& dbpath, Env* env,
                                std::string* options_file_name);

// OK if the database in `dbpath` can be opened with these options and gives
// the same data; config_options.sanity_level says how alike they must be.
Status CheckOptionsCompatibility(
    const ConfigOptions& config_options, const std::string& dbpath,
    const DBOptions& db_options,
    const std::vector<ColumnFamilyDescriptor>& cf_descs);

}  // namespace ROCKSDB_NAMESPACE
