#include "tools/db_bench/plan.h"

#include <cstdio>
#include <sstream>

#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr int kMostRepetitions = 100000;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<Benchmark> AllBenchmarks() {
  std::vector<Benchmark> all;
  for (const auto& group :
       {FillBenchmarks(), ReadBenchmarks(), SeekBenchmarks(), MixedBenchmarks(),
        UpdateBenchmarks(), TransactionBenchmarks(), MicroBenchmarks(),
        AdminBenchmarks(), BackupBenchmarks(), DeterministicBenchmarks(),
        EntityBenchmarks(), IngestBenchmarks(), MixGraphBenchmarks(),
        RemoteCompactionBenchmarks(), ReplaceBenchmarks(),
        SelectiveDeleteBenchmarks(), TimeSeriesBenchmarks(), TraceBenchmarks(),
        VerifyBenchmarks()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

// Finds the benchmark or command that `step` names.
bool Find(Step* step) {
  for (const Benchmark& benchmark : AllBenchmarks()) {
    if (step->name == benchmark.name) step->benchmark = benchmark;
  }
  for (const Command& command : AdminCommands()) {
    if (step->name == command.name) step->command = command;
  }
  return step->benchmark.has_value() || step->command.has_value();
}

// Reads "X5" or "W2" into the step; false if it is neither.
bool ReadRepetition(const std::string& text, Step* step) {
  if (text.size() < 2 || text.size() > 7 ||
      text.find_first_not_of("0123456789", 1) != std::string::npos) {
    return false;
  }
  const int count = std::stoi(text.substr(1));
  if (count < 1 || count > kMostRepetitions) return false;
  if (text[0] == 'X') step->runs = count;
  if (text[0] == 'W') step->warm_ups = count;
  return text[0] == 'X' || text[0] == 'W';
}

// Takes a suffix such as "[X5-W1]" off `text`.
Status ReadStep(const std::string& text, Step* step) {
  const size_t bracket = text.find('[');
  step->name = text.substr(0, bracket);
  if (bracket == std::string::npos) return Status::OK();
  if (text.back() == ']') {
    bool is_good = true;
    const size_t size = text.size() - bracket - 2;
    for (const std::string& part : Split(text.substr(bracket + 1, size), '-')) {
      is_good = is_good && ReadRepetition(part, step);
    }
    if (is_good && size > 0) return Status::OK();
  }
  return Status::InvalidArgument(
      "--benchmarks: " + text,
      "the suffix must be [X<runs>], [W<warm-ups>] or [X<runs>-W<warm-ups>]");
}

}  // namespace

std::vector<std::string> BenchmarkNames() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : AllBenchmarks()) {
    names.emplace_back(benchmark.name);
  }
  for (const Command& command : AdminCommands()) {
    names.emplace_back(command.name);
  }
  return names;
}

Status MakePlan(std::vector<Step>* result) {
  const bool is_default = !WasSet("benchmarks");
  std::string left_out;
  for (const std::string& text : Split(FLAGS_benchmarks, ',')) {
    Step step;
    if (Status s = ReadStep(text, &step); !s.ok()) return s;
    if (Find(&step)) {
      result->push_back(step);
    } else if (is_default) {
      left_out += " " + step.name;
    } else {
      return Status::InvalidArgument("unknown benchmark '" + step.name + "'");
    }
  }
  if (!left_out.empty()) {
    fprintf(stderr, "left out of the default list, as not in this program:%s\n",
            left_out.c_str());
  }
  if (result->empty()) return Status::InvalidArgument("--benchmarks: empty");
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
