#include "table/plain/plain_table_builder.h"

#include <cassert>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice_transform.h"
#include "table/plain/plain_table_format.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_limit.h"

namespace ROCKSDB_NAMESPACE {

PlainTableBuilder::PlainTableBuilder(const PlainTableOptions& table_options,
                                     const TableBuilderOptions& options,
                                     WritableFileWriter* file)
    : table_options_(table_options),
      order_(options.cf->user_comparator),
      timestamp_bytes_(options.cf->user_comparator->timestamp_size()),
      key_text_(KeyTextOf(options.db->allow_data_in_errors)),
      prefix_extractor_(options.mutable_cf->prefix_extractor),
      file_(file),
      gatherer_(options) {
  INVARIANT(file_ != nullptr);
  if (options.is_external) {
    Note(Status::NotSupported("PlainTable: files to be ingested"));
  }
  if (table_options_.store_index_in_file) {
    index_.emplace(table_options_, prefix_extractor_ != nullptr,
                   options.cf->bloom_locality);
  }
}

PlainTableBuilder::~PlainTableBuilder() {
  assert(is_closed_);  // Else a half table would look done.
}

void PlainTableBuilder::Abandon() {
  assert(!is_closed_);
  is_closed_ = true;
}

bool PlainTableBuilder::CheckEntry(const Slice& key, const Slice& value) {
  INVARIANT(!is_closed_);
  if (!status_.ok()) return false;
  if (key.size() < kInternalKeyTrailerBytes ||
      !IsStoredType(ExtractType(key))) {
    Note(Status::Corruption("table builder: not an internal key",
                            InternalKeyText(key, key_text_)));
  } else if (!last_key_.empty() && order_.Compare(last_key_, key) >= 0) {
    Note(Status::Corruption("table builder: keys out of order",
                            InternalKeyText(last_key_, key_text_) + " before " +
                                InternalKeyText(key, key_text_)));
  } else if (IsEntryTooLarge(key.size(), value.size())) {
    Note(EntryTooLarge(key.size(), value.size()));
  } else if (table_options_.user_key_len != kPlainTableVariableLength &&
             ExtractUserKey(key).size() != table_options_.user_key_len) {
    Note(Status::InvalidArgument(
        "PlainTable: user_key_len=" +
            std::to_string(table_options_.user_key_len),
        "a key of " + std::to_string(ExtractUserKey(key).size()) + " bytes"));
  }
  return status_.ok();
}

void PlainTableBuilder::Add(const Slice& key, const Slice& value) {
  if (!CheckEntry(key, value)) return;
  INVARIANT(ExtractType(key) != kTypeRangeDeletion);
  AddToIndex(ExtractUserKey(key));
  if (!status_.ok()) return;
  row_.clear();
  AppendKey(ExtractUserKey(key));
  AppendPlainTrailer(key, &row_);
  PutVarint32(&row_, static_cast<uint32_t>(value.size()));
  Note(file_->Append(row_));
  if (status_.ok()) Note(file_->Append(value));
  if (!status_.ok()) return;
  offset_ += row_.size() + value.size();
  last_key_.assign(key.data(), key.size());
  gatherer_.AddEntry(key, value, offset_);
}

void PlainTableBuilder::AppendKey(const Slice& user_key) {
  if (table_options_.encoding_type == kPrefix) {
    AppendParts(user_key);
    return;
  }
  if (table_options_.user_key_len == kPlainTableVariableLength) {
    PutVarint32(&row_, static_cast<uint32_t>(user_key.size()));
  }
  row_.append(user_key.data(), user_key.size());
}

// A full key at least as often as the index has an entry.
void PlainTableBuilder::AppendParts(const Slice& user_key) {
  const auto size = static_cast<uint32_t>(user_key.size());
  const Slice prefix = PrefixOf(user_key);
  const bool shares = !prefix.empty() && prefix == Slice(prefix_) &&
                      rows_since_full_key_ < table_options_.index_sparseness;
  if (!shares) {
    AppendPlainKeyPart(PlainKeyPart::kFull, size, &row_);
    row_.append(user_key.data(), user_key.size());
    prefix_ = prefix.ToString();
    rows_since_full_key_ = 1;
    return;
  }
  const auto prefix_size = static_cast<uint32_t>(prefix.size());
  assert(prefix_size <= size);
  if (rows_since_full_key_ == 1) {
    AppendPlainKeyPart(PlainKeyPart::kPrefix, prefix_size, &row_);
  }
  AppendPlainKeyPart(PlainKeyPart::kSuffix, size - prefix_size, &row_);
  row_.append(user_key.data() + prefix_size, size - prefix_size);
  ++rows_since_full_key_;
}

// Its first bytes, if the extractor makes such a prefix.
Slice PlainTableBuilder::PrefixOf(const Slice& user_key) const {
  const Slice given(user_key.data(), user_key.size() - timestamp_bytes_);
  if (prefix_extractor_ == nullptr || !prefix_extractor_->InDomain(given)) {
    return Slice();
  }
  const Slice prefix = prefix_extractor_->Transform(given);
  return user_key.starts_with(prefix) ? prefix : Slice();
}

void PlainTableBuilder::AddToIndex(const Slice& user_key) {
  if (!index_.has_value()) return;
  const Slice given(user_key.data(), user_key.size() - timestamp_bytes_);
  const bool has_prefix =
      prefix_extractor_ != nullptr && prefix_extractor_->InDomain(given);
  const Slice prefix = has_prefix ? prefix_extractor_->Transform(given) : given;
  if (!index_->Add(prefix, offset_)) {
    Note(Status::InvalidArgument("PlainTable: store_index_in_file=true",
                                 "a file of 2 GiB or more"));
  }
}

BlockHandle PlainTableBuilder::WriteBlock(const std::string& block) {
  const BlockHandle handle{.offset = offset_, .size = block.size()};
  if (status_.ok()) Note(file_->Append(block));
  if (status_.ok()) offset_ += block.size();
  return handle;
}

std::map<std::string, BlockHandle> PlainTableBuilder::WriteIndex() {
  std::map<std::string, BlockHandle> blocks;
  TableProperties& p = gatherer_.properties();
  if (!index_.has_value() || p.num_entries == 0) return blocks;
  const std::string filter = index_->Filter();
  if (!filter.empty()) {
    blocks[kPlainFilterBlock] = WriteBlock(filter);
    p.filter_size = filter.size();
  }
  const std::string index = index_->Index();
  blocks[kPlainIndexBlock] = WriteBlock(index);
  p.index_size = index.size();
  UserCollectedProperties& own = p.user_collected_properties;
  own[kPlainBloomVersionProperty] = "1";
  std::string& lines = own[kPlainBloomLinesProperty];
  lines.clear();
  PutVarint32(&lines, index_->filter_lines());
  return blocks;
}

void PlainTableBuilder::AddTombstone(const Slice& /*key*/,
                                     const Slice& /*end*/) {
  INVARIANT(!is_closed_);
  Note(Status::NotSupported("PlainTable: range deletions"));
}

uint64_t PlainTableBuilder::TailSize() const {
  return is_closed_ ? offset_ - rows_end_ : 0;
}

Status PlainTableBuilder::Finish() {
  INVARIANT(!is_closed_);
  is_closed_ = true;
  rows_end_ = offset_;
  if (!status_.ok()) return status_;
  gatherer_.Finish();
  TableProperties& p = gatherer_.properties();
  p.data_size = offset_;
  p.tail_start_offset = offset_;
  p.num_data_blocks = 1;
  p.fixed_key_len = table_options_.user_key_len;
  std::string& encoding = p.user_collected_properties[kPlainEncodingProperty];
  encoding.clear();
  PutFixed32(&encoding, static_cast<uint32_t>(table_options_.encoding_type));
  const auto blocks = WriteIndex();
  WriteBlock(EncodePlainTail(offset_, p, blocks));
  return status_;
}

}  // namespace ROCKSDB_NAMESPACE
