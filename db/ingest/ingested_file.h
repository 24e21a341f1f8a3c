// One external file on its way into a column family: looked at, brought into
// the database's directory under a number of its own, given its sequence.
//
// Contract   Inspect(), BringIn(), SetPlace(), Seal(), in this order; each only
//            if the one before was OK. What was brought in is deleted again by
//            the destructor unless Keep() was called. The original is touched
//            by RemoveOriginal() alone: a file that a sequence number may have
//            to be written into is never linked.
// Threads    One at a time. All calls but SetPlace() and SetSequence() do I/O:
//            without the DB mutex.
// Errors     Name the external file.
// Ownership  The FileMeta is shared with the version that takes it in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "db/ingest/placement.h"
#include "db/outputs/job_context.h"
#include "db/tables/file_meta.h"
#include "db/tables/table_cache.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/table_properties.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

struct PreparedFileInfo;

struct IngestedFileRequest {
  const JobContext* job = nullptr;
  std::shared_ptr<const MutableCFOptions> options;
  IngestExternalFileOptions ingest;
  std::string path;
  // What the caller says about the whole file; empty: nothing.
  std::string checksum;
  std::string checksum_function;
  Temperature temperature = Temperature::kUnknown;
  // What is known of the file already; null: nothing. Needed for Inspect().
  const PreparedFileInfo* prepared = nullptr;
  // An export says it all, also that the file refers to no blob file.
  bool is_described = false;
};

class IngestedFile {
 public:
  explicit IngestedFile(IngestedFileRequest request);
  ~IngestedFile();
  IngestedFile(const IngestedFile&) = delete;
  IngestedFile& operator=(const IngestedFile&) = delete;

  // Reads the file's properties and bounds, and checks all that can be
  // checked before anything is written.
  Status Inspect();
  // Links or copies the file into the family's first path, and syncs it.
  Status BringIn();
  void SetPlace(const Placement& placement, uint64_t epoch_number);
  // Instead of it, for a file of an exported family: as it was there.
  // CheckImported() comes before BringIn().
  Status CheckImported(const LiveFileMetaData& exported);
  void SetImported(const LiveFileMetaData& exported, uint64_t epoch_number);
  // Writes the sequence number into the file where that is asked for, and
  // opens it as readers will.
  Status Seal();
  // After Seal(): gives a number to a file that was placed without one.
  // Seal() follows, again.
  void SetSequence(SequenceNumber sequence);

  void Keep() { is_kept_ = true; }
  void RemoveOriginal();

  // Between Inspect() and the end.
  KeySpan span() const;
  int level() const { return placement_.level; }
  // The number that all entries have; 0: they have none, or their own.
  SequenceNumber sequence() const { return placement_.sequence; }
  const FileRef& meta() const { return meta_; }
  SequenceNumber largest_sequence() const { return meta_->largest_sequence; }
  uint64_t entry_count() const { return properties_->num_entries; }
  void FillInfo(ExternalFileIngestionInfo* info) const;

 private:
  const JobContext& job() const { return *request_.job; }
  std::string InternalPath() const;
  void Renumber(SequenceNumber sequence);
  // By the file, or by what is known of it.
  Status Learn();
  bool TakesPrepared() const;
  Status TakePrepared();
  Status CheckProperties();
  Status CheckVersion();
  Status VerifyBlocks();
  // NotSupported if values of the file lie elsewhere, or apart from their keys.
  Status CheckValuesInside();
  Status CheckGivenChecksum() const;
  // Will Seal() write into the file, if it gets another number?
  bool KeepsSequenceInside() const;
  Status Link(bool* is_linked);
  Status Copy();
  // Takes the checksum of the whole file at `path`, by the function that was
  // given or configured.
  Status ComputeChecksum(const std::string& path);
  Status NoteChecksum();
  Status WriteSequence(SequenceNumber sequence);
  // By prefetch_lmax_index_and_filter_blocks.
  TableCache::Metadata WhenMetadataCome() const;
  std::unique_ptr<InputStream> OpenStream(const std::string& path, Status* s);

  const IngestedFileRequest request_;
  FileRef meta_;
  std::shared_ptr<const TableProperties> properties_;
  std::unique_ptr<TableReader> reader_;  // until the file is brought in
  Placement placement_;
  // What the file says of itself: 0 unless it was ingested before.
  SequenceNumber stored_sequence_ = 0;
  // What Seal() has put in its place.
  std::optional<SequenceNumber> written_sequence_;
  bool has_sequence_field_ = false;
  bool is_inside_ = false;
  bool is_linked_ = false;
  bool is_sealed_ = false;
  bool is_kept_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
