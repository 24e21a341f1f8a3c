// What a MemTableRep does that it does not override.
#include <memory>
#include <stdexcept>

#include "rocksdb/memtablerep.h"
#include "util/arena.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status ChecksAreNotMade(const char* call) {
  return Status::NotSupported(call, "by this MemTableRep");
}

using EntryCallback = bool (*)(void* arg, const char* entry);

void ShowFrom(MemTableRep::Iterator* it, const Slice& internal_key,
              const char* memtable_key, void* arg, EntryCallback callback) {
  it->Seek(internal_key, memtable_key);
  while (it->Valid() && callback(arg, it->key())) it->Next();
}

}  // namespace

// For bytes that the engine itself wrote to memory.
Slice GetLengthPrefixedSlice(const char* data) {
  uint32_t length = 0;
  const char* const bytes =
      GetVarint32Ptr(data, data + kMaxVarint32Length, &length);
  INVARIANT(bytes != nullptr);
  return Slice(bytes, length);
}

MemTableRep::KeyComparator::DecodedType MemTableRep::KeyComparator::decode_key(
    const char* key) const {
  return GetLengthPrefixedSlice(key);
}

KeyHandle MemTableRep::Allocate(const size_t len, char** buf) {
  *buf = allocator_->Allocate(len);
  return *buf;
}

void MemTableRep::InsertConcurrently(KeyHandle /*handle*/) {
  throw std::logic_error("this MemTableRep takes one insert at a time");
}

void MemTableRep::Get(const LookupKey& k, void* callback_args,
                      bool (*callback_func)(void* arg, const char* entry)) {
  const std::unique_ptr<Iterator> it(GetDynamicPrefixIterator());
  ShowFrom(it.get(), k.internal_key(), k.memtable_key().data(), callback_args,
           callback_func);
}

Status MemTableRep::GetAndValidate(
    const LookupKey& /*lookup_key*/, void* /*callback_args*/,
    bool (* /*callback_func*/)(void* arg, const char* entry),
    bool /*allow_data_in_errors*/, bool /*detect_key_out_of_order*/,
    const std::function<Status(const char*, bool)>&
    /*key_validation_callback*/) {
  return ChecksAreNotMade("GetAndValidate()");
}

Status MemTableRep::MultiGet(
    size_t num_keys, const char* const* keys, void** callback_args,
    bool (*callback_func)(void* arg, const char* entry),
    bool /*allow_data_in_errors*/, bool detect_key_out_of_order,
    const std::function<Status(const char*, bool)>& key_validation_callback) {
  if (detect_key_out_of_order || key_validation_callback != nullptr) {
    return ChecksAreNotMade("MultiGet() with checks");
  }
  const std::unique_ptr<Iterator> it(GetDynamicPrefixIterator());
  for (size_t i = 0; i < num_keys; ++i) {
    ShowFrom(it.get(), GetLengthPrefixedSlice(keys[i]), keys[i],
             callback_args[i], callback_func);
  }
  return Status::OK();
}

Slice MemTableRep::UserKey(const char* key) const {
  return ExtractUserKey(GetLengthPrefixedSlice(key));
}

Status MemTableRep::Iterator::NextAndValidate(bool /*allow_data_in_errors*/) {
  return ChecksAreNotMade("NextAndValidate()");
}

Status MemTableRep::Iterator::PrevAndValidate(bool /*allow_data_in_errors*/) {
  return ChecksAreNotMade("PrevAndValidate()");
}

Status MemTableRep::Iterator::SeekAndValidate(
    const Slice& /*internal_key*/, const char* /*memtable_key*/,
    bool /*allow_data_in_errors*/, bool /*detect_key_out_of_order*/,
    const std::function<Status(const char*, bool)>&
    /*key_validation_callback*/) {
  return ChecksAreNotMade("SeekAndValidate()");
}

}  // namespace ROCKSDB_NAMESPACE
