// Calls into code of the application while objects are made from text.
//
// Threads  The caller's; no lock is held.
#pragma once

#include <exception>
#include <string>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// What `call` returns; Aborted, with the name of the object, if it throws.
template <class Call>
Status CallUserCode(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (const std::exception& e) {
    return Status::Aborted(name + " threw", e.what());
  } catch (...) {
    return Status::Aborted(name + " threw");
  }
}

}  // namespace ROCKSDB_NAMESPACE
