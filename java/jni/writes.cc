// Writes: single updates of a database, and batches.
#include "java/jni/database.h"
#include "java/jni/updates.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// Where an update goes, and what it is.
struct Target {
  jlong database;
  jlong family;
  jlong write;
  jint operation;
};

Status Write(const Target& target, const Slice& key, const Slice& value) {
  Pin<Database> db(target.database);
  FamilyOf cf(*db->open, target.family);
  WriteSettings settings(target.write);
  switch (static_cast<Update>(target.operation)) {
    case Update::kPut:
      return db->db()->Put(*settings, cf, key, value);
    case Update::kMerge:
      return db->db()->Merge(*settings, cf, key, value);
    case Update::kDelete:
      return db->db()->Delete(*settings, cf, key);
    case Update::kSingleDelete:
      return db->db()->SingleDelete(*settings, cf, key);
    case Update::kDeleteRange:
      return db->db()->DeleteRange(*settings, cf, key, value);
  }
  return Status::InvalidArgument("no such update");
}

}  // namespace

NATIVE(void, Writes, update, jlong database, jlong family, jlong write,
       jint operation, jbyteArray key, jint offset, jint size, jbyteArray value,
       jint value_offset, jint value_size) {
  Run(env, [&] {
    const ArrayBytes first(env, key, offset, size);
    if (value == nullptr) {
      Check(
          Write({database, family, write, operation}, first.slice(), Slice()));
      return;
    }
    const ArrayBytes second(env, value, value_offset, value_size);
    Check(Write({database, family, write, operation}, first.slice(),
                second.slice()));
  });
}

NATIVE(void, Writes, updateDirect, jlong database, jlong family, jlong write,
       jint operation, jlong key, jint size, jlong value, jint value_size) {
  Run(env, [&] {
    Check(Write({database, family, write, operation}, Direct(key, size),
                Direct(value, value_size)));
  });
}

NATIVE(void, Writes, batch, jlong database, jlong write, jlong batch) {
  Run(env, [&] {
    Pin<Database> db(database);
    WriteSettings settings(write);
    Pin<BatchObject> updates(batch);
    Check(db->db()->Write(*settings, updates->rep));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
