#include "db/tables/external_table.h"

#include <algorithm>

#include "file/random_access_file_reader.h"
#include "rocksdb/table.h"
#include "table/table_reader_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Files of older writers do not say which sequences they hold.
Status ScanSequences(InternalIterator* entries, FileMeta* meta) {
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    meta->NoteEntry(entries->key(), ExtractSequence(entries->key()));
  }
  return entries->status();
}

Status DescribeEntries(const TableReader& reader, FileMeta* meta) {
  ReadOptions read;
  read.fill_cache = false;
  read.total_order_seek = true;
  TableIteratorOptions options;
  options.read_options = &read;
  options.skip_filters = true;
  const std::unique_ptr<InternalIterator> entries = reader.NewIterator(options);
  INVARIANT(entries != nullptr);
  const TableProperties& properties = *reader.properties();
  if (properties.key_largest_seqno == UINT64_MAX ||
      properties.key_smallest_seqno == UINT64_MAX) {
    return ScanSequences(entries.get(), meta);
  }
  entries->SeekToFirst();
  if (!entries->Valid()) return entries->status();
  meta->NoteEntry(entries->key(), ExtractSequence(entries->key()));
  entries->SeekToLast();
  if (!entries->Valid()) {
    Status s = entries->status();
    return s.ok() ? Status::Corruption("a table has a first entry and no last")
                  : s;
  }
  meta->NoteEntry(entries->key(), ExtractSequence(entries->key()));
  const auto note = [meta](SequenceNumber sequence) {
    meta->smallest_sequence = std::min(meta->smallest_sequence, sequence);
    meta->largest_sequence = std::max(meta->largest_sequence, sequence);
  };
  note(properties.key_smallest_seqno);
  note(properties.key_largest_seqno);
  return entries->status();
}

}  // namespace

Status OpenExternalTable(const ExternalTableRequest& request,
                         std::unique_ptr<TableReader>* reader,
                         uint64_t* size_bytes) {
  INVARIANT(reader != nullptr && size_bytes != nullptr);
  INVARIANT(request.db != nullptr && request.db->fs != nullptr);
  INVARIANT(request.cf != nullptr && request.mutable_cf != nullptr);
  FileSystem* fs = request.db->fs;
  uint64_t size = 0;
  Status s = fs->GetFileSize(request.path, IOOptions(), &size, nullptr);
  std::unique_ptr<RandomAccessFileReader> file;
  if (s.ok()) {
    s = RandomAccessFileReader::Create(fs, request.path, request.file_options,
                                       &file);
  }
  if (!s.ok()) return s;
  TableReaderOptions options;
  options.db = request.db;
  options.cf = request.cf;
  options.mutable_cf = request.mutable_cf;
  options.file_options = request.file_options;
  std::copy(request.expected_unique_id.begin(),
            request.expected_unique_id.end(), options.expected_unique_id);
  // One pass over one file: nothing is worth keeping.
  options.use_block_cache = false;
  s = request.mutable_cf->table_factory->NewTableReader(
      options, std::move(file), size, reader);
  if (s.ok()) *size_bytes = size;
  return s;
}

Status DescribeTable(const TableReader& reader,
                     const InternalKeyComparator& order, FileMeta* meta) {
  INVARIANT(meta != nullptr && meta->smallest.empty());
  if (Status s = DescribeEntries(reader, meta); !s.ok()) return s;
  const FragmentedTombstones& tombstones = *reader.range_tombstones();
  for (size_t i = 0; i < tombstones.size(); ++i) {
    const FragmentedTombstones::Fragment fragment = tombstones.at(i);
    INVARIANT(!fragment.sequences.empty());
    const InternalKey end = InternalKey::TombstoneSentinel(fragment.end);
    for (const SequenceNumber sequence : fragment.sequences) {
      meta->NoteTombstone(
          InternalKey(fragment.begin, sequence, kTypeRangeDeletion), end,
          sequence, order);
    }
  }
  if (meta->smallest.empty()) {
    return Status::Corruption("a table file without entries");
  }
  if (order.Compare(meta->smallest, meta->largest) > 0) {
    return Status::Corruption("a table whose last key comes before its first");
  }
  meta->NoteTimestamps(*reader.properties());
  INVARIANT(meta->smallest_sequence <= meta->largest_sequence);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
