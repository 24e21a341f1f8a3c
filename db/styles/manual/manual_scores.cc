// kCompactionStyleNone: nothing is begun, but writers wait for level 0 as they
// do anywhere.
#include "db/version/style_scores.h"

namespace ROCKSDB_NAMESPACE {

const StyleScores& ScoresOfManual() {
  static const StyleScores scores;
  return scores;
}

}  // namespace ROCKSDB_NAMESPACE
