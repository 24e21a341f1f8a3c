// Entries of an iterator, one after the other in an array of Java's.
//
// Each is the sizes of its key and its value, four bytes with the lowest first,
// then both. Short ones are gathered on the stack, so that Java is called once
// for many; long values go straight from where the engine has them.
#pragma once

#include <cstdint>
#include <cstring>

#include "java/jni/call.h"

namespace ROCKSDB_NAMESPACE::jni {

class EntryPage {
 public:
  EntryPage(JNIEnv* env, jbyteArray array)
      : env_(env),
        array_(array),
        room_(static_cast<size_t>(env->GetArrayLength(array))) {}

  // False if there is no room for it.
  bool Add(const Slice& key, const Slice& value) {
    if (key.size() > room_ || value.size() > room_ ||
        kHeadBytes + key.size() + value.size() > room_) {
      return false;
    }
    room_ -= kHeadBytes + key.size() + value.size();
    Append(Head(key.size(), value.size()).slice());
    Append(key);
    Append(value);
    return true;
  }

  // Call it after the last one.
  void Finish() {
    WriteOut(Slice(gathered_, gathered_size_));
    gathered_size_ = 0;
  }

 private:
  static constexpr size_t kHeadBytes = 8;
  static constexpr size_t kGatheredBytes = 4096;

  class Head {
   public:
    Head(size_t key_size, size_t value_size) {
      for (size_t i = 0; i < 4; ++i) {
        bytes_[i] = static_cast<char>(key_size >> 8 * i);
        bytes_[4 + i] = static_cast<char>(value_size >> 8 * i);
      }
    }
    Slice slice() const { return Slice(bytes_, kHeadBytes); }

   private:
    char bytes_[kHeadBytes];
  };

  void Append(const Slice& bytes) {
    if (bytes.size() > kGatheredBytes - gathered_size_) Finish();
    if (bytes.size() > kGatheredBytes) {
      WriteOut(bytes);
      return;
    }
    std::memcpy(gathered_ + gathered_size_, bytes.data(), bytes.size());
    gathered_size_ += bytes.size();
  }
  void WriteOut(const Slice& bytes) {
    if (bytes.empty()) return;
    env_->SetByteArrayRegion(array_, written_, static_cast<jsize>(bytes.size()),
                             reinterpret_cast<const jbyte*>(bytes.data()));
    written_ += static_cast<jsize>(bytes.size());
  }

  JNIEnv* env_;
  jbyteArray array_;
  size_t room_;
  jsize written_ = 0;
  size_t gathered_size_ = 0;
  char gathered_[kGatheredBytes];
};

}  // namespace ROCKSDB_NAMESPACE::jni
