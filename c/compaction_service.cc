// Services that compact elsewhere, and the options of such compactions.

#include <memory>
#include <string>
#include <utility>

#include "c/compaction_filters.h"
#include "c/handles.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

struct ServiceCalls {
  void* state;
  void (*destructor)(void*);
  rocksdb_compaction_service_schedule_cb schedule;
  rocksdb_compaction_service_wait_cb wait;
  rocksdb_compaction_service_cancel_awaiting_jobs_cb cancel;
  rocksdb_compaction_service_on_installation_cb on_installation;
};

class CallbackService : public CompactionService {
 public:
  CallbackService(const ServiceCalls& calls, std::string name)
      : calls_(calls), name_(std::move(name)) {}
  CallbackService(const CallbackService&) = delete;
  CallbackService& operator=(const CallbackService&) = delete;
  ~CallbackService() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return name_.c_str(); }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    auto* response = calls_.schedule(
        calls_.state, AsHandle<rocksdb_compactionservice_jobinfo_t>(&info),
        input.data(), input.size());
    if (response == nullptr) {
      return CompactionServiceScheduleResponse(
          CompactionServiceJobStatus::kFailure);
    }
    return TakeOver(response);
  }

  CompactionServiceJobStatus Wait(const std::string& id,
                                  std::string* result) override {
    char* bytes = nullptr;
    size_t size = 0;
    const int status = calls_.wait(calls_.state, id.c_str(), &bytes, &size);
    *result = BytesOf(bytes, size).ToString();
    free(bytes);
    return static_cast<CompactionServiceJobStatus>(status);
  }

  void CancelAwaitingJobs() override {
    if (calls_.cancel != nullptr) calls_.cancel(calls_.state);
  }

  void OnInstallation(const std::string& id,
                      CompactionServiceJobStatus status) override {
    if (calls_.on_installation == nullptr) return;
    calls_.on_installation(calls_.state, id.c_str(), static_cast<int>(status));
  }

 private:
  const ServiceCalls calls_;
  const std::string name_;
};

rocksdb_compactionservice_scheduleresponse_t* OwnResponse(const char* id,
                                                          int status,
                                                          char** errptr) {
  if (status < rocksdb_compactionservice_jobstatus_success ||
      status > rocksdb_compactionservice_jobstatus_use_local) {
    (void)Fails(Status::InvalidArgument("unknown status of a compaction job",
                                        std::to_string(status)),
                errptr);
    return nullptr;
  }
  return Own<rocksdb_compactionservice_scheduleresponse_t>(
      rocksdb_compactionservice_scheduleresponse_t{
          CompactionServiceScheduleResponse(
              TextOf(id), static_cast<CompactionServiceJobStatus>(status))});
}

}  // namespace

extern "C" {

// `schedule` answers with a response, which is taken over; `wait` answers
// rocksdb_compactionservice_jobstatus_* and sets bytes from malloc, which are
// freed. Options take the service over.
rocksdb_compactionservice_t* rocksdb_compactionservice_create(
    void* state, void (*destructor)(void*),
    rocksdb_compaction_service_schedule_cb schedule, const char* name,
    rocksdb_compaction_service_wait_cb wait,
    rocksdb_compaction_service_cancel_awaiting_jobs_cb cancel_awaiting_jobs,
    rocksdb_compaction_service_on_installation_cb on_installation) {
  auto* result = Own<rocksdb_compactionservice_t>();
  result->rep = std::make_shared<CallbackService>(
      ServiceCalls{state, destructor, schedule, wait, cancel_awaiting_jobs,
                   on_installation},
      TextOf(name));
  return result;
}

rocksdb_compactionservice_scheduleresponse_t*
rocksdb_compactionservice_scheduleresponse_create(const char* scheduled_job_id,
                                                  int status, char** errptr) {
  if (IsNull(scheduled_job_id, "scheduled_job_id", errptr)) return nullptr;
  return OwnResponse(scheduled_job_id, status, errptr);
}

rocksdb_compactionservice_scheduleresponse_t*
rocksdb_compactionservice_scheduleresponse_create_with_status(int status,
                                                              char** errptr) {
  return OwnResponse("", status, errptr);
}

void rocksdb_compactionservice_scheduleresponse_t_destroy(
    rocksdb_compactionservice_scheduleresponse_t* response) {
  End(response);
}

int rocksdb_compactionservice_scheduleresponse_getstatus(
    const rocksdb_compactionservice_scheduleresponse_t* response) {
  return static_cast<int>(response->rep.status);
}

const char* rocksdb_compactionservice_scheduleresponse_get_scheduled_job_id(
    const rocksdb_compactionservice_scheduleresponse_t* response,
    size_t* size) {
  return Lend(response->rep.scheduled_job_id, size);
}

// The objects of `options`, for compacting in another process.
rocksdb_compaction_service_options_override_t*
rocksdb_compaction_service_options_override_create_from_options(
    rocksdb_options_t* options) {
  auto* result = Own<rocksdb_compaction_service_options_override_t>();
  CompactionServiceOptionsOverride& to = result->rep;
  const Options& from = options->rep;
  to.env = from.env;
  to.file_checksum_gen_factory = from.file_checksum_gen_factory;
  to.comparator = from.comparator;
  to.merge_operator = from.merge_operator;
  to.compaction_filter = from.compaction_filter;
  to.compaction_filter_factory = from.compaction_filter_factory;
  to.prefix_extractor = from.prefix_extractor;
  to.table_factory = from.table_factory;
  to.sst_partitioner_factory = from.sst_partitioner_factory;
  to.listeners = from.listeners;
  to.statistics = from.statistics;
  to.info_log = from.info_log;
  to.table_properties_collector_factories =
      from.table_properties_collector_factories;
  return result;
}

void rocksdb_compaction_service_options_override_set_env(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_env_t* env) {
  options->rep.env = env == nullptr ? Env::Default() : env->rep;
}

void rocksdb_compaction_service_options_override_set_comparator(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_comparator_t* comparator) {
  options->rep.comparator =
      comparator == nullptr ? BytewiseComparator() : comparator->rep.get();
}

// Takes it over, as the options of databases do; so below.
void rocksdb_compaction_service_options_override_set_merge_operator(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_mergeoperator_t* merge_operator) {
  options->rep.merge_operator =
      merge_operator == nullptr ? nullptr : TakeOver(merge_operator);
}

void rocksdb_compaction_service_options_override_set_compaction_filter(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_compactionfilter_t* filter) {
  options->rep.compaction_filter =
      filter == nullptr ? nullptr : filter->rep.get();
}

void rocksdb_compaction_service_options_override_set_compaction_filter_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_compactionfilterfactory_t* factory) {
  options->rep.compaction_filter_factory =
      factory == nullptr ? nullptr : TakeOver(factory);
}

void rocksdb_compaction_service_options_override_set_prefix_extractor(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_slicetransform_t* extractor) {
  options->rep.prefix_extractor =
      extractor == nullptr ? nullptr : TakeOver(extractor);
}

void rocksdb_compaction_service_options_override_add_event_listener(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_eventlistener_t* listener) {
  if (listener != nullptr) options->rep.listeners.push_back(TakeOver(listener));
}

void rocksdb_compaction_service_options_override_add_table_properties_collector_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_table_properties_collector_factory_t* factory) {
  if (factory == nullptr) return;
  options->rep.table_properties_collector_factories.push_back(factory->rep);
}

void rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_file_checksum_gen_factory_t* factory) {
  options->rep.file_checksum_gen_factory =
      factory == nullptr ? nullptr : factory->rep;
}

void rocksdb_compaction_service_options_override_set_sst_partitioner_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_sst_partitioner_factory_t* factory) {
  options->rep.sst_partitioner_factory =
      factory == nullptr ? nullptr : factory->rep;
}

void rocksdb_compaction_service_options_override_set_block_based_table_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_block_based_table_options_t* table_options) {
  if (table_options == nullptr) return;
  SetTableFactory(options, NewBlockBasedTableFactory(table_options->rep));
}

void rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_cuckoo_table_options_t* table_options) {
  if (table_options == nullptr) return;
  SetTableFactory(options, NewCuckooTableFactory(table_options->rep));
}

void rocksdb_compaction_service_options_override_set_info_log(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_logger_t* logger) {
  options->rep.info_log = logger == nullptr ? nullptr : logger->rep;
}

// Those of `db_options`.
void rocksdb_compaction_service_options_override_set_statistics(
    rocksdb_compaction_service_options_override_t* options,
    rocksdb_options_t* db_options) {
  options->rep.statistics =
      db_options == nullptr ? nullptr : db_options->rep.statistics;
}

// Any other option, as text.
void rocksdb_compaction_service_options_override_set_option(
    rocksdb_compaction_service_options_override_t* options, const char* name,
    const char* value) {
  options->rep.options_map[TextOf(name)] = TextOf(value);
}

// The worker's part: carries out `input`, which a service of the database at
// `db_path` was given. The result, for what its `wait` answers, goes back to
// rocksdb_free(); NULL if there is none.
char* rocksdb_open_and_compact(
    const char* db_path, const char* output_directory, const char* input,
    size_t input_size, size_t* output_size,
    const rocksdb_compaction_service_options_override_t* override_options,
    char** errptr) {
  const rocksdb_open_and_compact_options_t options{};
  return rocksdb_open_and_compact_with_options(
      &options, db_path, output_directory, input, input_size, output_size,
      override_options, errptr);
}

char* rocksdb_open_and_compact_with_options(
    const rocksdb_open_and_compact_options_t* options, const char* db_path,
    const char* output_directory, const char* input, size_t input_size,
    size_t* output_size,
    const rocksdb_compaction_service_options_override_t* override_options,
    char** errptr) {
  if (output_size != nullptr) *output_size = 0;
  if (IsNull(options, "options", errptr) ||
      IsNull(db_path, "db_path", errptr) ||
      IsNull(output_directory, "output_directory", errptr) ||
      IsNull(output_size, "output_size", errptr) ||
      IsNull(override_options, "override_options", errptr)) {
    return nullptr;
  }
  std::string output;
  Status s = DB::OpenAndCompact(options->rep, db_path, output_directory,
                                BytesOf(input, input_size).ToString(), &output,
                                override_options->rep);
  (void)Fails(s, errptr);
  if (output.empty()) return nullptr;
  *output_size = output.size();
  return CopyBytes(output);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
