#include "tools/db_bench/numa_nodes.h"

#include <errno.h>
#include <gflags/gflags.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <fstream>

DEFINE_bool(enable_numa, false,
            "Threads take the NUMA nodes in turn: each runs on the processors "
            "of one, and takes its memory there.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Numbers above this are no processors.
constexpr int kMostNumbers = 1 << 16;
// set_mempolicy(2): no other node's memory. The C library does not declare it.
constexpr int kBindMemory = 2;

bool ParseNumber(const char** at, const char* end, int* number) {
  const auto result = std::from_chars(*at, end, *number);
  *at = result.ptr;
  return result.ec == std::errc() && *number >= 0 && *number < kMostNumbers;
}

Status ReadNumberList(const std::string& path, std::vector<int>* numbers) {
  std::ifstream file(path);
  std::string line;
  if (!file.good()) return Status::NotFound(path, "cannot be read");
  std::getline(file, line);
  std::optional<std::vector<int>> parsed = ParseNumberList(line);
  if (!parsed.has_value()) {
    return Status::Corruption(path, "is no list of numbers: " + line);
  }
  *numbers = std::move(*parsed);
  return Status::OK();
}

Status Refused(const char* call, int node) {
  return Status::IOError("--enable_numa: node " + std::to_string(node),
                         std::string(call) + ": " + strerror(errno));
}

}  // namespace

std::optional<std::vector<int>> ParseNumberList(const std::string& text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int first = 0;
    if (!ParseNumber(&at, end, &first)) return std::nullopt;
    int last = first;
    if (at != end && *at == '-' && !ParseNumber(&++at, end, &last)) {
      return std::nullopt;
    }
    for (int number = first; number <= last; ++number) {
      numbers.push_back(number);
    }
    if (last < first || (at != end && (*at != ',' || ++at == end))) {
      return std::nullopt;
    }
  }
  return numbers;
}

Status NumaNodes::Read(const std::string& directory, NumaNodes* nodes) {
  nodes->nodes_.clear();
  std::vector<int> numbers;
  Status s = ReadNumberList(directory + "/online", &numbers);
  for (size_t i = 0; i < numbers.size() && s.ok(); ++i) {
    Node node{numbers[i], {}};
    s = ReadNumberList(
        directory + "/node" + std::to_string(numbers[i]) + "/cpulist",
        &node.processors);
    // Some are memory alone.
    if (!node.processors.empty()) nodes->nodes_.push_back(std::move(node));
  }
  if (s.ok() && nodes->nodes_.empty()) {
    return Status::NotFound(directory, "no node has processors");
  }
  return s;
}

Status NumaNodes::ReadIfAsked(NumaNodes* nodes) {
  return FLAGS_enable_numa ? Read("/sys/devices/system/node", nodes)
                           : Status::OK();
}

Status NumaNodes::BindThisThread(int thread_index) const {
  if (nodes_.empty()) return Status::OK();
  const Node& node = nodes_[static_cast<size_t>(thread_index) % nodes_.size()];
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (const int processor : node.processors) {
    if (processor < CPU_SETSIZE) CPU_SET(processor, &processors);
  }
  if (sched_setaffinity(0, sizeof(processors), &processors) != 0) {
    return Refused("sched_setaffinity", node.number);
  }
  constexpr size_t kBits = 8 * sizeof(unsigned long);
  const auto number = static_cast<size_t>(node.number);
  std::vector<unsigned long> memory(number / kBits + 1);
  memory[number / kBits] = 1UL << (number % kBits);
  if (syscall(SYS_set_mempolicy, kBindMemory, memory.data(),
              memory.size() * kBits + 1) != 0) {
    return Refused("set_mempolicy", node.number);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
