#include "rocksdb/thread_status.h"

#include <array>

#include "util/no_destructor.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

template <size_t kCount>
using Names = std::array<std::string, kCount>;

// The name at `index`; the empty one for a number out of range.
template <size_t kCount>
const std::string& NameAt(const Names<kCount>& names, int index) {
  static NoDestructor<std::string> none;
  const bool is_known = index >= 0 && static_cast<size_t>(index) < kCount;
  return is_known ? names[static_cast<size_t>(index)] : *none;
}

constexpr uint64_t kManualFlag = 1;
constexpr uint64_t kDeletionFlag = 2;
constexpr uint64_t kTrivialMoveFlag = 4;

}  // namespace

std::string ThreadStatus::GetThreadTypeName(ThreadType thread_type) {
  switch (thread_type) {
    case HIGH_PRIORITY:
      return "High Pri";
    case LOW_PRIORITY:
      return "Low Pri";
    case USER:
      return "User";
    case BOTTOM_PRIORITY:
      return "Bottom Pri";
    case NUM_THREAD_TYPES:
      break;
  }
  return "Unknown";
}

const std::string& ThreadStatus::GetOperationName(OperationType op_type) {
  static NoDestructor<Names<NUM_OP_TYPES>> names(Names<NUM_OP_TYPES>{
      "", "Compaction", "Flush", "DBOpen", "Get", "MultiGet", "DBIterator",
      "VerifyDBChecksum", "VerifyFileChecksums", "GetEntity", "MultiGetEntity",
      "GetFileChecksumsFromCurrentManifest", "LazyResolve"});
  return NameAt(*names, op_type);
}

const std::string& ThreadStatus::GetOperationStageName(OperationStage stage) {
  static NoDestructor<Names<NUM_OP_STAGES>> names(Names<NUM_OP_STAGES>{
      "", "FlushJob::Run", "FlushJob::WriteLevel0Table",
      "CompactionJob::Prepare", "CompactionJob::Run",
      "CompactionJob::ProcessKeyValueCompaction", "CompactionJob::Install",
      "CompactionJob::FinishCompactionOutputFile",
      "MemTableList::PickMemtablesToFlush",
      "MemTableList::RollbackMemtableFlush",
      "MemTableList::TryInstallMemtableFlushResults"});
  return NameAt(*names, stage);
}

const std::string& ThreadStatus::GetOperationPropertyName(OperationType op_type,
                                                          int i) {
  static NoDestructor<Names<NUM_COMPACTION_PROPERTIES>> compaction(
      Names<NUM_COMPACTION_PROPERTIES>{
          "JobID", "InputOutputLevel", "Manual/Deletion/Trivial",
          "TotalInputBytes", "BytesRead", "BytesWritten"});
  static NoDestructor<Names<NUM_FLUSH_PROPERTIES>> flush(
      Names<NUM_FLUSH_PROPERTIES>{"JobID", "BytesMemtables", "BytesWritten"});
  if (op_type == OP_COMPACTION) return NameAt(*compaction, i);
  if (op_type == OP_FLUSH) return NameAt(*flush, i);
  return NameAt(*flush, -1);
}

const std::string& ThreadStatus::GetStateName(StateType state_type) {
  static NoDestructor<Names<NUM_STATE_TYPES>> names(
      Names<NUM_STATE_TYPES>{"", "Mutex Wait"});
  return NameAt(*names, state_type);
}

const std::string ThreadStatus::MicrosToString(uint64_t op_elapsed_time) {
  return op_elapsed_time == 0 ? "" : MicrosToHumanString(op_elapsed_time);
}

std::map<std::string, uint64_t> ThreadStatus::InterpretOperationProperties(
    OperationType op_type, const uint64_t* op_properties) {
  std::map<std::string, uint64_t> result;
  if (op_type == OP_FLUSH) {
    for (int i = 0; i < NUM_FLUSH_PROPERTIES; ++i) {
      result[GetOperationPropertyName(op_type, i)] = op_properties[i];
    }
  }
  if (op_type != OP_COMPACTION) return result;
  const uint64_t levels = op_properties[COMPACTION_INPUT_OUTPUT_LEVEL];
  const uint64_t flags = op_properties[COMPACTION_PROP_FLAGS];
  result["JobID"] = op_properties[COMPACTION_JOB_ID];
  result["BaseInputLevel"] = levels >> 32;
  result["OutputLevel"] = levels & 0xffffffffu;
  result["IsManual"] = (flags & kManualFlag) != 0 ? 1 : 0;
  result["IsDeletion"] = (flags & kDeletionFlag) != 0 ? 1 : 0;
  result["IsTrivialMove"] = (flags & kTrivialMoveFlag) != 0 ? 1 : 0;
  result["TotalInputBytes"] = op_properties[COMPACTION_TOTAL_INPUT_BYTES];
  result["BytesRead"] = op_properties[COMPACTION_BYTES_READ];
  result["BytesWritten"] = op_properties[COMPACTION_BYTES_WRITTEN];
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
