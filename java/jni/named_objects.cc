// NamedObjects: objects of the engine's that are made from their text.
#include "java/jni/values.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/user_defined_index.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of NamedObjects.java.
enum NamedKind {
  kFileChecksumGenFactory,
  kFlushBlockPolicyFactory,
  kUserDefinedIndexFactory,
  kCompressionManager,
  kSliceTransform,
};

template <class T>
Handle Make(const std::string& id) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  std::shared_ptr<T> made;
  Check(std::remove_const_t<T>::CreateFromString(config, id, &made));
  if (made == nullptr) Fail(Wrong::kArgument, "the text names no object");
  return Share(std::move(made));
}

template <class T>
std::string IdOf(jlong object) {
  return Pin<Shared<T>>(object)->rep->GetId();
}

}  // namespace

NATIVE(jlong, NamedObjects, create, jint kind, jbyteArray id) {
  return Run(env, [&]() -> jlong {
    const std::string text = TextOf(env, id);
    switch (kind) {
      case kFileChecksumGenFactory:
        return Make<FileChecksumGenFactory>(text);
      case kFlushBlockPolicyFactory:
        return Make<FlushBlockPolicyFactory>(text);
      case kUserDefinedIndexFactory:
        return Make<UserDefinedIndexFactory>(text);
      case kCompressionManager:
        return Make<CompressionManager>(text);
      case kSliceTransform:
        return Make<const SliceTransform>(text);
      default:
        Fail(Wrong::kArgument, "no such kind of objects");
    }
  });
}

NATIVE(jbyteArray, NamedObjects, id, jint kind, jlong object) {
  return Run(env, [&] {
    switch (kind) {
      case kFileChecksumGenFactory:
        return NewArray(env, IdOf<FileChecksumGenFactory>(object));
      case kFlushBlockPolicyFactory:
        return NewArray(env, IdOf<FlushBlockPolicyFactory>(object));
      case kUserDefinedIndexFactory:
        return NewArray(env, IdOf<UserDefinedIndexFactory>(object));
      case kCompressionManager:
        return NewArray(env, IdOf<CompressionManager>(object));
      case kSliceTransform:
        return NewArray(env, IdOf<const SliceTransform>(object));
      default:
        Fail(Wrong::kArgument, "no such kind of objects");
    }
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
