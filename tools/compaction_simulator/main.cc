// compaction_simulator: what policies of universal compaction cost, in a moment
// and without any I/O. It asks the engine's own picker what to merge.
//
// Unlike the other programs it looks into the engine: no interface tells what
// would be picked.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "tools/common/exit_status.h"
#include "tools/compaction_simulator/simulator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kHelp[] =
    "usage: compaction_simulator [FLAG]... [OPTIONS]...\n"
    "\n"
    "Overwrites a key space, and prints what each policy of universal\n"
    "compaction costs. Each OPTIONS is one: options of a column family, such "
    "as\n"
    "\"level0_file_num_compaction_trigger=9;"
    "compaction_options_universal={max_read_amp=0}\";\n"
    "without any, it is the default one.\n"
    "\n"
    "  --data_mb=N       data that are overwritten, all of them in the last\n"
    "                    level at the start (1024)\n"
    "  --flush_mb=N      written for one flush, on average (16)\n"
    "  --flush_spread=X  a flush may differ by this part of that (0)\n"
    "  --flushes=N       how many there are (as many as overwrite all once)\n"
    "  --keys=NAME       which keys are overwritten: uniform, zipfian or\n"
    "                    sequential (uniform)\n"
    "  --zipf_theta=X    of zipfian keys: the key of rank r is drawn in\n"
    "                    proportion to r to the power of -X (0.99)\n"
    "  --entry_bytes=N   of a key and its value (1024)\n"
    "\n"
    "The columns: bytes written for each byte that the user wrote; sorted "
    "runs\n"
    "that a lookup may have to look at, on average after each flush, and at\n"
    "most; bytes on the device for each that is alive, likewise, at most "
    "while\n"
    "inputs and outputs are both there; the number of compactions.\n";

constexpr int kFailure = 2;

struct Arguments {
  uint64_t data_mb = 1024;
  uint64_t flush_mb = 16;
  uint64_t flushes = 0;  // 0: as many as overwrite all once
  SimulatedLoad load;
  std::vector<std::string> policies;
  bool wants_help = false;
};

Status ReadNumber(const std::string& text, uint64_t most, uint64_t* number) {
  size_t end = 0;
  try {
    *number = text.empty() || text[0] == '-' ? 0 : std::stoull(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  const bool is_good = end > 0 && end == text.size() && *number >= 1;
  if (is_good && *number <= most) return Status::OK();
  return Status::InvalidArgument(
      "not a number from 1 to " + std::to_string(most), text);
}

Status ReadFraction(const std::string& text, double most, double* value) {
  size_t end = 0;
  try {
    *value = std::stod(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end > 0 && end == text.size() && *value >= 0 && *value <= most) {
    return Status::OK();
  }
  return Status::InvalidArgument(
      "not a number from 0 to " + std::to_string(most), text);
}

using Reader = std::function<Status(const std::string& value)>;

std::map<std::string, Reader> ReadersInto(Arguments* a) {
  constexpr uint64_t kMostMegabytes = uint64_t{1} << 30;
  constexpr uint64_t kMostFlushes = 1'000'000;
  constexpr double kMostSpread = 0.99;
  constexpr double kMostTheta = 10;
  const auto number = [](uint64_t most, uint64_t* to) -> Reader {
    return [=](const std::string& text) { return ReadNumber(text, most, to); };
  };
  const auto fraction = [](double most, double* to) -> Reader {
    return
        [=](const std::string& text) { return ReadFraction(text, most, to); };
  };
  KeyDistribution::Shape* const keys = &a->load.keys;
  return {
      {"data_mb", number(kMostMegabytes, &a->data_mb)},
      {"flush_mb", number(kMostMegabytes, &a->flush_mb)},
      {"flushes", number(kMostFlushes, &a->flushes)},
      {"entry_bytes", number(kMostMegabytes, &keys->entry_bytes)},
      {"flush_spread", fraction(kMostSpread, &a->load.flush_spread)},
      {"zipf_theta", fraction(kMostTheta, &keys->theta)},
      {"keys",
       [keys](const std::string& name) {
         return KeyDistribution::KindOf(name, &keys->kind);
       }},
  };
}

Status ReadArguments(int argc, char** argv, Arguments* arguments) {
  const std::map<std::string, Reader> readers = ReadersInto(arguments);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      arguments->wants_help = true;
      return Status::OK();
    }
    if (!argument.starts_with("--")) {
      arguments->policies.push_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const auto reader = readers.find(argument.substr(2, equals - 2));
    if (equals == std::string::npos || reader == readers.end()) {
      return Status::InvalidArgument("no such flag", argument);
    }
    Status s = reader->second(argument.substr(equals + 1));
    if (!s.ok()) return Status::InvalidArgument(argument, s.ToString());
  }
  if (arguments->policies.empty()) arguments->policies.emplace_back();
  arguments->load.base_bytes = arguments->data_mb << 20;
  arguments->load.flush_bytes = arguments->flush_mb << 20;
  if (arguments->flushes == 0) {
    arguments->flushes =
        std::max<uint64_t>(1, arguments->data_mb / arguments->flush_mb);
  }
  arguments->load.flush_count = static_cast<int>(arguments->flushes);
  return Status::OK();
}

Status Simulate(const std::string& policy, const SimulatedLoad& load) {
  ColumnFamilyOptions base, family;
  base.compaction_style = kCompactionStyleUniversal;
  Status s =
      GetColumnFamilyOptionsFromString(ConfigOptions(), base, policy, &family);
  if (s.ok()) s = CompactionSimulator::Check(family);
  if (!s.ok()) return s;
  const SimulatedCost cost = CompactionSimulator(family, load).Run();
  std::printf("%7.2f %7.2f %6d %7.2f %6.2f %11d  %s\n",
              cost.write_amplification, cost.average_runs, cost.most_runs,
              cost.average_space, cost.most_space, cost.compaction_count,
              policy.empty() ? "(default)" : policy.c_str());
  return s;
}

int Main(int argc, char** argv) {
  Arguments arguments;
  Status s = ReadArguments(argc, argv, &arguments);
  if (s.ok() && arguments.wants_help) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (s.ok()) {
    std::printf("%7s %7s %6s %7s %6s %11s  %s\n", "write", "read", "most",
                "space", "most", "compactions", "options");
  }
  for (const std::string& policy : arguments.policies) {
    if (s.ok()) s = Simulate(policy, arguments.load);
  }
  if (s.ok()) return 0;
  std::fprintf(stderr, "compaction_simulator: %s\n", s.ToString().c_str());
  return kFailure;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE

int main(int argc, char** argv) {
  return tools::ExitStatus(ROCKSDB_NAMESPACE::Main(argc, argv),
                           ROCKSDB_NAMESPACE::kFailure);
}
