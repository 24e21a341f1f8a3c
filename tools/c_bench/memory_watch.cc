#include "tools/c_bench/memory_watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tools/c_bench/text.h"

namespace c_bench {

MemoryWatch::MemoryWatch(const Database& database) : database_(database) {
  thread_ = std::thread([this] { Watch(); });
}

MemoryWatch::~MemoryWatch() {
  is_over_.store(true);
  thread_.join();
  printf(
      "Memory at most: resident %llu, cache %llu, pinned %llu, memtables "
      "%llu, readers %llu\n",
      Printed(most_.resident), Printed(most_.cache), Printed(most_.pinned),
      Printed(most_.memtables), Printed(most_.readers));
  if (!account_.empty()) printf("Its account then:\n%s\n", account_.c_str());
}

void MemoryWatch::Watch() {
  const auto raise = [](uint64_t* most, uint64_t now) {
    *most = std::max(*most, now);
  };
  while (!is_over_.load()) {
    const uint64_t resident = ReadResident().now_kib << 10;
    if (resident > most_.resident) {
      most_.resident = resident;
      account_ = database_.TextProperty("basalt.memory");
    }
    raise(&most_.cache, database_.Property("rocksdb.block-cache-usage"));
    raise(&most_.pinned,
          database_.Property("rocksdb.block-cache-pinned-usage"));
    raise(&most_.memtables, database_.Property("rocksdb.size-all-mem-tables"));
    raise(&most_.readers,
          database_.Property("rocksdb.estimate-table-readers-mem"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace c_bench
