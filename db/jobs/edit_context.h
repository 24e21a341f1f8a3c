// What each part borrows that has the manifest changed because somebody asked
// for it, and then makes visible what has become of the families: said once.
#pragma once

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class CompactionQueue;
class ErrorHandler;
class FSDirectory;
class FamilyPublisher;
class FamilyRegistry;
class JobErrors;
class StopSignals;
class VersionSet;

struct EditContext {
  Mutex* mutex = nullptr;
  FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
  BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
  ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
  VersionSet* versions = nullptr;
  FSDirectory* directory = nullptr;  // the manifest's
  FamilyPublisher* publisher = nullptr;
  CompactionQueue* compactions = nullptr;
  ChangeSignal* changes = nullptr;
  const StopSignals* stop = nullptr;
  JobErrors* errors = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
