// The NUMA nodes of the machine: processors, and the memory that is near them.
//
// Threads    Immutable, once read; any.
// Errors     NotFound: the system tells of no node. IOError: the system refuses
//            to bind a thread.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

class NumaNodes {
 public:
  struct Node {
    int number;
    std::vector<int> processors;
  };

  // Nodes with processors, as `directory` lists them: Linux's
  // /sys/devices/system/node, or one of that form.
  static Status Read(const std::string& directory, NumaNodes* nodes);
  // Those of this machine if --enable_numa is set, else none.
  static Status ReadIfAsked(NumaNodes* nodes);

  // From now on the calling thread runs on the processors of one node, and
  // takes its memory there; threads take nodes in turn. Without nodes it stays
  // as it is.
  Status BindThisThread(int thread_index) const;

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
};

// "0-3,8" and the like; nothing if it is none.
std::optional<std::vector<int>> ParseNumberList(const std::string& text);

}  // namespace ROCKSDB_NAMESPACE::bench
