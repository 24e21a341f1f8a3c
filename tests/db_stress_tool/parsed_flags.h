// The command line of db_stress, in tests of its parts.
//
// Threads    Any.

#pragma once

#include <string>
#include <vector>

#include "db_stress_tool/flags.h"

namespace ROCKSDB_NAMESPACE::stress {

// "--db" is there already.
inline Status ParseArguments(std::vector<std::string> arguments, Flags* flags) {
  arguments.insert(arguments.begin(), {"db_stress", "--db=unused"});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return ParseFlags(static_cast<int>(argv.size()), argv.data(), flags);
}

}  // namespace ROCKSDB_NAMESPACE::stress
