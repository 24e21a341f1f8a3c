// Fields: option structs that are made, copied, and read and set by number.
#include "java/jni/option_fields.h"
#include "java/jni/packing.h"
#include "java/jni/structs.h"
#include "rocksdb/perf_context.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

const OptionField& Field(jint number) {
  const OptionField* field = FieldNumbered(static_cast<size_t>(number));
  if (field == nullptr) Fail(Wrong::kArgument, "no such field");
  return *field;
}

void* AddressOf(const OptionField& field, StructObject& object) {
  void* found = object.StructOf(*field.owner);
  if (found == nullptr) {
    Fail(Wrong::kArgument,
         std::string("the options object has no ") + field.name);
  }
  return field.address(found);
}

std::string* TextField(const OptionField& field, StructObject& object) {
  if (field.get != nullptr) Fail(Wrong::kArgument, "the field is no text");
  return static_cast<std::string*>(AddressOf(field, object));
}

}  // namespace

NATIVE(jlong, Fields, create, jint kind) {
  return Run(env, [&]() -> jlong {
    auto made = NewStruct(kind);
    if (made == nullptr) Fail(Wrong::kArgument, "no such options");
    return Publish(std::move(made));
  });
}

NATIVE(jlong, Fields, copy, jint kind, jlong from) {
  return Run(env, [&]() -> jlong {
    Pin<StructObject> source(from);
    auto made = CopyStruct(kind, *source);
    if (made == nullptr) {
      Fail(Wrong::kArgument, "options of one kind cannot be copied to another");
    }
    return Publish(std::move(made));
  });
}

NATIVE(jlong, Fields, join, jlong database, jlong family) {
  return Run(env, [&]() -> jlong {
    PinStruct<DBOptions> of_database(database);
    PinStruct<ColumnFamilyOptions> of_family(family);
    auto made = std::make_unique<Value<Options>>(std::in_place, *of_database,
                                                 *of_family);
    AddKept(of_database.object().kept, &made->kept);
    AddKept(of_family.object().kept, &made->kept);
    return Publish(std::move(made));
  });
}

NATIVE(jlong, Fields, get, jlong handle, jint number) {
  return Run(env, [&]() -> jlong {
    Pin<StructObject> object(handle);
    const OptionField& field = Field(number);
    if (field.get == nullptr) Fail(Wrong::kArgument, "the field is text");
    return field.get(AddressOf(field, *object));
  });
}

NATIVE(void, Fields, set, jlong handle, jint number, jlong value) {
  Run(env, [&] {
    Pin<StructObject> object(handle);
    const OptionField& field = Field(number);
    if (field.set == nullptr) Fail(Wrong::kArgument, "the field is text");
    field.set(AddressOf(field, *object), value);
  });
}

NATIVE(jbyteArray, Fields, getText, jlong handle, jint number) {
  return Run(env, [&] {
    Pin<StructObject> object(handle);
    return NewArray(env, *TextField(Field(number), *object));
  });
}

NATIVE(void, Fields, setText, jlong handle, jint number, jbyteArray text) {
  Run(env, [&] {
    Pin<StructObject> object(handle);
    *TextField(Field(number), *object) = TextOf(env, text);
  });
}

NATIVE(void, Handles, close, jlong handle) {
  Run(env, [&] { CloseHandle(handle); });
}

NATIVE(jboolean, Handles, isOpen, jlong handle) {
  // The object may end here, and its end may call listeners.
  return Run(env, [&]() -> jboolean {
    HandleSlot* slot = PinSlot(handle);
    if (slot == nullptr) return JNI_FALSE;
    UnpinSlot(slot);
    return JNI_TRUE;
  });
}

NATIVE(jlong, Handles, liveObjects) { return LiveObjects(); }

NATIVE(jbyteArray, Handles, openObjectsByType) {
  return Run(env, [&] {
    const std::map<std::string, int64_t> counts = OpenObjectsByType();
    Packer out;
    out.Int(counts.size());
    for (const auto& [type, count] : counts) {
      out.Text(type);
      out.Long(count);
    }
    return NewArray(env, out.bytes());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
