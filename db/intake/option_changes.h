// SetDBOptions(): options of the whole database that change while it is open.
//
// Threads    While nothing is written (WalLock::WithLogAtRest()), without the
//            DB mutex.
// Ownership  Borrows what it is given.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "options/db_options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class CurrentOptions;
class FamilyChanges;
class FileAccessChooser;
class FileRoom;
class LeaderAttention;
class LogKeeper;
class StallControl;
class VersionSet;

class OptionChanges {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_name;
    Mutex* mutex = nullptr;
    CurrentOptions* options = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    StallControl* stalls PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FamilyChanges* families = nullptr;
    FileRoom* files = nullptr;
    const FileAccessChooser* access = nullptr;
    LogKeeper* logs = nullptr;
    LeaderAttention* attention = nullptr;
  };
  explicit OptionChanges(Context context);
  OptionChanges(const OptionChanges&) = delete;
  OptionChanges& operator=(const OptionChanges&) = delete;

  Status Apply(const std::unordered_map<std::string, std::string>& new_options)
      EXCLUDES(context_.mutex);

 private:
  Status Choose(const MutableDBOptions& before,
                const std::unordered_map<std::string, std::string>& new_options,
                std::unique_ptr<MutableDBOptions>* next,
                std::vector<std::string>* names) EXCLUDES(context_.mutex);
  void PutInForce(const MutableDBOptions& next) REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
