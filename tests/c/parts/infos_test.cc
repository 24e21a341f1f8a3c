// Lists in what callbacks are told, and compaction services: the objects of
// their options, the infos they get.

#include <memory>
#include <string>

#include "c/compaction_filters.h"
#include "rocksdb/listener.h"
#include "tests/c/info_fields.h"

using namespace ROCKSDB_NAMESPACE;         // NOLINT
using namespace ROCKSDB_NAMESPACE::c_api;  // NOLINT

static void TestTableProperties() {
  TableProperties object;
  const auto* p = AsHandle<rocksdb_table_properties_t>(&object);
  CHECK(rocksdb_table_properties_has_key_largest_seqno(p) == 0);
  CHECK(rocksdb_table_properties_has_key_smallest_seqno(p) == 0);
  object.key_largest_seqno = 9;
  object.key_smallest_seqno = 0;
  CHECK(rocksdb_table_properties_has_key_largest_seqno(p) == 1);
  CHECK(rocksdb_table_properties_has_key_smallest_seqno(p) == 1);
  object.user_collected_properties = {{"a", "1"}, {"bb", "22"}};
  object.readable_properties = {{"c", "3"}, {"dd", "44"}};
  size_t size = 0;
  const char* text =
      rocksdb_table_properties_user_collected_properties_key_at(p, 1, &size);
  CHECK(Same(text, size, "bb"));
  text =
      rocksdb_table_properties_user_collected_properties_value_at(p, 1, &size);
  CHECK(Same(text, size, "22"));
  text = rocksdb_table_properties_readable_properties_key_at(p, 1, &size);
  CHECK(Same(text, size, "dd"));
  text = rocksdb_table_properties_readable_properties_value_at(p, 1, &size);
  CHECK(Same(text, size, "44"));
  CHECK(rocksdb_table_properties_readable_properties_value_at(p, 2, &size) ==
        nullptr);
  CHECK(size == 0);
}

static void TestCompactionInfo() {
  char* err = nullptr;
  size_t size = 0;
  rocksdb_compactionjobinfo_t* info = rocksdb_compactionjobinfo_create();
  CompactionJobInfo& object = Rep(info);
  object.status = Status::Aborted("told");
  rocksdb_compactionjobinfo_status(info, &err);
  CHECK_ERROR(err, "told");
  object.stats.num_input_records = 3;
  CHECK(rocksdb_compaction_job_stats_num_input_records(
            rocksdb_compactionjobinfo_stats(info)) == 3);
  object.input_files = {"in1", "in2"};
  object.output_files = {"out1", "out2"};
  const char* text = rocksdb_compactionjobinfo_input_file_at(info, 1, &size);
  CHECK(Same(text, size, "in2"));
  text = rocksdb_compactionjobinfo_output_file_at(info, 1, &size);
  CHECK(Same(text, size, "out2"));
  object.input_file_infos.resize(2);
  object.input_file_infos[1].file_number = 5;
  CHECK(rocksdb_compaction_file_info_file_number(
            rocksdb_compactionjobinfo_input_file_info_at(info, 1)) == 5);
  object.output_file_infos.resize(2);
  object.output_file_infos[1].file_number = 6;
  CHECK(rocksdb_compaction_file_info_file_number(
            rocksdb_compactionjobinfo_output_file_info_at(info, 1)) == 6);
  object.blob_file_addition_infos.emplace_back("path", 7, 8, 9);
  CHECK(rocksdb_blob_file_addition_info_blob_file_number(
            rocksdb_compactionjobinfo_blob_file_addition_info_at(info, 0)) ==
        7);
  object.blob_file_garbage_infos.emplace_back("path", 8, 8, 9);
  CHECK(rocksdb_blob_file_garbage_info_blob_file_number(
            rocksdb_compactionjobinfo_blob_file_garbage_info_at(info, 0)) == 8);
  auto properties = std::make_shared<TableProperties>();
  properties->num_entries = 10;
  object.table_properties["/a"] = std::make_shared<TableProperties>();
  object.table_properties["/b"] = properties;
  for (size_t i = 0; i < 2; ++i) {
    text = rocksdb_compactionjobinfo_table_properties_key_at(info, i, &size);
    const bool is_b = Same(text, size, "/b") != 0;
    CHECK(is_b || Same(text, size, "/a"));
    CHECK((rocksdb_table_properties_num_entries(
               rocksdb_compactionjobinfo_table_properties_value_at(info, i)) ==
           10) == is_b);
  }
  CHECK(rocksdb_table_properties_num_entries(
            rocksdb_compactionjobinfo_table_properties_for_file(info, "/b",
                                                                2)) == 10);
  CHECK(rocksdb_compactionjobinfo_table_properties_for_file(info, "/c", 2) ==
        nullptr);
  std::weak_ptr<TableProperties> last = properties;
  properties.reset();
  rocksdb_compactionjobinfo_destroy(info);
  CHECK(last.expired());
}

static void TestOtherInfos() {
  char* err = nullptr;
  FlushJobInfo flush;
  flush.table_properties.num_entries = 3;
  flush.blob_file_addition_infos.emplace_back("path", 7, 8, 9);
  const auto* f = AsHandle<rocksdb_flushjobinfo_t>(&flush);
  CHECK(rocksdb_table_properties_num_entries(
            rocksdb_flushjobinfo_table_properties(f)) == 3);
  CHECK(rocksdb_blob_file_addition_info_blob_file_number(
            rocksdb_flushjobinfo_blob_file_addition_info_at(f, 0)) == 7);
  SubcompactionJobInfo sub;
  sub.status = Status::Aborted("told");
  sub.stats.num_input_records = 4;
  const auto* s = AsHandle<rocksdb_subcompactionjobinfo_t>(&sub);
  rocksdb_subcompactionjobinfo_status(s, &err);
  CHECK_ERROR(err, "told");
  CHECK(rocksdb_compaction_job_stats_num_input_records(
            rocksdb_subcompactionjobinfo_stats(s)) == 4);
  ExternalFileIngestionInfo ingested;
  ingested.table_properties.num_entries = 5;
  CHECK(rocksdb_table_properties_num_entries(
            rocksdb_externalfileingestioninfo_table_properties(
                AsHandle<rocksdb_externalfileingestioninfo_t>(&ingested))) ==
        5);
  WriteStallInfo stall;
  stall.condition.cur = WriteStallCondition::kStopped;
  const auto* w = AsHandle<rocksdb_writestallinfo_t>(&stall);
  CHECK(Rep(rocksdb_writestallinfo_cur(w)) == WriteStallCondition::kStopped);
  CHECK(Rep(rocksdb_writestallinfo_prev(w)) == stall.condition.prev);
  Status error = Status::IOError("told");
  auto* e = reinterpret_cast<rocksdb_status_ptr_t*>(&error);
  rocksdb_status_ptr_get_error(e, &err);
  CHECK_ERROR(err, "told");
  rocksdb_reset_status(e);
  CHECK(error.ok());
}

static int ended = 0;
static void CountEnd(void*) { ++ended; }
static const char* InfoName(void*) { return "test.InfoName"; }
static rocksdb_compactionfilter_t* MakeFilter(
    void*, rocksdb_compactionfiltercontext_t*) {
  return nullptr;
}
static int Compare(void*, const char*, size_t, const char*, size_t) {
  return 0;
}

using Override = CompactionServiceOptionsOverride;

static void SetCallbacks(rocksdb_compaction_service_options_override_t* to) {
  const Override& rep = to->rep;
  rocksdb_compaction_service_options_override_set_compaction_filter_factory(
      to, rocksdb_compactionfilterfactory_create(nullptr, CountEnd, MakeFilter,
                                                 InfoName));
  CHECK(rep.compaction_filter_factory != nullptr);
  rocksdb_compaction_service_options_override_set_merge_operator(
      to, rocksdb_mergeoperator_create(nullptr, CountEnd, nullptr, nullptr,
                                       nullptr, InfoName));
  CHECK(std::string(rep.merge_operator->Name()) == "test.InfoName");
  rocksdb_compaction_service_options_override_set_prefix_extractor(
      to, rocksdb_slicetransform_create_fixed_prefix(3));
  CHECK(rep.prefix_extractor != nullptr);
  rocksdb_compaction_service_options_override_add_event_listener(
      to, rocksdb_eventlistener_create(nullptr, CountEnd, nullptr, nullptr,
                                       nullptr, nullptr, nullptr, nullptr,
                                       nullptr, nullptr, nullptr, nullptr));
  CHECK(rep.listeners.size() == 1);
}

static void SetLentObjects(rocksdb_compaction_service_options_override_t* to) {
  const Override& rep = to->rep;
  auto* filter =
      rocksdb_compactionfilter_create(nullptr, CountEnd, nullptr, InfoName);
  rocksdb_compaction_service_options_override_set_compaction_filter(to, filter);
  CHECK(rep.compaction_filter ==
        static_cast<const CompactionFilter*>(filter->rep.get()));
  auto* order = rocksdb_comparator_create(nullptr, CountEnd, Compare, InfoName);
  rocksdb_compaction_service_options_override_set_comparator(to, order);
  CHECK(rep.comparator == order->rep.get());
  auto* env = rocksdb_create_mem_env();
  rocksdb_compaction_service_options_override_set_env(to, env);
  CHECK(rep.env == env->rep);
  auto* table = rocksdb_block_based_options_create();
  rocksdb_compaction_service_options_override_set_block_based_table_factory(
      to, table);
  CHECK(std::string(rep.table_factory->Name()) == "BlockBasedTable");
  auto* log = rocksdb_logger_create_stderr_logger(4, "test");
  rocksdb_compaction_service_options_override_set_info_log(to, log);
  CHECK(rep.info_log == log->rep);
  auto* checksums = rocksdb_file_checksum_gen_crc32c_factory_create();
  rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
      to, checksums);
  CHECK(rep.file_checksum_gen_factory == checksums->rep);
  auto* options = rocksdb_options_create();
  rocksdb_options_enable_statistics(options);
  rocksdb_compaction_service_options_override_set_statistics(to, options);
  CHECK(rep.statistics == options->rep.statistics);
  rocksdb_compaction_service_options_override_set_option(to, "name", "value");
  CHECK(rep.options_map.at("name") == "value");
  rocksdb_options_destroy(options);
  rocksdb_file_checksum_gen_factory_destroy(checksums);
  rocksdb_logger_destroy(log);
  rocksdb_block_based_options_destroy(table);
  rocksdb_env_destroy(env);
  rocksdb_comparator_destroy(order);
  rocksdb_compactionfilter_destroy(filter);
}

class AnyPartitioner : public SstPartitionerFactory {
 public:
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context&) const override {
    return nullptr;
  }
  const char* Name() const override { return "test.Partitioner"; }
};

static void TestSharedFactories() {
  auto* options = rocksdb_options_create();
  auto* to =
      rocksdb_compaction_service_options_override_create_from_options(options);
  CHECK(to->rep.table_factory == options->rep.table_factory);
  auto* partitioner = Own<rocksdb_sst_partitioner_factory_t>();
  partitioner->rep = std::make_shared<AnyPartitioner>();
  rocksdb_options_set_sst_partitioner_factory(options, partitioner);
  CHECK(options->rep.sst_partitioner_factory == partitioner->rep);
  rocksdb_compaction_service_options_override_set_sst_partitioner_factory(
      to, partitioner);
  CHECK(to->rep.sst_partitioner_factory == partitioner->rep);
  const std::weak_ptr<SstPartitionerFactory> last = partitioner->rep;
  rocksdb_sst_partitioner_factory_destroy(partitioner);
  CHECK(last.use_count() == 2);
  rocksdb_options_add_compact_on_deletion_collector_factory(options, 8, 4);
  auto* collector = Own<rocksdb_table_properties_collector_factory_t>();
  collector->rep = options->rep.table_properties_collector_factories[0];
  rocksdb_compaction_service_options_override_add_table_properties_collector_factory(
      to, collector);
  CHECK(to->rep.table_properties_collector_factories.size() == 1);
  rocksdb_table_properties_collector_factory_destroy(collector);
  rocksdb_options_destroy(options);
  CHECK(last.use_count() == 1);
  rocksdb_compaction_service_options_override_destroy(to);
  CHECK(last.expired());
}

static std::string heard;

static rocksdb_compactionservice_scheduleresponse_t* Schedule(
    void*, const rocksdb_compactionservice_jobinfo_t* info, const char* input,
    size_t size) {
  char* err = nullptr;
  heard += std::string(input, size);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_job_id(info) == 0);
  auto* response = rocksdb_compactionservice_scheduleresponse_create(
      "job", rocksdb_compactionservice_jobstatus_success, &err);
  CHECK_OK(err);
  size = 0;
  const char* id =
      rocksdb_compactionservice_scheduleresponse_get_scheduled_job_id(response,
                                                                      &size);
  CHECK(Same(id, size, "job"));
  return response;
}
static int Wait(void*, const char* id, char** result, size_t* size) {
  heard += std::string(" wait ") + id;
  *result = strdup("done");
  *size = 4;
  return rocksdb_compactionservice_jobstatus_use_local;
}
static void Cancel(void*) { heard += " cancel"; }
static void Installed(void*, const char* id, int status) {
  heard += std::string(" ") + id + std::to_string(status);
}

static void TestService() {
  char* err = nullptr;
  ended = 0;
  heard.clear();
  auto* service = rocksdb_compactionservice_create(
      nullptr, CountEnd, Schedule, "test.Service", Wait, Cancel, Installed);
  auto* options = rocksdb_options_create();
  rocksdb_options_set_compaction_service(options, service);
  CompactionService& rep = *options->rep.compaction_service;
  CHECK(std::string(rep.Name()) == "test.Service");
  const CompactionServiceJobInfo info{};
  CHECK(rep.Schedule(info, "input").status ==
        CompactionServiceJobStatus::kSuccess);
  std::string result;
  CHECK(rep.Wait("id", &result) == CompactionServiceJobStatus::kUseLocal);
  CHECK(result == "done");
  rep.CancelAwaitingJobs();
  rep.OnInstallation("id", CompactionServiceJobStatus::kSuccess);
  CHECK(heard == "input wait id cancel id0");
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_t* db = rocksdb_open(options, PathOf("service"), &err);
  CHECK_OK(err);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  CHECK(ended == 1);
  auto* response =
      rocksdb_compactionservice_scheduleresponse_create_with_status(2, &err);
  CHECK_OK(err);
  CHECK(rocksdb_compactionservice_scheduleresponse_getstatus(response) == 2);
  rocksdb_compactionservice_scheduleresponse_t_destroy(response);
  CHECK(rocksdb_compactionservice_scheduleresponse_create_with_status(
            99, &err) == nullptr);
  CHECK_ERROR(err, "99");
}

void TestInfos() {
  TestInfoFields();
  TestTableProperties();
  TestCompactionInfo();
  TestOtherInfos();
  ended = 0;
  auto* to = rocksdb_compaction_service_options_override_create();
  SetCallbacks(to);
  SetLentObjects(to);
  rocksdb_compaction_service_options_override_destroy(to);
  CHECK(ended == 5);
  TestSharedFactories();
  TestService();
}
