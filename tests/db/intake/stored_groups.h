// Groups of writes whose large values go to blob files before the log has the
// references to them, over the parts of a FlushingWorld.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "db/intake/direct_blobs.h"
#include "tests/db/intake/flushing_world.h"
#include "util/value/blob_index.h"

namespace ROCKSDB_NAMESPACE {

// One writer of a group.
struct LargeWrite {
  explicit LargeWrite(size_t protection_bytes)
      : batch(0, 0, protection_bytes, 0) {
    writer.batch = &batch;
  }
  void Add(ValueType type, const std::string& key, const std::string& value,
           uint32_t family_id = 0) {
    const Slice key_slice(key);
    const Slice value_slice(value);
    const SliceParts parts(&value_slice, 1);
    EXPECT_TRUE(WriteBatchInternal::Add(&batch, type, family_id,
                                        SliceParts(&key_slice, 1), &parts)
                    .ok());
  }
  void Put(const std::string& key, const std::string& value,
           uint32_t family_id = 0) {
    Add(kTypeValue, key, value, family_id);
  }
  WriteBatch batch;
  WriteThread::Writer writer;
};

// A database whose families write values from four bytes on to blob files.
class BlobsBeforeLog {
 public:
  BlobsBeforeLog() {
    w.f.family.enable_blob_files = true;
    w.f.family.enable_blob_direct_write = true;
    w.f.family.min_blob_size = 4;
  }
  void Open() {
    w.Open();
    blobs = std::make_unique<DirectBlobs>(
        DirectBlobs::Context{.db = w.f.db.get(),
                             .mutex = w.mutex,
                             .families = &w.families,
                             .jobs = w.contexts.get()});
    blobs->TurnOn();
  }
  // One more writer of the next group, or the first of another one.
  LargeWrite& Add(size_t protection_bytes = 0) {
    if (is_stored) writes.clear();
    is_stored = false;
    return *writes.emplace_back(std::make_unique<LargeWrite>(protection_bytes));
  }
  LargeWrite& AddPut(const std::string& key, const std::string& value,
                     uint32_t family_id = 0) {
    LargeWrite& write = Add();
    write.Put(key, value, family_id);
    return write;
  }
  Status Store() {
    WriteThread::Group group;
    group.leader = &writes.front()->writer;
    group.last = &writes.back()->writer;
    for (size_t i = 0; i + 1 < writes.size(); ++i) {
      writes[i]->writer.newer = &writes[i + 1]->writer;
    }
    group.size = writes.size();
    group.needs_sync = needs_sync;
    is_stored = true;
    return blobs->Store(&group);
  }
  // What stands for each batch of the group: "a=v b->1:value", where the value
  // is in the first blob file of the test; "": the batch itself.
  std::vector<std::string> Stored() {
    std::vector<std::string> lines;
    for (const auto& write : writes) {
      const WriteBatch* const stored = write->writer.stored;
      lines.push_back(stored == nullptr ? "" : Text(stored->Data()));
    }
    return lines;
  }
  std::string Text(const Slice& bytes) {
    std::string text;
    for (BatchReader reader(bytes); !reader.AtEnd();) {
      BatchEntry entry;
      EXPECT_TRUE(reader.Next(&entry).ok());
      if (!text.empty()) text += " ";
      if (entry.column_family_id != 0) {
        text += std::to_string(entry.column_family_id) + ":";
      }
      text += entry.key.ToString() + TextOf(entry);
    }
    return text;
  }
  std::string TextOf(const BatchEntry& entry) {
    if (entry.type == kTypeBlobIndex) return "->" + ValueAt(entry.value);
    if (entry.type == kTypeValue) return "=" + entry.value.ToString();
    if (entry.type != kTypeWideColumnEntity) {
      return "<" + std::to_string(entry.type) + ">";
    }
    StoredColumns stored;
    EXPECT_TRUE(DecodeStoredColumns(entry.value, &stored).ok());
    std::string text = "{";
    for (size_t i = 0; i < stored.columns.size(); ++i) {
      const WideColumn& column = stored.columns[i];
      text += (i > 0 ? " " : "") + column.name().ToString() +
              (stored.is_reference[i] ? "->" + ValueAt(column.value())
                                      : "=" + column.value().ToString());
    }
    return text + "}";
  }
  // "2:value" if the second blob file of the test has the value; "2:lost" if
  // the value has not reached the file system.
  std::string ValueAt(const Slice& reference) {
    BlobIndex index;
    EXPECT_TRUE(index.DecodeFrom(reference).ok());
    const auto known = std::find(files.begin(), files.end(), index.file_number);
    const size_t at = static_cast<size_t>(known - files.begin());
    if (known == files.end()) files.push_back(index.file_number);
    std::string bytes;
    const Status s =
        ReadFileToString(w.f.fs.get(), BlobFileName("/db", index.file_number),
                         IOOptions(), &bytes);
    const bool has_it = s.ok() && index.offset + index.size <= bytes.size();
    return std::to_string(at + 1) + ":" +
           (has_it ? bytes.substr(index.offset, index.size) : "lost");
  }
  // Bytes of each file that no version lists.
  std::vector<uint64_t> UnlistedBytes() const {
    MutexLock lock(w.mutex);
    std::vector<uint64_t> bytes;
    for (const auto& file : blobs->Unlisted()) bytes.push_back(file.size_bytes);
    return bytes;
  }
  // The next group goes to another memtable; the one before is let go of.
  MemTableRef SwitchMemTable() {
    MemTableRef before;
    {
      MutexLock lock(w.mutex);
      ColumnFamilyData* const cfd = w.default_family;
      before = cfd->SwitchMemTable(cfd->NewMemTable(0));
      w.publisher->Publish(cfd);
    }
    w.publisher->FreeAndTell();
    return before;
  }

  mutable FlushingWorld w;
  std::unique_ptr<DirectBlobs> blobs;
  std::vector<std::unique_ptr<LargeWrite>> writes;
  std::vector<uint64_t> files;
  bool needs_sync = false;
  bool is_stored = false;
};

}  // namespace ROCKSDB_NAMESPACE
