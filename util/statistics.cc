// The base class of all Statistics. It lives on this floor, because code here
// reports to whatever Statistics it is given; the one that counts is above.

#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE {

Status Statistics::Reset() { return Status::NotSupported("Statistics::Reset"); }

std::string Statistics::ToString() const {
  return std::string(Name()) + " has no text form";
}

}  // namespace ROCKSDB_NAMESPACE
