#include "db_stress_tool/several_databases.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE::stress {

Flags FlagsOfDatabase(const Flags& flags, int64_t index) {
  Flags own = flags;
  const std::string name = std::to_string(index);
  for (std::string* const directory :
       {&own.db, &own.expected_values_dir, &own.secondaries_base}) {
    if (!directory->empty()) *directory += "/" + name;
  }
  if (!own.key_spaces_path.empty()) own.key_spaces_path += "." + name;
  own.seed = flags.seed + static_cast<uint64_t>(index);
  return own;
}

Outcome RunDatabases(const Flags& flags) {
  if (flags.num_dbs == 1 || !flags.delete_dir_and_exit.empty()) {
    return StressRun(flags).Run();
  }
  const auto count = static_cast<size_t>(flags.num_dbs);
  std::vector<Outcome> outcomes(count, Outcome::kGood);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) {
    threads.emplace_back([&flags, &outcomes, i] {
      const Flags own = FlagsOfDatabase(flags, static_cast<int64_t>(i));
      std::error_code ignored;  // Opening says what is wrong.
      for (const std::string& directory : {own.db, own.expected_values_dir}) {
        if (directory.empty()) continue;
        std::filesystem::create_directories(directory, ignored);
      }
      outcomes[i] = StressRun(own).Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Outcome outcome : {Outcome::kWrong, Outcome::kRefused}) {
    if (std::find(outcomes.begin(), outcomes.end(), outcome) !=
        outcomes.end()) {
      return outcome;
    }
  }
  return Outcome::kGood;
}

}  // namespace ROCKSDB_NAMESPACE::stress
