// SliceParts: bytes that Java holds as objects of the engine's.
#include "java/jni/slices.h"

namespace ROCKSDB_NAMESPACE::jni {

NATIVE(jlong, SliceParts, create, jbyteArray data, jint offset) {
  return Run(env, [&]() -> jlong {
    const std::string bytes = BytesOf(env, data);
    if (offset < 0 || static_cast<size_t>(offset) > bytes.size()) {
      Fail(Wrong::kBounds, "the offset is outside of the array");
    }
    return PublishNew<SliceObject>(bytes.substr(static_cast<size_t>(offset)));
  });
}

NATIVE(jlong, SliceParts, at, jlong address, jint size) {
  return Run(env, [&]() -> jlong {
    return PublishNew<SliceObject>(Direct(address, size));
  });
}

NATIVE(jbyteArray, SliceParts, bytes, jlong slice) {
  return Run(env, [&] { return NewArray(env, Pin<SliceObject>(slice)->rep); });
}

NATIVE(jint, SliceParts, size, jlong slice) {
  return Run(env, [&]() -> jint {
    return static_cast<jint>(Pin<SliceObject>(slice)->rep.size());
  });
}

NATIVE(void, SliceParts, removePrefix, jlong slice, jint count) {
  Run(env, [&] {
    Pin<SliceObject> pin(slice);
    if (count < 0 || static_cast<size_t>(count) > pin->rep.size()) {
      Fail(Wrong::kBounds, "the slice has fewer bytes");
    }
    pin->rep.remove_prefix(static_cast<size_t>(count));
  });
}

NATIVE(void, SliceParts, setSize, jlong slice, jint size) {
  Run(env, [&] {
    Pin<SliceObject> pin(slice);
    if (size < 0 || static_cast<size_t>(size) > pin->rep.size()) {
      Fail(Wrong::kBounds, "the slice has fewer bytes");
    }
    pin->rep = Slice(pin->rep.data(), static_cast<size_t>(size));
  });
}

NATIVE(jbyte, SliceParts, get, jlong slice, jint index) {
  return Run(env, [&]() -> jbyte {
    Pin<SliceObject> pin(slice);
    if (index < 0 || static_cast<size_t>(index) >= pin->rep.size()) {
      Fail(Wrong::kBounds, "the slice has fewer bytes");
    }
    return pin->rep[static_cast<size_t>(index)];
  });
}

NATIVE(jint, SliceParts, offset, jlong slice, jlong base) {
  return Run(env, [&]() -> jint {
    const char* begin = Pin<SliceObject>(slice)->rep.data();
    return static_cast<jint>(begin - reinterpret_cast<const char*>(base));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
