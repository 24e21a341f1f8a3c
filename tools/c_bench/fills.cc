// Benchmarks that write.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/keys.h"
#include "tools/c_bench/text.h"
#include "tools/c_bench/worker.h"
#include "tools/c_bench/writer.h"

namespace c_bench {

namespace {

constexpr int64_t kEntriesOfBatch = 1000;

Pace WritePace(const Flags& flags) {
  Pace pace;
  pace.is_timed = flags.IsOn("histogram");
  pace.seconds = flags.Number("duration");
  if (pace.seconds == 0) {
    const int64_t writes = flags.Number("writes");
    pace.operations = writes < 0 ? flags.Number("num") : writes;
  }
  return pace;
}

// Each thread writes the keys that `draw` gives it.
template <typename Draw>
void RunWrites(const std::string& name, Database* database, const Draw& draw) {
  const Pace pace = WritePace(database->flags());
  const Total total = RunWorkers(database->flags(), pace, [&](Worker* worker) {
    Writer writer(*database, worker->random().Next());
    while (worker->Next()) writer.Put(draw(worker), worker);
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/false);
}

}  // namespace

void FillInOrder(const std::string& name, Database* database) {
  RunWrites(name, database, [](Worker* worker) { return worker->operations; });
}

void FillAtRandom(const std::string& name, Database* database) {
  const uint64_t keys = database->flags().Number("num");
  RunWrites(name, database,
            [keys](Worker* worker) { return worker->random().Below(keys); });
}

// Each key once, in an order by chance; the threads share them out.
void FillEachOnce(const std::string& name, Database* database) {
  const Flags& flags = database->flags();
  std::vector<uint32_t> order(flags.Number("num"));
  std::iota(order.begin(), order.end(), 0u);
  Random random(flags.Number("seed") + 17);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  const size_t threads = flags.Number("threads");
  Pace pace;
  pace.is_timed = flags.IsOn("histogram");
  const Total total = RunWorkers(flags, pace, [&](Worker* worker) {
    Writer writer(*database, worker->random().Next());
    for (size_t i = worker->id(); i < order.size() && worker->Next();
         i += threads) {
      writer.Put(order[i], worker);
    }
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/false);
}

void FillBatches(const std::string& name, Database* database) {
  Pace pace = WritePace(database->flags());
  if (pace.operations > 0) {
    pace.operations = std::max<int64_t>(pace.operations / kEntriesOfBatch, 1);
  }
  const Total total = RunWorkers(database->flags(), pace, [&](Worker* worker) {
    Writer writer(*database, worker->random().Next());
    while (worker->Next()) {
      writer.PutBatch(worker->operations, kEntriesOfBatch, worker);
    }
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/false);
}

// The first --deletes keys, by one thread of each.
void DeleteInOrder(const std::string& name, Database* database) {
  Pace pace = WritePace(database->flags());
  pace.operations = database->flags().Number("deletes");
  const Total total = RunWorkers(database->flags(), pace, [&](Worker* worker) {
    Writer writer(*database, worker->random().Next());
    while (worker->Next()) writer.Delete(worker->operations, worker);
  });
  PrintTotal(name, total, pace.is_timed, /*is_read=*/false);
}

}  // namespace c_bench
