#include "db/outputs/output_reader.h"

#include <string>

#include "db/family/column_family.h"
#include "db/tables/input_iterator.h"
#include "file/whole_file.h"
#include "rocksdb/file_checksum.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

OutputReader::OutputReader(const JobContext& job, const Output& output)
    : job_(job),
      output_(output),
      bulk_(CompactionReadPolicy(*job.db, *job.mutable_db,
                                 job.read_file_options)) {
  INVARIANT(output.file != nullptr && output.options != nullptr);
  INVARIANT(output.level >= 0);
  read_.fill_cache = false;
  read_.total_order_seek = true;
  read_.verify_checksums = true;
  read_.readahead_size = job.mutable_db->compaction_readahead_size;
  request_.file = output.file;
  request_.level = output.level;
  request_.mutable_cf = output.options;
  request_.table.read_options = &read_;
  request_.table.skip_filters = true;
  request_.bulk = &bulk_;
}

bool OutputReader::IsAsked(const MutableCFOptions& options,
                           VerifyOutputFlags where, VerifyOutputFlags what) {
  const VerifyOutputFlags flags = options.verify_output_flags;
  return !!(flags & where) && !!(flags & what);
}

Status OutputReader::NewIterator(
    std::unique_ptr<InternalIterator>* entries) const {
  INVARIANT(entries != nullptr);
  return job_.cfd->tables()->NewIterator(request_, entries);
}

Status OutputReader::CheckBlocks() const {
  TableCache::BulkData whole;
  Status s = job_.cfd->tables()->OpenStream(request_, &whole);
  return s.ok() ? whole.reader->VerifyChecksum(read_, whole.data.get()) : s;
}

Status OutputReader::CheckEntries() const {
  std::unique_ptr<InternalIterator> entries;
  Status s = NewIterator(&entries);
  if (!s.ok()) return s;
  const std::string path = job_.cfd->tables()->FilePath(*output_.file);
  const InternalKeyComparator& order = job_.cfd->order();
  uint64_t count = output_.file->range_deletion_count.load();
  std::string last;
  for (entries->SeekToFirst(); entries->Valid(); entries->Next(), ++count) {
    const Slice key = entries->key();
    if (key.size() < kInternalKeyTrailerBytes) {
      return Status::Corruption(path, "holds a key that is none");
    }
    if (!last.empty() && order.Compare(Slice(last), key) >= 0) {
      return Status::Corruption(path, "has keys out of order");
    }
    last.assign(key.data(), key.size());
  }
  if (s = entries->status(); !s.ok()) return s;
  const uint64_t expected = output_.file->entry_count.load();
  if (count == expected) return s;
  return Status::Corruption(path, "reads " + std::to_string(count) +
                                      " entries, its properties say " +
                                      std::to_string(expected));
}

Status OutputReader::CheckFile() const {
  const FileMeta& file = *output_.file;
  FileChecksumGenFactory* factory = job_.db->file_checksum_gen_factory.get();
  if (factory == nullptr || file.checksum_function.empty() ||
      file.checksum_function == kUnknownFileChecksumFuncName) {
    return Status::OK();
  }
  const std::string path = job_.cfd->tables()->FilePath(file);
  const std::unique_ptr<FileChecksumGenerator> generator =
      factory->CreateFileChecksumGenerator({path, file.checksum_function});
  if (generator == nullptr || generator->Name() != file.checksum_function) {
    return Status::InvalidArgument(
        path, "file_checksum_gen_factory has no " + file.checksum_function);
  }
  TableCache::BulkData whole;
  Status s = job_.cfd->tables()->OpenStream(request_, &whole);
  if (s.ok()) {
    s = DigestFile(whole.data.get(), file.size_bytes, generator.get());
  }
  if (!s.ok() || generator->GetChecksum() == file.checksum) return s;
  return Status::Corruption(
      path, "file checksum mismatch: expected " +
                Slice(file.checksum).ToString(true) + ", found " +
                Slice(generator->GetChecksum()).ToString(true));
}

Status OutputReader::CheckAsAsked(VerifyOutputFlags where) const {
  const auto is_asked = [&](VerifyOutputFlags what) {
    return IsAsked(*output_.options, where, what);
  };
  Status s;
  if (is_asked(VerifyOutputFlags::kVerifyFileChecksum)) s = CheckFile();
  if (s.ok() && is_asked(VerifyOutputFlags::kVerifyBlockChecksum)) {
    s = CheckBlocks();
  }
  if (s.ok() && is_asked(VerifyOutputFlags::kVerifyIteration)) {
    s = CheckEntries();
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
