// Lets an application decide where compaction ends one output file and begins
// the next, for example at the border of a tenant's keys.
//
// Threads  A factory is shared by all compactions; a partitioner belongs to
//          one thread.
// Errors   None: an answer only moves borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

enum PartitionerResult : char {
  kNotRequired = 0x0,
  kRequired = 0x1,
};

struct PartitionerRequest {
  PartitionerRequest(const Slice& prev, const Slice& current,
                     uint64_t file_size)
      : prev_user_key(&prev),
        current_user_key(&current),
        current_output_file_size(file_size) {}

  const Slice* prev_user_key;
  const Slice* current_user_key;
  uint64_t current_output_file_size;
};

class SstPartitioner {
 public:
  virtual ~SstPartitioner() = default;

  virtual const char* Name() const = 0;

  // kRequired = the current key must begin a new file.
  virtual PartitionerResult ShouldPartition(
      const PartitionerRequest& request) = 0;

  // A file with these bounds may move to the next level unchanged. If one file
  // of a compaction may not, all of them are rewritten.
  virtual bool CanDoTrivialMove(const Slice& smallest_user_key,
                                const Slice& largest_user_key) = 0;

  // The compaction for which a partitioner is made.
  struct Context {
    bool is_full_compaction = false;
    bool is_manual_compaction = false;
    int output_level = 0;
    Slice smallest_user_key;
    Slice largest_user_key;
  };
};

class SstPartitionerFactory : public Customizable {
 public:
  ~SstPartitionerFactory() override = default;
  static const char* Type() { return "SstPartitionerFactory"; }
  static Status CreateFromString(
      const ConfigOptions& options, const std::string& value,
      std::shared_ptr<SstPartitionerFactory>* result);

  virtual std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const = 0;

  const char* Name() const override = 0;
};

// Files that hold only keys with the same first `len` bytes; a shorter key is a
// prefix as a whole.
class SstPartitionerFixedPrefix : public SstPartitioner {
 public:
  explicit SstPartitionerFixedPrefix(size_t len) : len_(len) {}
  ~SstPartitionerFixedPrefix() override = default;

  const char* Name() const override { return "SstPartitionerFixedPrefix"; }
  PartitionerResult ShouldPartition(const PartitionerRequest& request) override;
  bool CanDoTrivialMove(const Slice& smallest_user_key,
                        const Slice& largest_user_key) override;

 private:
  size_t len_;
};

// Makes them. By text: {id=SstPartitionerFixedPrefixFactory;length=8}.
class SstPartitionerFixedPrefixFactory : public SstPartitionerFactory {
 public:
  explicit SstPartitionerFixedPrefixFactory(size_t len) : len_(len) {}
  ~SstPartitionerFixedPrefixFactory() override = default;

  static const char* kClassName() { return "SstPartitionerFixedPrefixFactory"; }
  const char* Name() const override { return kClassName(); }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override;

  // The option `length`.
  Status ConfigureOption(const ConfigOptions& config_options,
                         const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config_options,
                         std::string* result) const override;

 private:
  size_t len_;
};
std::shared_ptr<SstPartitionerFactory> NewSstPartitionerFixedPrefixFactory(
    size_t prefix_len);

}  // namespace ROCKSDB_NAMESPACE
