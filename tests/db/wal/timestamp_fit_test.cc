// Batches of a log whose families had timestamps of other sizes. The cases of
// tests/testdata/logs/timestamp_fit.txt are
//
//   fit then:FAMILY=SIZE,.. now:FAMILY=SIZE,..   tail:BYTES: garbage behind it
//   BATCH                                        as in batch_text.h
//
// and answer with the batch that fits now.
#include "db/wal/timestamp_fit.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/db/wal/batch_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TimestampSizes SizesOfText(const std::string& text) {
  TimestampSizes sizes;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    sizes[static_cast<uint32_t>(std::stoul(part))] =
        static_cast<uint16_t>(std::stoul(part.substr(equals + 1)));
  }
  return sizes;
}

std::string RunTimestampFit(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "fit");
  WriteBatch batch(BatchOfText(c.body).Data() +
                   BytesOfText(command.Text("tail", "")));
  const std::string before = batch.Data();
  const Status s = FitTimestamps(SizesOfText(command.Text("then", "")),
                                 SizesOfText(command.Text("now", "")), &batch);
  if (!s.ok()) {
    EXPECT_EQ(batch.Data(), before) << "changed on failure";
    return s.ToString() + "\n";
  }
  return (batch.Data() == before ? "as it was" : TextOfBatch(batch)) +
         std::string("\n") + "sequence " +
         std::to_string(WriteBatchInternal::Sequence(batch)) + "\n";
}

TEST(TimestampFit, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("logs/timestamp_fit.txt", RunTimestampFit), 18u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
