#include "options/file_access.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileAccess Of(bool is_direct, FileAccess access) {
  if (access != FileAccess::kDefault) return access;
  return is_direct ? FileAccess::kDirect : FileAccess::kBuffered;
}

}  // namespace

FileAccess CompactionReadAccess(const DBOptions& options) {
  if (options.use_direct_reads) return FileAccess::kDirect;
  const FileAccess access = Of(options.use_direct_io_for_compaction_reads,
                               options.compaction_read_access);
  // Mappings are of the page cache.
  return access == FileAccess::kAuto && options.allow_mmap_reads
             ? FileAccess::kBuffered
             : access;
}

FileAccess CompactionWriteAccess(const DBOptions& options) {
  const FileAccess access = Of(options.use_direct_io_for_flush_and_compaction,
                               options.compaction_write_access);
  if (access != FileAccess::kAuto) return access;
  if (options.allow_mmap_writes) return FileAccess::kBuffered;
  // Direct writes need a buffer.
  return options.writable_file_max_buffer_size == 0 ? FileAccess::kUncached
                                                    : access;
}

}  // namespace ROCKSDB_NAMESPACE
