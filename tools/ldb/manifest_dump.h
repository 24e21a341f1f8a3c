// Shows a manifest: its edits, and the state that they lead to.
//
// Errors   Corruption and IOError; what could be read before the damage is
//          shown.
// Threads  One.
#pragma once

#include <map>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/status.h"
#include "tools/ldb/entry_text.h"

namespace ROCKSDB_NAMESPACE {

enum class EditForm { kNone, kText, kJson };

struct ManifestDump {
  std::string path;
  Env* env = nullptr;
  EditForm edits = EditForm::kNone;
  // And the state that they lead to.
  bool shows_state = true;
  Bytes keys = Bytes::kPlain;
  // How many levels each family has, by name. Others are shown with 64.
  std::map<std::string, int> level_counts;
};

Status DumpManifest(const ManifestDump& dump);

// Tells on standard error that a manifest could not be shown.
void TellBadManifest(const std::string& path, const Status& s);

}  // namespace ROCKSDB_NAMESPACE
