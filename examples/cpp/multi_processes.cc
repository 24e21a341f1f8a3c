// Two processes with one database: this one writes, and a child follows it as a
// secondary instance, which sees what was written when it asks.
//
//   multi_processes DIRECTORY
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace {

void Check(const rocksdb::Status& s) {
  if (s.ok()) return;
  fprintf(stderr, "%s\n", s.ToString().c_str());
  _exit(1);
}

// Waits for a byte of the other process; false: it has none left.
bool Await(int from) {
  char byte = 0;
  return read(from, &byte, 1) == 1;
}
void Tell(int to) {
  if (write(to, "x", 1) != 1) _exit(1);
}

void Follow(const std::string& path, int from, int to) {
  if (!Await(from)) _exit(1);
  rocksdb::Options options;
  options.max_open_files = -1;  // Files stay readable when they are deleted.
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::OpenAsSecondary(options, path, path + "_secondary", &db));
  Tell(to);
  while (Await(from)) {
    Check(db->TryCatchUpWithPrimary());
    std::string value;
    Check(db->Get(rocksdb::ReadOptions(), "round", &value));
    printf("the secondary sees round %s\n", value.c_str());
    fflush(stdout);
    Tell(to);
  }
  db.reset();
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = std::string(argv[1]) + "/db";
  int to_child[2];
  int to_parent[2];
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) return 1;
  // Before the first database is opened, whose threads a child would not have.
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    close(to_child[1]);
    Follow(path, to_child[0], to_parent[1]);
  }
  close(to_child[0]);
  rocksdb::Options options;
  options.create_if_missing = true;
  std::unique_ptr<rocksdb::DB> db;
  Check(rocksdb::DB::Open(options, path, &db));
  Tell(to_child[1]);
  if (!Await(to_parent[0])) return 1;
  for (int round = 1; round <= 3; ++round) {
    Check(db->Put(rocksdb::WriteOptions(), "round", std::to_string(round)));
    if (round == 2) Check(db->Flush(rocksdb::FlushOptions()));
    Tell(to_child[1]);
    if (!Await(to_parent[0])) return 1;
  }
  close(to_child[1]);
  int status = 0;
  if (waitpid(child, &status, 0) != child) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
