#include "tools/c_bench/writer.h"

#include "tools/c_bench/text.h"

namespace c_bench {

Writer::Writer(const Database& database, uint64_t seed)
    : database_(database),
      options_(rocksdb_writeoptions_create()),
      key_(database.flags().Number("key_size"), '0'),
      values_(database.flags().Number("value_size"), seed) {
  rocksdb_writeoptions_disable_WAL(options_,
                                   database.flags().IsOn("disable_wal"));
  rocksdb_writeoptions_set_sync(options_, database.flags().IsOn("sync"));
}

Writer::~Writer() { rocksdb_writeoptions_destroy(options_); }

uint64_t Writer::Put(uint64_t number) {
  SetKey(number, &key_);
  char* error = nullptr;
  rocksdb_put_cf(database_.db(), options_, database_.Family(number),
                 key_.data(), key_.size(), values_.Next(), values_.size(),
                 &error);
  Check(error, "put");
  return key_.size() + values_.size();
}

void Writer::Put(uint64_t number, Worker* worker) {
  worker->Done(1, 0, Put(number));
}

void Writer::Delete(uint64_t number, Worker* worker) {
  SetKey(number, &key_);
  char* error = nullptr;
  rocksdb_delete_cf(database_.db(), options_, database_.Family(number),
                    key_.data(), key_.size(), &error);
  Check(error, "delete");
  worker->Done(1, 0, key_.size());
}

void Writer::PutBatch(uint64_t first, int64_t count, Worker* worker) {
  rocksdb_writebatch_t* batch = rocksdb_writebatch_create();
  for (int64_t i = 0; i < count; ++i) {
    SetKey(first + i, &key_);
    rocksdb_writebatch_put_cf(batch, database_.Family(first + i), key_.data(),
                              key_.size(), values_.Next(), values_.size());
  }
  char* error = nullptr;
  rocksdb_write(database_.db(), options_, batch, &error);
  Check(error, "write");
  rocksdb_writebatch_destroy(batch);
  worker->Done(count, 0, count * (key_.size() + values_.size()));
}

}  // namespace c_bench
