#include "table/external/external_table_builder.h"

#include <cassert>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "table/properties_block.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

// The file as a format may use it: it appends.
class ExternalTableBuilderAdapter::OpenFile final
    : public FSWritableFileWrapper {
 public:
  explicit OpenFile(WritableFileWriter* writer)
      : FSWritableFileWrapper(writer->writable_file()), writer_(writer) {}

  IOStatus Append(const Slice& data, const IOOptions& /*options*/,
                  IODebugContext* /*dbg*/) override {
    return writer_->Append(data);
  }
  IOStatus Append(const Slice& data, const IOOptions& /*options*/,
                  const DataVerificationInfo& /*verification_info*/,
                  IODebugContext* /*dbg*/) override {
    return writer_->Append(data);
  }
  IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                            const IOOptions& /*options*/,
                            IODebugContext* /*dbg*/) override {
    return Refused("PositionedAppend");
  }
  IOStatus PositionedAppend(const Slice& /*data*/, uint64_t /*offset*/,
                            const IOOptions& /*options*/,
                            const DataVerificationInfo& /*verification_info*/,
                            IODebugContext* /*dbg*/) override {
    return Refused("PositionedAppend");
  }
  IOStatus Truncate(uint64_t /*size*/, const IOOptions& /*options*/,
                    IODebugContext* /*dbg*/) override {
    return Refused("Truncate");
  }
  IOStatus Flush(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return writer_->Flush();
  }
  IOStatus Close(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return Refused("Close");
  }
  IOStatus Sync(const IOOptions& /*options*/,
                IODebugContext* /*dbg*/) override {
    return Refused("Sync");
  }
  IOStatus Fsync(const IOOptions& /*options*/,
                 IODebugContext* /*dbg*/) override {
    return Refused("Fsync");
  }
  uint64_t GetFileSize(const IOOptions& /*options*/,
                       IODebugContext* /*dbg*/) override {
    return writer_->GetFileSize();
  }

 private:
  static IOStatus Refused(const char* call) {
    return IOStatus::NotSupported(
        "the file of an external table is appended to only", call);
  }

  WritableFileWriter* const writer_;
};

Status CheckExternalTableOrder(const Comparator* order,
                               const std::string& format) {
  if (order == nullptr || order->timestamp_size() == 0) return Status::OK();
  return Status::NotSupported("table_factory=" + format,
                              "external tables have no timestamps");
}

ExternalTableBuilderAdapter::ExternalTableBuilderAdapter(
    const ExternalTableFactory& factory, const TableBuilderOptions& options,
    WritableFileWriter* file)
    : order_(options.cf->user_comparator),
      key_text_(KeyTextOf(options.db->allow_data_in_errors)),
      format_(factory.Name()),
      gatherer_(options) {
  INVARIANT(file != nullptr);
  Note(CheckExternalTableOrder(order_.user_comparator(), format_));
  if (!status_.ok()) return;
  file_ = std::make_unique<OpenFile>(file);
  const ReadOptions read;
  const WriteOptions write;
  const ExternalTableBuilderOptions building(
      read, write, options.mutable_cf->prefix_extractor,
      order_.user_comparator(), options.column_family_name, options.reason,
      options.db->env->GetFileSystem());
  inner_.reset(
      factory.NewTableBuilder(building, file->file_name(), file_.get()));
  if (inner_ == nullptr) {
    Note(Status::NotSupported("table_factory=" + format_,
                              "the format cannot be written"));
  }
}

ExternalTableBuilderAdapter::~ExternalTableBuilderAdapter() {
  assert(is_closed_);  // Else a half table would look done.
}

void ExternalTableBuilderAdapter::Abandon() {
  assert(!is_closed_);
  is_closed_ = true;
  if (inner_ != nullptr) inner_->Abandon();
}

uint64_t ExternalTableBuilderAdapter::FileSize() const {
  return inner_ != nullptr ? inner_->FileSize() : 0;
}

bool ExternalTableBuilderAdapter::CheckEntry(const Slice& key) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  ParsedInternalKey parsed;
  if (!ParseInternalKey(key, &parsed)) {
    Note(Status::Corruption("table builder: not an internal key",
                            InternalKeyText(key, key_text_)));
  } else if (parsed.type != kTypeValue) {
    Note(Status::NotSupported(
        "Value type " + std::to_string(static_cast<int>(parsed.type)) +
            " not supported",
        "table_factory=" + format_));
  } else if (parsed.sequence != 0) {
    Note(Status::NotSupported("sequence number larger than 0",
                              "table_factory=" + format_));
  } else if (!last_key_.empty() && order_.Compare(last_key_, key) >= 0) {
    Note(Status::Corruption("table builder: keys out of order",
                            InternalKeyText(last_key_, key_text_) + " before " +
                                InternalKeyText(key, key_text_)));
  }
  return status_.ok();
}

void ExternalTableBuilderAdapter::Add(const Slice& key, const Slice& value) {
  if (!CheckEntry(key)) return;
  inner_->Add(ExtractUserKey(key), value);
  Note(inner_->status());
  if (!status_.ok()) return;
  last_key_.assign(key.data(), key.size());
  gatherer_.AddEntry(key, value, inner_->FileSize());
}

void ExternalTableBuilderAdapter::AddTombstone(const Slice& /*key*/,
                                               const Slice& /*end*/) {
  INVARIANT(!is_closed_);
  Note(Status::NotSupported("range deletions", "table_factory=" + format_));
}

Status ExternalTableBuilderAdapter::PutProperties() {
  gatherer_.Finish();
  gatherer_.properties().data_size = inner_->FileSize();
  const Status s =
      inner_->PutPropertiesBlock(EncodeProperties(gatherer_.properties()));
  return s.IsNotSupported() ? Status::OK() : s;
}

Status ExternalTableBuilderAdapter::Finish() {
  INVARIANT(!is_closed_);
  if (status_.ok()) Note(PutProperties());
  if (!status_.ok()) {
    Abandon();
    return status_;
  }
  is_closed_ = true;
  Note(inner_->Finish());
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE
