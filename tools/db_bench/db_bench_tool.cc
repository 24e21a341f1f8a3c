#include "rocksdb/db_bench_tool.h"

#include <memory>
#include <string>

#include "tools/db_bench/bench_run.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using MadeDb = std::unique_ptr<DB>;

bench::Openings OpeningsBy(ToolHooks* hooks) {
  bench::Openings openings;
  openings.open = [hooks](const Options& options, const std::string& path,
                          DB** db) {
    MadeDb made;
    const Status s = hooks->Open(options, path, &made);
    *db = made.release();
    return s;
  };
  openings.open_for_reads = [hooks](const Options& options,
                                    const std::string& path, DB** db) {
    MadeDb made;
    const Status s = hooks->OpenForReadOnly(options, path, &made, false);
    *db = made.release();
    return s;
  };
  openings.open_transactions = [hooks](const Options& options,
                                       const std::string& path,
                                       TransactionDB** db) {
    return hooks->OpenTransactionDB(options, TransactionDBOptions(), path, db);
  };
  openings.open_optimistic = [hooks](const Options& options,
                                     const std::string& path,
                                     OptimisticTransactionDB** db) {
    return hooks->OpenOptimisticTransactionDB(options, path, db);
  };
  return openings;
}

}  // namespace

int db_bench_tool(int argc, char** argv, ToolHooks& hooks) {
  return bench::RunDbBench(argc, argv, OpeningsBy(&hooks));
}

}  // namespace ROCKSDB_NAMESPACE
