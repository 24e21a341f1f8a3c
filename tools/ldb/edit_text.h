// Edits of a manifest as text: for people, and as JSON.
//
// Threads  Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "db/version/version_edit.h"
#include "tools/ldb/entry_text.h"

namespace ROCKSDB_NAMESPACE {

// "VersionEdit {", a line for each field, "}".
std::string EditLines(const VersionEdit& edit, Bytes keys);

// One object. `number` counts the edits of the manifest from 0.
std::string EditJson(const VersionEdit& edit, uint64_t number, Bytes keys);

// "'<key>' seq:<n>, type:<n>" of a bound, whose timestamp is part of the key.
std::string BoundText(const InternalKey& bound, Bytes keys);

}  // namespace ROCKSDB_NAMESPACE
