// Reads: lookups of keys.
#include <algorithm>

#include "java/jni/database.h"
#include "java/jni/packing.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// One lookup: true if there is a value. Nothing is allocated for a key that is
// not there.
bool Find(jlong database, jlong family, jlong read, const Slice& key,
          PinnableSlice* value) {
  Pin<Database> db(database);
  FamilyOf cf(*db->open, family);
  ReadSettings settings(read);
  const Status status = db->db()->Get(*settings, cf, key, value);
  if (status.IsNotFound()) return false;
  Check(status);
  return true;
}

bool Exists(jlong database, jlong family, jlong read, const Slice& key) {
  Pin<Database> db(database);
  FamilyOf cf(*db->open, family);
  ReadSettings settings(read);
  std::string memory;
  if (!db->db()->KeyMayExist(*settings, cf, key, &memory)) {
    return false;
  }
  PinnableSlice value;
  const Status status = db->db()->Get(*settings, cf, key, &value);
  if (status.IsNotFound()) return false;
  Check(status);
  return true;
}

enum class May { kNot, kWithoutValue, kWithValue };

// A null `value` is not asked for.
May MayExist(jlong database, jlong family, jlong read, const Slice& key,
             std::string* value) {
  std::string memory;
  Pin<Database> db(database);
  FamilyOf cf(*db->open, family);
  ReadSettings settings(read);
  bool is_found = false;
  if (!db->db()->KeyMayExist(*settings, cf, key,
                             value == nullptr ? &memory : value,
                             value == nullptr ? nullptr : &is_found)) {
    return May::kNot;
  }
  return is_found ? May::kWithValue : May::kWithoutValue;
}

// A handle for each key: one for all of them, or for none the default one.
struct Families {
  Families(const OpenDatabase& database, const std::vector<int64_t>& handles,
           size_t key_count) {
    for (const Handle handle : handles) {
      pins.push_back(std::make_unique<FamilyOf>(database, handle));
    }
    if (pins.empty()) pins.push_back(std::make_unique<FamilyOf>(database, 0));
    for (size_t i = 0; i < key_count; ++i) {
      handle_of_key.push_back(
          *pins[pins.size() == 1 ? 0 : std::min(i, pins.size() - 1)]);
    }
  }
  std::vector<std::unique_ptr<FamilyOf>> pins;
  std::vector<ColumnFamilyHandle*> handle_of_key;
};

struct Lookups {
  explicit Lookups(size_t count) : values(count), statuses(count) {}
  std::vector<PinnableSlice> values;
  std::vector<Status> statuses;
};

void FindAll(Database& db, const std::vector<int64_t>& families, jlong read,
             const std::vector<Slice>& keys, Lookups* found) {
  if (keys.empty()) return;
  Families of_keys(*db.open, families, keys.size());
  ReadSettings settings(read);
  db.db()->MultiGet(*settings, keys.size(), of_keys.handle_of_key.data(),
                    keys.data(), found->values.data(), found->statuses.data(),
                    false);
}

}  // namespace

NATIVE(jbyteArray, Reads, get, jlong database, jlong family, jlong read,
       jbyteArray key, jint offset, jint size) {
  return Run(env, [&]() -> jbyteArray {
    const ArrayBytes wanted(env, key, offset, size);
    PinnableSlice value;
    if (!Find(database, family, read, wanted.slice(), &value)) return nullptr;
    return NewArray(env, value);
  });
}

NATIVE(jint, Reads, getInto, jlong database, jlong family, jlong read,
       jbyteArray key, jint offset, jint size, jbyteArray target,
       jint target_offset, jint room) {
  return Run(env, [&]() -> jint {
    const ArrayBytes wanted(env, key, offset, size);
    PinnableSlice value;
    if (!Find(database, family, read, wanted.slice(), &value)) return -1;
    return CopyOut(env, value, target, target_offset, room);
  });
}

NATIVE(jint, Reads, getDirect, jlong database, jlong family, jlong read,
       jlong key, jint size, jlong target, jint room) {
  return Run(env, [&]() -> jint {
    PinnableSlice value;
    if (!Find(database, family, read, Direct(key, size), &value)) return -1;
    return CopyOut(value, target, room);
  });
}

NATIVE(jboolean, Reads, exists, jlong database, jlong family, jlong read,
       jbyteArray key, jint offset, jint size) {
  return Run(env, [&]() -> jboolean {
    const ArrayBytes wanted(env, key, offset, size);
    return Exists(database, family, read, wanted.slice());
  });
}

NATIVE(jboolean, Reads, existsDirect, jlong database, jlong family, jlong read,
       jlong key, jint size) {
  return Run(env, [&]() -> jboolean {
    return Exists(database, family, read, Direct(key, size));
  });
}

NATIVE(jboolean, Reads, mayExist, jlong database, jlong family, jlong read,
       jbyteArray key, jint offset, jint size, jobjectArray holder) {
  return Run(env, [&]() -> jboolean {
    const ArrayBytes wanted(env, key, offset, size);
    std::string value;
    const May may = MayExist(database, family, read, wanted.slice(),
                             holder == nullptr ? nullptr : &value);
    if (may == May::kWithValue) {
      env->SetObjectArrayElement(holder, 0, NewArray(env, value));
    }
    return may != May::kNot;
  });
}

// -1: no; -2: yes, without a value; else the size of the value.
NATIVE(jint, Reads, mayExistDirect, jlong database, jlong family, jlong read,
       jlong key, jint size, jlong target, jint room) {
  return Run(env, [&]() -> jint {
    std::string value;
    const May may = MayExist(database, family, read, Direct(key, size),
                             target == 0 ? nullptr : &value);
    if (may == May::kNot) return -1;
    return may == May::kWithoutValue ? -2 : CopyOut(value, target, room);
  });
}

NATIVE(jobjectArray, Reads, multiGet, jlong database, jlongArray families,
       jlong read, jbyteArray packed) {
  return Run(env, [&]() -> jobjectArray {
    Pin<Database> db(database);
    Unpacker in(BytesOf(env, packed));
    std::vector<Slice> keys(static_cast<size_t>(in.Int()));
    for (Slice& key : keys) key = in.Bytes();
    Lookups found(keys.size());
    FindAll(*db, LongsOf(env, families), read, keys, &found);
    return NewArrays(env, found.values, found.statuses);
  });
}

// For each key its status and the size of its value, packed.
NATIVE(jbyteArray, Reads, multiGetDirect, jlong database, jlongArray families,
       jlong read, jlongArray places) {
  return Run(env, [&] {
    Pin<Database> db(database);
    // Four numbers for each key: its address and size, and those of the room
    // for its value.
    const std::vector<int64_t> numbers = LongsOf(env, places);
    std::vector<Slice> keys;
    for (size_t i = 0; i + 3 < numbers.size(); i += 4) {
      keys.push_back(Direct(numbers[i], static_cast<jint>(numbers[i + 1])));
    }
    Lookups found(keys.size());
    FindAll(*db, LongsOf(env, families), read, keys, &found);
    Packer out;
    for (size_t i = 0; i < keys.size(); ++i) {
      const Slice value = found.values[i];
      const int64_t room = numbers[4 * i + 3];
      if (found.statuses[i].ok()) {
        if (value.size() > static_cast<size_t>(INT32_MAX)) {
          found.statuses[i] = Status::Incomplete();
          CopyOut(Slice(value.data(), static_cast<size_t>(room)),
                  numbers[4 * i + 2], static_cast<jint>(room));
          out.Status(found.statuses[i]);
          out.Int(room);
          continue;
        }
        CopyOut(value, numbers[4 * i + 2], static_cast<jint>(room));
      }
      out.Status(found.statuses[i]);
      out.Int(found.statuses[i].ok() ? value.size() : 0);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, Reads, snapshot, jlong database) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    const Snapshot* snapshot = db->db()->GetSnapshot();
    if (snapshot == nullptr) return 0;
    return Child::Publish(std::make_unique<SnapshotObject>(db->open, snapshot));
  });
}

NATIVE(jlong, Reads, sequenceOf, jlong snapshot) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(
        Pin<SnapshotObject>(snapshot)->rep->GetSequenceNumber());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
