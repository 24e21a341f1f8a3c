#include "rocksdb/iostats_context.h"

#include "monitoring/iostats_context_imp.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct Field {
  const char* name;
  uint64_t IOStatsContext::*member;
};

// All that is counted; the pool is who the thread is.
constexpr Field kFields[] = {
    {"bytes_written", &IOStatsContext::bytes_written},
    {"bytes_read", &IOStatsContext::bytes_read},
    {"open_nanos", &IOStatsContext::open_nanos},
    {"allocate_nanos", &IOStatsContext::allocate_nanos},
    {"write_nanos", &IOStatsContext::write_nanos},
    {"read_nanos", &IOStatsContext::read_nanos},
    {"range_sync_nanos", &IOStatsContext::range_sync_nanos},
    {"fsync_nanos", &IOStatsContext::fsync_nanos},
    {"prepare_write_nanos", &IOStatsContext::prepare_write_nanos},
    {"logger_nanos", &IOStatsContext::logger_nanos},
    {"cpu_write_nanos", &IOStatsContext::cpu_write_nanos},
    {"cpu_read_nanos", &IOStatsContext::cpu_read_nanos},
};

struct TemperatureField {
  const char* name;
  uint64_t FileIOByTemperature::*member;
};

constexpr TemperatureField kTemperatureFields[] = {
    {"hot_file_bytes_read", &FileIOByTemperature::hot_file_bytes_read},
    {"warm_file_bytes_read", &FileIOByTemperature::warm_file_bytes_read},
    {"cool_file_bytes_read", &FileIOByTemperature::cool_file_bytes_read},
    {"cold_file_bytes_read", &FileIOByTemperature::cold_file_bytes_read},
    {"ice_file_bytes_read", &FileIOByTemperature::ice_file_bytes_read},
    {"unknown_non_last_level_bytes_read",
     &FileIOByTemperature::unknown_non_last_level_bytes_read},
    {"unknown_last_level_bytes_read",
     &FileIOByTemperature::unknown_last_level_bytes_read},
    {"hot_file_read_count", &FileIOByTemperature::hot_file_read_count},
    {"warm_file_read_count", &FileIOByTemperature::warm_file_read_count},
    {"cool_file_read_count", &FileIOByTemperature::cool_file_read_count},
    {"cold_file_read_count", &FileIOByTemperature::cold_file_read_count},
    {"ice_file_read_count", &FileIOByTemperature::ice_file_read_count},
    {"unknown_non_last_level_read_count",
     &FileIOByTemperature::unknown_non_last_level_read_count},
    {"unknown_last_level_read_count",
     &FileIOByTemperature::unknown_last_level_read_count},
};

}  // namespace

thread_local constinit IOStatsContext iostats_context;

IOStatsContext* get_iostats_context() { return &iostats_context; }

void IOStatsContext::Reset() {
  for (const Field& field : kFields) this->*field.member = 0;
  file_io_stats_by_temperature.Reset();
}

void FileIOByTemperature::Merge(const FileIOByTemperature& other) {
  for (const TemperatureField& field : kTemperatureFields) {
    this->*field.member += other.*field.member;
  }
}

void IOStatsContext::Merge(const IOStatsContext& other) {
  for (const Field& field : kFields) {
    this->*field.member += other.*field.member;
  }
  file_io_stats_by_temperature.Merge(other.file_io_stats_by_temperature);
}

std::string IOStatsContext::ToString(bool exclude_zero_counters) const {
  std::string text;
  const auto append = [&](const char* name, uint64_t value) {
    if (exclude_zero_counters && value == 0) return;
    if (!text.empty()) text += ", ";
    text += std::string(name) + " = " + std::to_string(value);
  };
  append("thread_pool_id", thread_pool_id);
  for (const Field& field : kFields) append(field.name, this->*field.member);
  for (const TemperatureField& field : kTemperatureFields) {
    append(field.name, file_io_stats_by_temperature.*field.member);
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
