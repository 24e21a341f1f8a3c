#include "rocksdb/db_bench_tool.h"

#include <memory>
#include <string>

#include "tools/db_bench/bench_run.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using MadeDb = std::unique_ptr<DB>;

bench::Openings OpeningsBy(ToolHooks* hooks) {
  using bench::OpenAnswer;
  using bench::OpenRequest;
  bench::Openings openings;
  openings.open = [hooks](const OpenRequest& r, OpenAnswer<DB>* a) {
    MadeDb made;
    const Status s =
        r.families.empty()
            ? hooks->Open(r.options, r.path, &made)
            : hooks->Open(r.options, r.path, r.families, &a->handles, &made);
    a->db = made.release();
    return s;
  };
  openings.open_for_reads = [hooks](const OpenRequest& r, OpenAnswer<DB>* a) {
    MadeDb made;
    const Status s =
        r.families.empty()
            ? hooks->OpenForReadOnly(r.options, r.path, &made, false)
            : hooks->OpenForReadOnly(r.options, r.path, r.families, &a->handles,
                                     &made);
    a->db = made.release();
    return s;
  };
  openings.open_transactions = [hooks](const OpenRequest& r,
                                       OpenAnswer<TransactionDB>* a) {
    const TransactionDBOptions options;
    return r.families.empty()
               ? hooks->OpenTransactionDB(r.options, options, r.path, &a->db)
               : hooks->OpenTransactionDB(r.options, options, r.path,
                                          r.families, &a->handles, &a->db);
  };
  openings.open_optimistic = [hooks](const OpenRequest& r,
                                     OpenAnswer<OptimisticTransactionDB>* a) {
    return r.families.empty()
               ? hooks->OpenOptimisticTransactionDB(r.options, r.path, &a->db)
               : hooks->OpenOptimisticTransactionDB(
                     r.options, r.path, r.families, &a->handles, &a->db);
  };
  return openings;
}

}  // namespace

int db_bench_tool(int argc, char** argv, ToolHooks& hooks) {
  return bench::RunDbBench(argc, argv, OpeningsBy(&hooks));
}

}  // namespace ROCKSDB_NAMESPACE
