// Iterators: over databases, transactions and table files.
#include "java/jni/database.h"
#include "java/jni/entry_page.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of Iterators.java.
enum class Move { kFirst, kLast, kNext, kPrevious };

Slice KeyOf(const Pin<IteratorObject>& iterator, bool of_value) {
  if (!iterator->rep->Valid()) {
    Fail(Wrong::kState, "the iterator is at no entry");
  }
  if (!of_value) return iterator->rep->key();
  if (!iterator->rep->PrepareValue()) Check(iterator->rep->status());
  return iterator->rep->value();
}

jboolean SeekTo(jlong handle, const Slice& key, bool for_previous) {
  Pin<IteratorObject> iterator(handle);
  if (for_previous) {
    iterator->rep->SeekForPrev(key);
  } else {
    iterator->rep->Seek(key);
  }
  return iterator->rep->Valid();
}

}  // namespace

NATIVE(jlongArray, Iterators, create, jlong database, jlongArray families,
       jlong read) {
  return Run(env, [&] {
    Pin<Database> db(database);
    ReadSettings settings(read);
    std::vector<std::unique_ptr<FamilyOf>> pins;
    std::vector<ColumnFamilyHandle*> handles;
    for (const Handle family : LongsOf(env, families)) {
      pins.push_back(std::make_unique<FamilyOf>(*db->open, family));
      handles.push_back(*pins.back());
    }
    // They share the options of the read.
    IteratorObject first(ChildrenOf(db->open), db->open);
    std::vector<Iterator*> made;
    const ReadOptions& options = first.Keep(settings);
    const bool may_read_ahead = MayReadAhead(options);
    Check(db->db()->NewIterators(options, handles, &made));
    std::vector<std::unique_ptr<IteratorObject>> objects;
    for (Iterator* iterator : made) {
      auto object =
          std::make_unique<IteratorObject>(ChildrenOf(db->open), db->open);
      object->sources = first.sources;
      object->may_read_ahead = may_read_ahead;
      object->rep.reset(iterator);
      objects.push_back(std::move(object));
    }
    CheckCallbacks();
    std::vector<int64_t> published;
    for (std::unique_ptr<IteratorObject>& object : objects) {
      published.push_back(Child::Publish(std::move(object)));
    }
    return NewLongs(env, published);
  });
}

NATIVE(jlong, Iterators, createOne, jlong database, jlong family, jlong read) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    ReadSettings settings(read);
    auto object =
        std::make_unique<IteratorObject>(ChildrenOf(db->open), db->open);
    const ReadOptions& options = object->Keep(settings);
    object->may_read_ahead = MayReadAhead(options);
    object->rep.reset(db->db()->NewIterator(options, cf));
    CheckCallbacks();
    return Child::Publish(std::move(object));
  });
}

NATIVE(jboolean, Iterators, move, jlong handle, jint how) {
  return Run(env, [&]() -> jboolean {
    Pin<IteratorObject> iterator(handle);
    Iterator* it = iterator->rep.get();
    switch (static_cast<Move>(how)) {
      case Move::kFirst:
        it->SeekToFirst();
        break;
      case Move::kLast:
        it->SeekToLast();
        break;
      case Move::kNext:
        if (it->Valid()) it->Next();
        break;
      case Move::kPrevious:
        if (it->Valid()) it->Prev();
        break;
    }
    return it->Valid();
  });
}

// Steps forward, then puts up to `most` entries into the array, as many as fit;
// the iterator stands behind the last of them. The result has from the lowest
// bit: whether it stands at an entry, whether it never reads ahead, and how
// many entries are in the array.
NATIVE(jint, Iterators, nextEntries, jlong handle, jbyteArray array,
       jint most) {
  return Run(env, [&]() -> jint {
    Pin<IteratorObject> iterator(handle);
    Iterator* it = iterator->rep.get();
    if (it->Valid()) it->Next();
    jint count = 0;
    if (iterator->may_read_ahead) {
      EntryPage page(env, array);
      while (count < most && it->Valid() && page.Add(it->key(), it->value())) {
        ++count;
        it->Next();
      }
      page.Finish();
    }
    const jint bits =
        (it->Valid() ? 1 : 0) | (iterator->may_read_ahead ? 0 : 2);
    return count << 2 | bits;
  });
}

NATIVE(jboolean, Iterators, isValid, jlong handle) {
  return Run(env, [&]() -> jboolean {
    return Pin<IteratorObject>(handle)->rep->Valid();
  });
}

NATIVE(jboolean, Iterators, seek, jlong handle, jbyteArray key, jint offset,
       jint size, jboolean for_previous) {
  return Run(env, [&]() -> jboolean {
    const ArrayBytes wanted(env, key, offset, size);
    return SeekTo(handle, wanted.slice(), for_previous);
  });
}

NATIVE(jboolean, Iterators, seekDirect, jlong handle, jlong key, jint size,
       jboolean for_previous) {
  return Run(env, [&]() -> jboolean {
    return SeekTo(handle, Direct(key, size), for_previous);
  });
}

NATIVE(jbyteArray, Iterators, get, jlong handle, jboolean of_value) {
  return Run(env, [&] {
    Pin<IteratorObject> iterator(handle);
    return NewArray(env, KeyOf(iterator, of_value));
  });
}

NATIVE(jint, Iterators, getInto, jlong handle, jboolean of_value,
       jbyteArray target, jint offset, jint room) {
  return Run(env, [&]() -> jint {
    Pin<IteratorObject> iterator(handle);
    return CopyOut(env, KeyOf(iterator, of_value), target, offset, room);
  });
}

NATIVE(jint, Iterators, getDirect, jlong handle, jboolean of_value,
       jlong target, jint room) {
  return Run(env, [&]() -> jint {
    Pin<IteratorObject> iterator(handle);
    return CopyOut(KeyOf(iterator, of_value), target, room);
  });
}

NATIVE(void, Iterators, refresh, jlong handle, jlong snapshot) {
  Run(env, [&] {
    Pin<IteratorObject> iterator(handle);
    Pin<SnapshotObject> given(snapshot, true);
    Check(given ? iterator->rep->Refresh(given->rep.get())
                : iterator->rep->Refresh());
  });
}

NATIVE(void, Iterators, status, jlong handle) {
  Run(env, [&] { Check(Pin<IteratorObject>(handle)->rep->status()); });
}

}  // namespace ROCKSDB_NAMESPACE::jni
