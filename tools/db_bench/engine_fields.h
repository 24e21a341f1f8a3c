// Fields that not every engine has: flags set them where they are.
//
// Threads    Any.

#pragma once

#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

// Sets object->field if the engine has it; whether it has.
#define DB_BENCH_SET_IF_THERE(object, field, value)        \
  [&](auto* fields_of_engine) {                            \
    if constexpr (requires { fields_of_engine->field; }) { \
      fields_of_engine->field = value;                     \
      return true;                                         \
    } else {                                               \
      return false;                                        \
    }                                                      \
  }(object)

namespace ROCKSDB_NAMESPACE::bench {

// The answer to a flag whose value asks for what the linked engine lacks.
inline Status LacksPart(const std::string& flag) {
  return Status::NotSupported("--" + flag, "the engine has no such thing");
}

}  // namespace ROCKSDB_NAMESPACE::bench
