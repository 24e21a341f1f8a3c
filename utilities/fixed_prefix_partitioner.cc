// Partitions of one prefix each.

#include <algorithm>
#include <memory>

#include "options/builtin_objects.h"
#include "rocksdb/sst_partitioner.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool HaveOnePrefix(const Slice& a, const Slice& b, size_t length) {
  return Slice(a.data(), std::min(a.size(), length)) ==
         Slice(b.data(), std::min(b.size(), length));
}

void RegisterFixedPrefixPartitioner() {
  BuiltinLibrary()->AddFactory<SstPartitionerFactory>(
      SstPartitionerFixedPrefixFactory::kClassName(),
      [](const std::string&, std::unique_ptr<SstPartitionerFactory>* guard,
         std::string*) {
        *guard = std::make_unique<SstPartitionerFixedPrefixFactory>(0);
        return guard->get();
      });
}

ROCKSDB_REGISTER_OBJECTS(RegisterFixedPrefixPartitioner);

}  // namespace

PartitionerResult SstPartitionerFixedPrefix::ShouldPartition(
    const PartitionerRequest& request) {
  return HaveOnePrefix(*request.prev_user_key, *request.current_user_key, len_)
             ? kNotRequired
             : kRequired;
}

bool SstPartitionerFixedPrefix::CanDoTrivialMove(
    const Slice& smallest_user_key, const Slice& largest_user_key) {
  return HaveOnePrefix(smallest_user_key, largest_user_key, len_);
}

std::unique_ptr<SstPartitioner>
SstPartitionerFixedPrefixFactory::CreatePartitioner(
    const SstPartitioner::Context& /*context*/) const {
  return std::make_unique<SstPartitionerFixedPrefix>(len_);
}

Status SstPartitionerFixedPrefixFactory::ConfigureOption(
    const ConfigOptions& config_options, const std::string& name,
    const std::string& value) {
  if (name != "length") {
    return SstPartitionerFactory::ConfigureOption(config_options, name, value);
  }
  return ParseSizeT(value, &len_)
             ? Status::OK()
             : Status::InvalidArgument("length is not a number", value);
}

Status SstPartitionerFixedPrefixFactory::GetOptionString(
    const ConfigOptions& /*config_options*/, std::string* result) const {
  *result = "length=" + std::to_string(len_) + ";";
  return Status::OK();
}

std::shared_ptr<SstPartitionerFactory> NewSstPartitionerFixedPrefixFactory(
    size_t prefix_len) {
  return std::make_shared<SstPartitionerFixedPrefixFactory>(prefix_len);
}

}  // namespace ROCKSDB_NAMESPACE
