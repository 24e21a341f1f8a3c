#include "tools/ldb/wal_dump.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "db/wal/log_reader.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/write_batch.h"
#include "tools/ldb/batch_json.h"
#include "tools/ldb/command.h"
#include "tools/ldb/entry_text.h"
#include "tools/ldb/hex.h"
#include "util/coding.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The items of one batch as text.
class BatchPrinter final : public WriteBatch::Handler {
 public:
  BatchPrinter(const WalDumpRequest& request, std::set<uint32_t>* unknown)
      : request_(request), unknown_(unknown) {}

  const std::string& text() const { return text_; }

  Status PutCF(uint32_t family, const Slice& key, const Slice& value) override {
    return Entry("PUT", family, key, &value);
  }
  Status MergeCF(uint32_t family, const Slice& key,
                 const Slice& value) override {
    return Entry("MERGE", family, key, &value);
  }
  Status TimedPutCF(uint32_t family, const Slice& key, const Slice& value,
                    uint64_t write_time) override {
    const Status s = Entry("TIMED_PUT", family, key, &value);
    if (request_.shows_values) {
      text_ += ": " + std::to_string(write_time) + " ";
    }
    return s;
  }
  Status PutBlobIndexCF(uint32_t family, const Slice& key,
                        const Slice& reference) override {
    return Entry("PUT_BLOB_INDEX", family, key, &reference);
  }
  Status DeleteCF(uint32_t family, const Slice& key) override {
    return Entry("DELETE", family, key, nullptr);
  }
  Status SingleDeleteCF(uint32_t family, const Slice& key) override {
    return Entry("SINGLE_DELETE", family, key, nullptr);
  }
  Status PutEntityCF(uint32_t family, const Slice& key,
                     const Slice& entity) override {
    text_ += Item("PUT_ENTITY", family) + Key(family, key);
    if (request_.shows_values) {
      StoredColumns stored;
      const Status s = DecodeStoredColumns(entity, &stored);
      if (!s.ok()) return s;
      text_ += " : " + ColumnsText(stored.columns, Bytes::kHex);
    }
    text_ += ' ';
    return Status::OK();
  }
  Status DeleteRangeCF(uint32_t family, const Slice& begin,
                       const Slice& end) override {
    text_ += Item("DELETE_RANGE", family) + Key(family, begin) + " " +
             Key(family, end) + " ";
    return Status::OK();
  }
  Status MarkBeginPrepare(bool is_unprepared) override {
    text_ += std::string("BEGIN_PREPARE(") +
             (is_unprepared ? "true" : "false") + ") ";
    return Status::OK();
  }
  Status MarkEndPrepare(const Slice& xid) override {
    return Mark("END_PREPARE", xid);
  }
  Status MarkNoop(bool /*empty_batch*/) override {
    text_ += "NOOP ";
    return Status::OK();
  }
  Status MarkCommit(const Slice& xid) override { return Mark("COMMIT", xid); }
  Status MarkCommitWithTimestamp(const Slice& xid,
                                 const Slice& commit_ts) override {
    text_ += "COMMIT_WITH_TIMESTAMP(0x" + HexDigits(xid) + ", 0x" +
             HexDigits(commit_ts) + ") ";
    return Status::OK();
  }
  Status MarkRollback(const Slice& xid) override {
    return Mark("ROLLBACK", xid);
  }

 private:
  static std::string Item(const char* what, uint32_t family) {
    return std::string(what) + "(" + std::to_string(family) + ") : ";
  }
  std::string Key(uint32_t family, Slice key) {
    std::string timestamp;
    const auto found = request_.comparators->find(family);
    if (found == request_.comparators->end()) {
      unknown_->insert(family);
    } else if (const size_t size = found->second->timestamp_size();
               size > 0 && key.size() >= size) {
      timestamp = "|timestamp:" + found->second->TimestampToString(Slice(
                                      key.data() + key.size() - size, size));
      key.remove_suffix(size);
    }
    return "0x" + HexDigits(key) + timestamp;
  }
  Status Entry(const char* what, uint32_t family, const Slice& key,
               const Slice* value) {
    text_ += Item(what, family) + Key(family, key);
    if (value != nullptr && request_.shows_values) {
      text_ += " : 0x" + HexDigits(*value);
    }
    text_ += ' ';
    return Status::OK();
  }
  Status Mark(const char* what, const Slice& xid) {
    text_ += std::string(what) + "(0x" + HexDigits(xid) + ") ";
    return Status::OK();
  }

  const WalDumpRequest& request_;
  std::set<uint32_t>* const unknown_;
  std::string text_;
};

// One log, from its first record to its last.
class WalPrinter {
 public:
  explicit WalPrinter(const WalDumpRequest& request) : request_(request) {}

  DumpOutcome Run(const std::string& path, uint64_t number) {
    std::unique_ptr<SequentialFileReader> file;
    const Status opened = SequentialFileReader::Create(
        request_.env->GetFileSystem().get(), path, FileOptions(), &file);
    if (!opened.ok()) {
      return {"Failed to open WAL file " + opened.ToString(), false};
    }
    log::FirstDamage damage;
    log::Reader::Options options;
    options.log_number = number;
    options.name = path;
    log::Reader reader(std::move(file), &damage, options);
    if (request_.has_header && !request_.as_json) {
      PrintLine(std::string("Sequence,Count,ByteSize,Physical Offset,Key(s)") +
                (request_.shows_values ? " : value " : ""));
    }
    Slice record;
    std::string scratch;
    Status bad_batch;
    while (bad_batch.ok() && damage.status().ok() &&
           reader.ReadRecord(&record, &scratch)) {
      bad_batch = Show(record, reader.LastRecordOffset());
    }
    if (!request_.shows_only_gaps && !request_.as_json) PrintUnknownFamilies();
    if (!bad_batch.ok()) {
      return {"Print write batch error: " + bad_batch.ToString(), false};
    }
    if (damage.status().ok()) return {};
    std::fprintf(stderr, "Corruption detected in log file %s\n",
                 damage.status().ToString().c_str());
    return {damage.status().ToString(), true};
  }

 private:
  Status Show(const Slice& record, uint64_t offset) {
    if (record.size() < kBatchHeaderBytes) {
      return Status::Corruption("log record too small");
    }
    const WriteBatch batch(record.ToString());
    if (Status s = CheckPolicy(record); !s.ok()) return s;
    const uint64_t sequence = DecodeFixed64(record.data());
    const uint64_t count = batch.Count();
    if (request_.as_json) return ShowJson(batch, sequence, offset);
    BatchPrinter printer(request_, &unknown_);
    const Status s = batch.Iterate(&printer);
    if (!s.ok()) return s;
    std::string line = std::to_string(sequence) + "," + std::to_string(count) +
                       "," + std::to_string(record.size()) + "," +
                       std::to_string(offset) + "," + printer.text();
    if (request_.shows_only_gaps) {
      if (!Follows(sequence)) {
        PrintLine("Prev batch sequence number: " +
                  std::to_string(previous_->sequence) + ", prev batch count: " +
                  std::to_string(previous_->count) + ", " + line);
      }
      previous_ = Batch{sequence, count};
      return s;
    }
    PrintLine(line);
    return s;
  }

  bool Follows(uint64_t sequence) const {
    return !previous_.has_value() ||
           sequence == previous_->sequence + previous_->count;
  }

  Status ShowJson(const WriteBatch& batch, uint64_t sequence, uint64_t offset) {
    BatchJson items;
    const Status s = batch.Iterate(&items);
    if (!s.ok()) return s;
    JsonObject object;
    object.Add("sequence", sequence)
        .Add("count", uint64_t{batch.Count()})
        .Add("bytes", uint64_t{batch.GetDataSize()})
        .Add("offset", offset);
    const bool follows = Follows(sequence);
    if (!follows) {
      object.Add("expected_sequence", previous_->sequence + previous_->count);
    }
    object.AddRaw("items", items.Text());
    if (!request_.shows_only_gaps || !follows) PrintLine(object.Text());
    previous_ = Batch{sequence, batch.Count()};
    return s;
  }

  // Sections of write-prepared transactions mean something else.
  Status CheckPolicy(const Slice& record) const {
    if (!request_.expects_committed) return Status::OK();
    for (BatchReader entries(record); !entries.AtEnd();) {
      BatchEntry entry;
      if (Status s = entries.Next(&entry); !s.ok()) return s;
      const bool is_unprepared = entry.type == kTypeBeginUnprepareXID;
      if (!is_unprepared && entry.type != kTypeBeginPersistedPrepareXID) {
        continue;
      }
      return Status::NotSupported(
          std::string(is_unprepared ? "WriteUnprepared"
                                    : "WritePrepared/WriteUnprepared") +
          " txn tag when write_after_commit_ is enabled (in default "
          "WriteCommitted mode). --write_committed=false shows it.");
    }
    return Status::OK();
  }

  void PrintUnknownFamilies() const {
    if (unknown_.empty()) return;
    std::string ids;
    for (const uint32_t id : unknown_) {
      if (!ids.empty()) ids += ',';
      ids += std::to_string(id);
    }
    PrintLine("(Column family id: [" + ids +
              "] contained in WAL are not opened in DB. Timestamps of their "
              "keys are shown as part of the keys; --db=<path> tells them "
              "apart.)");
  }

  struct Batch {
    uint64_t sequence;
    uint64_t count;
  };

  const WalDumpRequest& request_;
  std::set<uint32_t> unknown_;
  std::optional<Batch> previous_;
};

std::string BaseName(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// A log has a name that ends so; its number need not be one.
bool IsLogName(const std::string& name, uint64_t* number) {
  FileType type = kTempFile;
  if (ParseFileName(name, number, &type)) return type == kWalFile;
  *number = 0;
  return Slice(name).ends_with(".log");
}

DumpOutcome DumpDirectory(const WalDumpRequest& request,
                          const std::vector<std::string>& children) {
  const auto is_entry = [](const std::string& child) {
    return child != "." && child != "..";
  };
  if (std::none_of(children.begin(), children.end(), is_entry)) {
    return {request.path + ": Invalid log file name", false};
  }
  std::vector<std::pair<uint64_t, std::string>> logs;
  for (const std::string& child : children) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (ParseFileName(child, &number, &type) && type == kWalFile) {
      logs.emplace_back(number, request.path + "/" + child);
    }
  }
  if (logs.empty()) return {request.path + ": No valid wal logs found", false};
  std::sort(logs.begin(), logs.end());
  DumpOutcome first_failure;
  for (const auto& [number, path] : logs) {
    if (!request.as_json) PrintLine("Checking wal file: " + path);
    const DumpOutcome result = WalPrinter(request).Run(path, number);
    if (first_failure.failure.empty()) first_failure = result;
  }
  return first_failure;
}

}  // namespace

DumpOutcome DumpWal(const WalDumpRequest& request) {
  const Status exists = request.env->FileExists(request.path);
  if (!exists.ok())
    return {request.path + ": No such file or directory", false};
  bool is_directory = false;
  if (request.env->IsDirectory(request.path, &is_directory).ok() &&
      is_directory) {
    std::vector<std::string> children;
    const Status s = request.env->GetChildren(request.path, &children);
    if (!s.ok()) return {s.ToString(), false};
    return DumpDirectory(request, children);
  }
  uint64_t number = 0;
  if (!IsLogName(BaseName(request.path), &number)) {
    return {request.path + ": Invalid log file name", false};
  }
  return WalPrinter(request).Run(request.path, number);
}

}  // namespace ROCKSDB_NAMESPACE
