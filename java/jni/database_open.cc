// Databases: opening and closing, and the families of a database.
#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "java/jni/unknown_operator.h"
#include "rocksdb/metadata.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/version.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of Databases.java.
enum class Kind {
  kPlain,
  kReadOnly,
  kSecondary,
  kTtl,
  kTransactions,
  kOptimistic
};

// What a database is opened with.
struct Opening {
  Kind kind;
  std::string path;
  DBOptions options;
  std::vector<ColumnFamilyDescriptor> families;
  // One family, of which Java holds no handle.
  bool is_single = false;
  std::vector<Kept> kept;
  std::vector<int32_t> ttls;
  bool is_read_only = false;
  std::string secondary_path;
  TransactionDBOptions transaction_options;
};

void ReadFamilies(jlong options, Unpacker& in, Opening* opening) {
  const int32_t count = in.Int();
  if (count < 0) {
    PinStruct<Options> both(options);
    opening->is_single = true;
    opening->options = *both;
    opening->families.emplace_back(kDefaultColumnFamilyName,
                                   ColumnFamilyOptions(*both));
    opening->kept.push_back(both.object().kept);
    return;
  }
  PinStruct<DBOptions> database(options);
  opening->options = *database;
  opening->kept.push_back(database.object().kept);
  for (int32_t i = 0; i < count; ++i) {
    std::string name = in.Text();
    const Handle handle = in.Long();
    ColumnFamilyOptions family_options;
    if (handle != 0) {
      PinStruct<ColumnFamilyOptions> family(handle);
      family_options = *family;
      opening->kept.push_back(family.object().kept);
    }
    opening->families.emplace_back(std::move(name), family_options);
  }
}

Opening ReadOpening(jlong options, Unpacker& in) {
  Opening opening;
  opening.kind = static_cast<Kind>(in.Int());
  opening.path = in.Text();
  ReadFamilies(options, in, &opening);
  switch (opening.kind) {
    case Kind::kReadOnly:
      opening.is_read_only = in.Bool();
      break;
    case Kind::kSecondary:
      opening.secondary_path = in.Text();
      break;
    case Kind::kTtl:
      for (size_t i = 0; i < opening.families.size(); ++i) {
        opening.ttls.push_back(in.Int());
      }
      opening.is_read_only = in.Bool();
      break;
    case Kind::kTransactions:
      opening.transaction_options = *PinStruct<TransactionDBOptions>(in.Long());
      break;
    default:
      break;
  }
  return opening;
}

std::shared_ptr<OpenDatabase> OpenOne(
    const Opening& with, std::vector<ColumnFamilyHandle*>* handles) {
  for (const ColumnFamilyDescriptor& family : with.families) {
    RefuseUnknownOperator(family.options);
  }
  std::unique_ptr<DB> db;
  TransactionDB* transactions = nullptr;
  OptimisticTransactionDB* optimistic = nullptr;
  switch (with.kind) {
    case Kind::kPlain:
      Check(DB::Open(with.options, with.path, with.families, handles, &db));
      break;
    case Kind::kReadOnly:
      Check(DB::OpenForReadOnly(with.options, with.path, with.families, handles,
                                &db, with.is_read_only));
      break;
    case Kind::kSecondary:
      Check(DB::OpenAsSecondary(with.options, with.path, with.secondary_path,
                                with.families, handles, &db));
      break;
    case Kind::kTtl: {
      DBWithTTL* opened = nullptr;
      Check(DBWithTTL::Open(with.options, with.path, with.families, handles,
                            &opened, with.ttls, with.is_read_only));
      db.reset(opened);
      break;
    }
    case Kind::kTransactions:
      Check(TransactionDB::Open(with.options, with.transaction_options,
                                with.path, with.families, handles,
                                &transactions));
      db.reset(transactions);
      break;
    case Kind::kOptimistic:
      Check(OptimisticTransactionDB::Open(with.options, with.path,
                                          with.families, handles, &optimistic));
      db.reset(optimistic);
      break;
    default:
      Fail(Wrong::kArgument, "no such kind of database");
  }
  std::shared_ptr<OpenDatabase> database = ShareOpen(std::move(db));
  database->transactions = transactions;
  database->optimistic = optimistic;
  database->kept = with.kept;
  // Others run no compactions.
  const bool compacts =
      with.kind == Kind::kTtl
          ? !with.is_read_only
          : with.kind != Kind::kReadOnly && with.kind != Kind::kSecondary;
  if (compacts) database->service = with.options.compaction_service;
  return database;
}

ColumnFamilyOptions OptionsOfFamily(Handle handle, OpenDatabase& database) {
  if (handle == 0) return ColumnFamilyOptions();
  PinStruct<ColumnFamilyOptions> family(handle);
  RefuseUnknownOperator(*family);
  database.KeepAlive(family.object().kept);
  return *family;
}

}  // namespace

NATIVE(jint, LibraryLoader, version0) {
  return ROCKSDB_MAJOR << 16 | ROCKSDB_MINOR << 8 | ROCKSDB_PATCH;
}

NATIVE(jlongArray, Databases, open, jlong options, jbyteArray packed) {
  return Run(env, [&] {
    Unpacker in(BytesOf(env, packed));
    const Opening opening = ReadOpening(options, in);
    std::vector<ColumnFamilyHandle*> handles;
    std::shared_ptr<OpenDatabase> database = OpenOne(opening, &handles);
    if (opening.is_single) {
      database->default_family = handles[0];
      handles.clear();
    }
    return NewLongs(env, PublishDatabase(std::move(database), handles));
  });
}

NATIVE(void, Databases, close, jlong database) {
  Run(env, [&] { Check(CloseDatabase(database)); });
}

NATIVE(void, Databases, destroy, jlong options, jbyteArray path) {
  Run(env, [&] {
    Check(DestroyDB(TextOf(env, path), *PinStruct<Options>(options)));
  });
}

NATIVE(jbyteArray, Databases, listFamilies, jlong options, jbyteArray path) {
  return Run(env, [&] {
    std::vector<std::string> names;
    const Status status = DB::ListColumnFamilies(*PinStruct<Options>(options),
                                                 TextOf(env, path), &names);
    // A path without a database has no families; programs look for that.
    if (!status.ok()) names.clear();
    Packer out;
    out.Int(names.size());
    for (const std::string& name : names) out.Text(name);
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, Databases, defaultFamily, jlong database) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    return Child::Publish(std::make_unique<Family>(
        db->open, db->db()->DefaultColumnFamily(), false));
  });
}

NATIVE(jlongArray, Databases, createFamilies, jlong database,
       jbyteArray packed) {
  return Run(env, [&] {
    Pin<Database> db(database);
    Unpacker in(BytesOf(env, packed));
    std::vector<int64_t> made;
    for (int32_t left = in.Int(); left > 0; --left) {
      const std::string name = in.Text();
      const ColumnFamilyOptions options = OptionsOfFamily(in.Long(), *db->open);
      ColumnFamilyHandle* handle = nullptr;
      Check(db->db()->CreateColumnFamily(options, name, &handle));
      made.push_back(PublishFamily(db->open, handle));
    }
    return NewLongs(env, made);
  });
}

NATIVE(jlong, Databases, createFamilyWithTtl, jlong database, jbyteArray name,
       jlong options, jint ttl) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    auto* with_ttl = dynamic_cast<DBWithTTL*>(db->db());
    if (with_ttl == nullptr) Fail(Wrong::kState, "the database has no TTL");
    ColumnFamilyHandle* handle = nullptr;
    Check(with_ttl->CreateColumnFamilyWithTtl(
        OptionsOfFamily(options, *db->open), BytesOf(env, name), &handle, ttl));
    return PublishFamily(db->open, handle);
  });
}

NATIVE(jlong, Databases, importFamily, jlong database, jbyteArray packed,
       jlongArray metadata) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    Unpacker in(BytesOf(env, packed));
    const std::string name = in.Text();
    const ColumnFamilyOptions options = OptionsOfFamily(in.Long(), *db->open);
    ImportColumnFamilyOptions import_options;
    import_options.move_files = in.Bool();
    std::vector<std::unique_ptr<Pin<Shared<ExportImportFilesMetaData>>>> pins;
    std::vector<const ExportImportFilesMetaData*> files;
    for (const Handle handle : LongsOf(env, metadata)) {
      pins.push_back(
          std::make_unique<Pin<Shared<ExportImportFilesMetaData>>>(handle));
      files.push_back((*pins.back())->rep.get());
    }
    ColumnFamilyHandle* handle = nullptr;
    Check(db->db()->CreateColumnFamilyWithImport(options, name, import_options,
                                                 files, &handle));
    return PublishFamily(db->open, handle);
  });
}

NATIVE(void, Databases, dropFamilies, jlong database, jlongArray families) {
  Run(env, [&] {
    Pin<Database> db(database);
    for (const Handle family : LongsOf(env, families)) {
      Check(db->db()->DropColumnFamily(FamilyOf(*db->open, family)));
    }
  });
}

NATIVE(jbyteArray, Databases, familyName, jlong family) {
  return Run(env, [&] {
    return NewArray(env, Pin<FamilyFacts>(family)->rep->GetName());
  });
}

NATIVE(jint, Databases, familyId, jlong family) {
  return Run(env, [&]() -> jint {
    return static_cast<jint>(Pin<FamilyFacts>(family)->rep->GetID());
  });
}

// What two handles of one family have in common.
NATIVE(jlong, Databases, databaseOfFamily, jlong family) {
  return Run(env, [&]() -> jlong {
    return reinterpret_cast<jlong>(Pin<FamilyFacts>(family)->open.get());
  });
}

NATIVE(jlong, Databases, familyOptions, jlong family) {
  return Run(env, [&]() -> jlong {
    Pin<FamilyFacts> pin(family);
    ColumnFamilyDescriptor descriptor;
    Check(pin->rep->GetDescriptor(&descriptor));
    auto made = std::make_unique<Value<ColumnFamilyOptions>>(
        std::in_place, descriptor.options);
    // What the options point to, the database keeps.
    made->kept[pin->open.get()] = pin->open->KeptByFamilies();
    return Publish(std::move(made));
  });
}

NATIVE(jbyteArray, Databases, name, jlong database) {
  return Run(env, [&] {
    return NewArray(env, Pin<Database>(database)->db()->GetName());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
