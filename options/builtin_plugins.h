// The plug-ins that were compiled into this library (cmake/Plugins.cmake).
#pragma once

#include <string>
#include <vector>

#include "rocksdb/utilities/object_registry.h"

namespace ROCKSDB_NAMESPACE {

struct BuiltinPlugin {
  std::string name;
  RegistrarFunc registrar;
};

std::vector<BuiltinPlugin> BuiltinPlugins();

}  // namespace ROCKSDB_NAMESPACE
