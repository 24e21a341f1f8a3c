#include "env/posix/posix_error.h"

#include <errno.h>

#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool MayGoAway(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EAGAIN:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
      return true;
    default:
      return false;
  }
}

}  // namespace

IOStatus PosixError(const std::string& action, const std::string& path,
                    int error_number) {
  const std::string context = action + ": " + path;
  const std::string reason = ErrnoString(error_number);
  IOStatus status;
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      status = IOStatus::NoSpace(context, reason);
      break;
    case ESTALE:
      status = IOStatus::IOError(IOStatus::kStaleFile, context, reason);
      break;
    case ENOENT:
      status = IOStatus::PathNotFound(context, reason);
      break;
    default:
      status = IOStatus::IOError(context, reason);
  }
  status.SetRetryable(MayGoAway(error_number));
  return status;
}

IOStatus DirectIoRefused(const std::string& action, const std::string& path) {
  return IOStatus::InvalidArgument(
      action + ": " + path,
      "the file system does not take direct I/O (O_DIRECT) here");
}

}  // namespace ROCKSDB_NAMESPACE
