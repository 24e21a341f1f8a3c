/* What C functions decide and are told: comparators, merge operators,
   compaction filters, prefixes, listeners, loggers. */

#include "tests/c/check.h"

static int destroyed = 0;

static void Destroy(void* state) {
  (void)state;
  ++destroyed;
}

static int ReverseCompare(void* state, const char* a, size_t na, const char* b,
                          size_t nb) {
  (void)state;
  const size_t n = na < nb ? na : nb;
  const int r = memcmp(a, b, n);
  if (r != 0) return -r;
  return na < nb ? 1 : na > nb ? -1 : 0;
}
static const char* ReverseName(void* state) {
  (void)state;
  return "test.Reverse";
}

static int IsKey(rocksdb_iterator_t* it, const char* wanted) {
  size_t size = 0;
  const char* key = rocksdb_iter_key(it, &size);
  return Same(key, size, wanted);
}

static void TestComparators(void) {
  char* err = NULL;
  destroyed = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_comparator_t* reverse =
      rocksdb_comparator_create(NULL, Destroy, ReverseCompare, ReverseName);
  rocksdb_options_set_comparator(options, reverse);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("comparator", options);
  rocksdb_put(db, wo, "a", 1, "1", 1, &err);
  rocksdb_put(db, wo, "b", 1, "2", 1, &err);
  rocksdb_put(db, wo, "c", 1, "3", 1, &err);
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, ro);
  rocksdb_iter_seek_to_first(it);
  CHECK(IsKey(it, "c"));
  rocksdb_iter_next(it);
  CHECK(IsKey(it, "b"));
  rocksdb_iter_destroy(it);
  rocksdb_close(db);
  rocksdb_options_set_comparator(options, NULL);
  CHECK(rocksdb_open(options, PathOf("comparator"), &err) == NULL);
  CHECK_ERROR(err, "test.Reverse");
  CHECK(destroyed == 0);
  rocksdb_comparator_destroy(reverse);
  CHECK(destroyed == 1);
  rocksdb_comparator_t* with_ts = rocksdb_comparator_with_ts_create(
      NULL, Destroy, ReverseCompare, ReverseCompare, NULL, ReverseName, 8);
  CHECK(with_ts != NULL);
  rocksdb_comparator_destroy(with_ts);
  CHECK(destroyed == 2);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_options_destroy(options);
}

static int values_deleted = 0;

/* Joins the operands behind the value; "bad" fails. */
static char* Join(const char* value, size_t value_size,
                  const char* const* operands, const size_t* sizes, int count,
                  unsigned char* success, size_t* new_size) {
  size_t total = value_size;
  *success = 1;
  for (int i = 0; i < count; ++i) {
    total += sizes[i];
    if (Same(operands[i], sizes[i], "bad")) *success = 0;
  }
  if (!*success) return NULL;
  char* joined = (char*)malloc(total + 1);
  size_t at = value_size;
  if (value_size > 0) memcpy(joined, value, value_size);
  for (int i = 0; i < count; ++i) {
    memcpy(joined + at, operands[i], sizes[i]);
    at += sizes[i];
  }
  *new_size = total;
  return joined;
}
static char* FullMerge(void* state, const char* key, size_t key_size,
                       const char* value, size_t value_size,
                       const char* const* operands, const size_t* sizes,
                       int count, unsigned char* success, size_t* new_size) {
  (void)state;
  CHECK(key != NULL && key_size > 0);
  return Join(value, value_size, operands, sizes, count, success, new_size);
}
static char* PartialMerge(void* state, const char* key, size_t key_size,
                          const char* const* operands, const size_t* sizes,
                          int count, unsigned char* success, size_t* new_size) {
  (void)state;
  CHECK(key != NULL && key_size > 0);
  return Join(NULL, 0, operands, sizes, count, success, new_size);
}
static void DeleteValue(void* state, const char* value, size_t size) {
  (void)state;
  (void)size;
  ++values_deleted;
  free((char*)value);
}
static const char* MergeName(void* state) {
  (void)state;
  return "test.Join";
}

static void CheckMerged(rocksdb_t* db, rocksdb_readoptions_t* ro,
                        const char* key, const char* wanted) {
  char* err = NULL;
  size_t size = 0;
  char* value = rocksdb_get(db, ro, key, strlen(key), &size, &err);
  CHECK_VALUE(value, size, wanted);
  CHECK_OK(err);
}

static void TestMergeOperators(void) {
  char* err = NULL;
  size_t size = 0;
  destroyed = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_merge_operator(
      options,
      rocksdb_mergeoperator_create(NULL, Destroy, FullMerge, PartialMerge,
                                   DeleteValue, MergeName));
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew("merge", options);
  rocksdb_put(db, wo, "k", 1, "a", 1, &err);
  rocksdb_merge(db, wo, "k", 1, "b", 1, &err);
  rocksdb_merge(db, wo, "k", 1, "c", 1, &err);
  rocksdb_merge(db, wo, "new", 3, "x", 1, &err);
  rocksdb_merge(db, wo, "new", 3, "y", 1, &err);
  CHECK_OK(err);
  CheckMerged(db, ro, "k", "abc");
  CheckMerged(db, ro, "new", "xy");
  CHECK(values_deleted >= 2);
  rocksdb_merge(db, wo, "worse", 5, "bad", 3, &err);
  CHECK(rocksdb_get(db, ro, "worse", 5, &size, &err) == NULL);
  CHECK_ERROR(err, "Corruption");
  CheckMerged(db, ro, "k", "abc"); /* Nothing else is lost. */
  rocksdb_delete(db, wo, "worse", 5, &err);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  CheckMerged(db, ro, "k", "abc");
  CheckMerged(db, ro, "new", "xy");
  rocksdb_close(db);
  CHECK(destroyed == 0);
  rocksdb_options_destroy(options);
  CHECK(destroyed == 1);
  rocksdb_mergeoperator_destroy(rocksdb_mergeoperator_create(
      NULL, Destroy, FullMerge, NULL, NULL, MergeName));
  CHECK(destroyed == 2);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
}

static char* JoinAll(void* state, const char* key, size_t key_size,
                     const char* value, size_t value_size,
                     const char* const* operands, const size_t* sizes,
                     int count, unsigned char* success, size_t* new_size) {
  (void)key;
  (void)key_size;
  CHECK(value == NULL && value_size == 0 && count == 2);
  ++*(int*)state;
  *success = 1;
  *new_size = sizes[0] + sizes[1];
  char* joined = (char*)malloc(*new_size);
  memcpy(joined, operands[0], sizes[0]);
  memcpy(joined + sizes[0], operands[1], sizes[1]);
  return joined;
}

/* While its callback fails a compaction fails, and loses nothing: with one that
   works, everything is there. */
static void TestFailingMerges(void) {
  char* err = NULL;
  int calls = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_set_merge_operator(
      options, rocksdb_mergeoperator_create(NULL, Destroy, FullMerge, NULL,
                                            NULL, MergeName));
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_t* db = OpenNew("failing", options);
  rocksdb_put(db, wo, "k", 1, "a", 1, &err);
  rocksdb_merge(db, wo, "worse", 5, "one", 3, &err);
  CHECK_OK(err);
  const rocksdb_snapshot_t* snapshot = rocksdb_create_snapshot(db);
  rocksdb_merge(db, wo, "worse", 5, "bad", 3, &err);
  rocksdb_flush(db, fo, &err);
  CHECK_OK(err);
  rocksdb_release_snapshot(db, snapshot);
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  CheckMerged(db, ro, "k", "a");
  rocksdb_close(db);
  rocksdb_options_set_merge_operator(
      options, rocksdb_mergeoperator_create(&calls, NULL, JoinAll, NULL, NULL,
                                            MergeName));
  db = OpenNew("failing", options);
  CheckMerged(db, ro, "worse", "onebad");
  CheckMerged(db, ro, "k", "a");
  CHECK(calls == 1);
  rocksdb_close(db);
  rocksdb_flushoptions_destroy(fo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_options_destroy(options);
}

/* Drops "drop*", changes "change". */
static unsigned char Filter(void* state, int level, const char* key,
                            size_t key_size, const char* value,
                            size_t value_size, char** new_value,
                            size_t* new_size, unsigned char* changed) {
  static char text[] = "changed";
  (void)level;
  CHECK(value != NULL && value_size > 0);
  ++*(int*)state;
  if (key_size >= 4 && memcmp(key, "drop", 4) == 0) return 1;
  if (Same(key, key_size, "change")) {
    *new_value = text;
    *new_size = 7;
    *changed = 1;
  }
  return 0;
}
static const char* FilterName(void* state) {
  (void)state;
  return "test.Filter";
}
static int filter_calls = 0;
static rocksdb_compactionfilter_t* MakeFilter(
    void* state, rocksdb_compactionfiltercontext_t* context) {
  (void)state;
  CHECK(rocksdb_compactionfiltercontext_is_manual_compaction(context) <= 1);
  CHECK(rocksdb_compactionfiltercontext_is_full_compaction(context) <= 1);
  return rocksdb_compactionfilter_create(&filter_calls, NULL, Filter,
                                         FilterName);
}

static void FilterAll(const char* name, rocksdb_options_t* options) {
  char* err = NULL;
  size_t size = 0;
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew(name, options);
  rocksdb_put(db, wo, "change", 6, "c", 1, &err);
  rocksdb_put(db, wo, "drop1", 5, "d", 1, &err);
  rocksdb_put(db, wo, "keep", 4, "k", 1, &err);
  rocksdb_compactoptions_t* co = rocksdb_compactoptions_create();
  rocksdb_compactoptions_set_bottommost_level_compaction(co, 2);
  rocksdb_compact_range_opt(db, co, NULL, 0, NULL, 0);
  rocksdb_compactoptions_destroy(co);
  char* value = rocksdb_get(db, ro, "change", 6, &size, &err);
  CHECK_VALUE(value, size, "changed");
  CHECK(rocksdb_get(db, ro, "drop1", 5, &size, &err) == NULL);
  value = rocksdb_get(db, ro, "keep", 4, &size, &err);
  CHECK_VALUE(value, size, "k");
  CHECK_OK(err);
  rocksdb_close(db);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_readoptions_destroy(ro);
}

static void TestFilters(void) {
  int calls = 0;
  destroyed = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_compactionfilter_t* filter =
      rocksdb_compactionfilter_create(&calls, Destroy, Filter, FilterName);
  rocksdb_compactionfilter_set_ignore_snapshots(filter, 1);
  rocksdb_options_set_compaction_filter(options, filter);
  FilterAll("filter", options);
  CHECK(calls >= 3);
  rocksdb_options_set_compaction_filter(options, NULL);
  rocksdb_compactionfilter_destroy(filter);
  CHECK(destroyed == 1);
  rocksdb_options_set_compaction_filter_factory(
      options, rocksdb_compactionfilterfactory_create(NULL, Destroy, MakeFilter,
                                                      FilterName));
  FilterAll("filter_factory", options);
  CHECK(filter_calls >= 3);
  rocksdb_options_destroy(options);
  CHECK(destroyed == 2);
  rocksdb_compactionfilterfactory_destroy(
      rocksdb_compactionfilterfactory_create(NULL, Destroy, MakeFilter,
                                             FilterName));
  CHECK(destroyed == 3);
}

static char* FirstTwo(void* state, const char* key, size_t size, size_t* out) {
  (void)state;
  *out = size < 2 ? size : 2;
  return (char*)key;
}
static unsigned char HasTwo(void* state, const char* key, size_t size) {
  ++*(int*)state;
  (void)key;
  return size >= 2;
}
static const char* PrefixName(void* state) {
  (void)state;
  return "test.FirstTwo";
}

static void ReadByPrefix(rocksdb_t* db, rocksdb_readoptions_t* ro) {
  char* err = NULL;
  size_t size = 0;
  int count = 0;
  rocksdb_readoptions_set_prefix_same_as_start(ro, 1);
  rocksdb_iterator_t* it = rocksdb_create_iterator(db, ro);
  for (rocksdb_iter_seek(it, "aa", 2); rocksdb_iter_valid(it);
       rocksdb_iter_next(it)) {
    ++count;
  }
  CHECK(count == 2);
  rocksdb_iter_destroy(it);
  char* value = rocksdb_get(db, ro, "bb1", 3, &size, &err);
  CHECK_VALUE(value, size, "3");
  CHECK(rocksdb_get(db, ro, "zz1", 3, &size, &err) == NULL);
  CHECK_OK(err);
}

static void WriteWithPrefix(const char* name, rocksdb_slicetransform_t* prefix,
                            rocksdb_filterpolicy_t* policy) {
  char* err = NULL;
  rocksdb_options_t* options = NewOptions();
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_block_based_options_set_filter_policy(table, policy);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_options_set_prefix_extractor(options, prefix);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_readoptions_t* ro = rocksdb_readoptions_create();
  rocksdb_t* db = OpenNew(name, options);
  rocksdb_put(db, wo, "aa1", 3, "1", 1, &err);
  rocksdb_put(db, wo, "aa2", 3, "2", 1, &err);
  rocksdb_put(db, wo, "bb1", 3, "3", 1, &err);
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_flush(db, fo, &err);
  CHECK_OK(err);
  ReadByPrefix(db, ro);
  /* The tables have filters. */
  char* properties =
      rocksdb_property_value(db, "rocksdb.aggregated-table-properties");
  CHECK(properties != NULL && strstr(properties, "filter block size=") != NULL);
  CHECK(properties != NULL && strstr(properties, "filter block size=0") == NULL);
  rocksdb_free(properties);
  rocksdb_close(db);
  rocksdb_flushoptions_destroy(fo);
  rocksdb_readoptions_destroy(ro);
  rocksdb_writeoptions_destroy(wo);
  rocksdb_block_based_options_destroy(table);
  rocksdb_options_destroy(options);
}

static void TestPrefixes(void) {
  int calls = 0;
  destroyed = 0;
  WriteWithPrefix("prefix",
                  rocksdb_slicetransform_create(&calls, Destroy, FirstTwo,
                                                HasTwo, PrefixName),
                  rocksdb_filterpolicy_create_bloom(10));
  CHECK(calls > 0 && destroyed == 1);
  WriteWithPrefix("fixed", rocksdb_slicetransform_create_fixed_prefix(2),
                  rocksdb_filterpolicy_create_bloom_full(10));
  WriteWithPrefix("ribbon", rocksdb_slicetransform_create_fixed_prefix(2),
                  rocksdb_filterpolicy_create_ribbon(10));
  WriteWithPrefix("hybrid", rocksdb_slicetransform_create_fixed_prefix(2),
                  rocksdb_filterpolicy_create_ribbon_hybrid(10, 1));
  rocksdb_slicetransform_t* noop = rocksdb_slicetransform_create_noop();
  CHECK(noop != NULL);
  rocksdb_slicetransform_destroy(noop);
  rocksdb_filterpolicy_destroy(rocksdb_filterpolicy_create_bloom(10));
}

void TestCallbacks(void) {
  TestComparators();
  TestMergeOperators();
  TestFailingMerges();
  TestFilters();
  TestPrefixes();
}

typedef struct Heard {
  int flushes, compactions, lines;
} Heard;

static void OnFlush(void* state, rocksdb_t* db,
                    const rocksdb_flushjobinfo_t* info) {
  size_t size = 0;
  __atomic_fetch_add(&((Heard*)state)->flushes, 1, __ATOMIC_RELAXED);
  CHECK(rocksdb_get_latest_sequence_number(db) > 0);
  const char* name = rocksdb_flushjobinfo_cf_name(info, &size);
  CHECK(Same(name, size, "default"));
  CHECK(rocksdb_flushjobinfo_cf_id(info) == 0);
  CHECK(rocksdb_flushjobinfo_file_path(info, &size) != NULL && size > 0);
  CHECK(rocksdb_flushjobinfo_blob_file_addition_infos_count(info) == 0);
  CHECK(rocksdb_flushjobinfo_blob_file_addition_info_at(info, 0) == NULL);
  const rocksdb_table_properties_t* p =
      rocksdb_flushjobinfo_table_properties(info);
  CHECK(rocksdb_table_properties_num_entries(p) == 1);
  CHECK(rocksdb_table_properties_raw_value_size(p) == 1);
  name = rocksdb_table_properties_column_family_name(p, &size);
  CHECK(Same(name, size, "default"));
  CHECK(rocksdb_table_properties_user_collected_properties_key_at(
            p, 9999, &size) == NULL);
}
static void OnCompaction(void* state, rocksdb_t* db,
                         const rocksdb_compactionjobinfo_t* info) {
  char* err = NULL;
  size_t size = 0;
  (void)db;
  __atomic_fetch_add(&((Heard*)state)->compactions, 1, __ATOMIC_RELAXED);
  rocksdb_compactionjobinfo_status(info, &err);
  CHECK_OK(err);
  CHECK(rocksdb_compactionjobinfo_input_files_count(info) > 0);
  CHECK(rocksdb_compactionjobinfo_input_file_at(info, 0, &size) != NULL);
  CHECK(rocksdb_compactionjobinfo_input_file_at(info, 99, &size) == NULL &&
        size == 0);
  CHECK(rocksdb_compactionjobinfo_output_file_info_at(info, 99) == NULL);
  CHECK(rocksdb_compactionjobinfo_stats(info) != NULL);
}
static void OnLine(void* state, unsigned int level, char* line, size_t size) {
  __atomic_fetch_add(&((Heard*)state)->lines, 1, __ATOMIC_RELAXED);
  CHECK(level <= 5 && line != NULL && size == strlen(line));
}

void TestListeners(void) {
  char* err = NULL;
  Heard heard = {0, 0, 0};
  destroyed = 0;
  rocksdb_options_t* options = NewOptions();
  rocksdb_options_add_eventlistener(
      options, rocksdb_eventlistener_create(&heard, Destroy, NULL, OnFlush,
                                            NULL, OnCompaction, NULL, NULL,
                                            NULL, NULL, NULL, NULL));
  rocksdb_logger_t* logger =
      rocksdb_logger_create_callback_logger(0, OnLine, &heard);
  rocksdb_options_set_info_log(options, logger);
  rocksdb_logger_destroy(logger);
  logger = rocksdb_options_get_info_log(options);
  CHECK(logger != NULL);
  rocksdb_logger_destroy(logger);
  rocksdb_writeoptions_t* wo = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* fo = rocksdb_flushoptions_create();
  rocksdb_t* db = OpenNew("listeners", options);
  for (int i = 0; i < 2; ++i) {
    rocksdb_put(db, wo, "k", 1, "v", 1, &err);
    rocksdb_flush(db, fo, &err);
    CHECK_OK(err);
  }
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  rocksdb_close(db);
  CHECK(heard.flushes == 2);
  CHECK(heard.compactions > 0);
  CHECK(heard.lines > 0);
  rocksdb_options_destroy(options);
  CHECK(destroyed == 1);
  rocksdb_eventlistener_destroy(
      rocksdb_eventlistener_create(NULL, Destroy, NULL, NULL, NULL, NULL, NULL,
                                   NULL, NULL, NULL, NULL, NULL));
  CHECK(destroyed == 2);
  rocksdb_logger_destroy(rocksdb_logger_create_stderr_logger(4, "test"));
  rocksdb_flushoptions_destroy(fo);
  rocksdb_writeoptions_destroy(wo);
}
