// A command that moves a family's data by itself, and has the family at rest
// meanwhile: it is opened without automatic compactions, and with what the
// command needs besides.
//
// Invariant  However the command ends, once the database is closed the OPTIONS
//            file has the family's own values, as the OPTIONS file before and
//            the command line gave them. A process that is killed leaves the
//            others there.
#pragma once

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE {

class AtRestCommand : public Command {
 public:
  using Command::Command;
  void PrepareOptions() override;
  void DoCommand() override;

 protected:
  // Sets what the command needs, before the database is opened. Sizes of files
  // and of compactions are given back; what cannot change while the database is
  // open stays.
  virtual void Adapt(ColumnFamilyOptions* /*options*/) {}
  // What the command does with the open database.
  virtual void Work() = 0;

 private:
  // Those that the family is opened with.
  ColumnFamilyOptions* FamilyOptions();
  void GiveBack();

  ColumnFamilyOptions own_;
};

}  // namespace ROCKSDB_NAMESPACE
