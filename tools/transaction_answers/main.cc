// Prints what calls of transactions answer, to compare engines.
//
//   transaction_answers DIR                 all scenes, below DIR
//   transaction_answers DIR --open POLICY END
//     opens the database DIR with a write policy (0, 1, 2), prints what is
//     there, ends what is prepared (END: commit, rollback, or leave), and
//     prints what is there then, now and after a flush and another open
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tools/common/exit_status.h"
#include "tools/transaction_answers/world.h"

namespace transaction_answers {
namespace {

void OpenAndEnd(const std::string& path, int policy, const std::string& end) {
  World world(path, "open");
  world.db_options.write_policy =
      static_cast<rocksdb::TxnDBWritePolicy>(policy);
  // Else RocksDB leaves them where they are.
  world.db_options.rollback_merge_operands = true;
  const Status s = world.TryOpen();
  world.Say("Open", s);
  if (!s.ok()) return;
  world.Say("prepared", world.Prepared());
  world.Say("all", world.All());
  std::vector<Transaction*> left;
  if (end != "leave") world.db()->GetAllPreparedTransactions(&left);
  for (Transaction* txn : left) {
    const TxnPtr owned(txn);
    world.Say(end + " " + txn->GetName(),
              end == "commit" ? txn->Commit() : txn->Rollback());
  }
  world.Say("all, " + end, world.All());
  world.FlushAll();
  world.Reopen();
  world.Say("prepared, opened again", world.Prepared());
  world.Say("all, opened again", world.All());
}

int RunAll(const std::string& path) {
  int number = 0;
  for (const auto* scenes : {&LockScenes(), &PhaseScenes()}) {
    for (const Scene& scene : *scenes) {
      World world(path + "/" + std::to_string(++number), scene.name);
      world.Open();
      scene.run(&world);
    }
  }
  return 0;
}

}  // namespace
}  // namespace transaction_answers

int main(int argc, char** argv) {
  if (argc == 2) {
    return tools::ExitStatus(transaction_answers::RunAll(argv[1]));
  }
  if (argc == 5 && std::string(argv[2]) == "--open") {
    transaction_answers::OpenAndEnd(argv[1], std::atoi(argv[3]), argv[4]);
    return tools::ExitStatus(0);
  }
  std::fprintf(stderr,
               "usage: transaction_answers DIR [--open POLICY "
               "commit|rollback|leave]\n");
  return 2;
}
