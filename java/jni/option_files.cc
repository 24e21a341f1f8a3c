// OptionFiles: the options that databases wrote down.
#include "java/jni/packing.h"
#include "java/jni/values.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_util.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// Java's numbers of what a table format is.
enum class Format { kOther, kBlockBased, kPlain };

// The settings of a format of tables, for Java to make its own of: what
// format, a handle of its struct, and the bits of a Bloom filter or 0.
void PackFormat(Packer& out, const TableFactory* factory) {
  const auto* blocks = factory == nullptr
                           ? nullptr
                           : factory->GetOptions<BlockBasedTableOptions>();
  const auto* plain = factory == nullptr || blocks != nullptr
                          ? nullptr
                          : factory->GetOptions<PlainTableOptions>();
  if (blocks != nullptr) {
    out.Enum(Format::kBlockBased);
    out.Long(PublishNew<Value<BlockBasedTableOptions>>(std::in_place, *blocks));
    std::string bits;
    const FilterPolicy* filter = blocks->filter_policy.get();
    if (filter != nullptr && filter->IsInstanceOf("bloomfilter")) {
      // The id of a filter with 10 bits for each key: bloomfilter:10:false.
      const std::string id = filter->GetId();
      const size_t from = id.find(':');
      if (from != std::string::npos) {
        bits = id.substr(from + 1, id.find(':', from + 1) - from - 1);
      }
    }
    out.Text(bits);
    return;
  }
  out.Enum(plain != nullptr ? Format::kPlain : Format::kOther);
  out.Long(plain == nullptr
               ? 0
               : PublishNew<Value<PlainTableOptions>>(std::in_place, *plain));
  out.Text("");
}

}  // namespace

// The options of a database go into `options`; the families come out, each with
// a handle of its options.
NATIVE(jbyteArray, OptionFiles, load, jlong config, jbyteArray path,
       jboolean is_file, jlong options) {
  return Run(env, [&] {
    PinStruct<ConfigOptions> how(config);
    PinStruct<DBOptions> target(options);
    DBOptions loaded;
    std::vector<ColumnFamilyDescriptor> families;
    const std::string name = TextOf(env, path);
    Check(is_file ? LoadOptionsFromFile(*how, name, &loaded, &families)
                  : LoadLatestOptions(*how, name, &loaded, &families));
    *target = loaded;
    // The environment is that of `config`.
    target.object().kept = how.object().kept;
    Packer out;
    out.Int(families.size());
    for (const ColumnFamilyDescriptor& family : families) {
      out.Text(family.name);
      out.Long(PublishNew<Value<ColumnFamilyOptions>>(std::in_place,
                                                      family.options));
      PackFormat(out, family.options.table_factory.get());
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, OptionFiles, latest, jbyteArray path, jlong environment) {
  return Run(env, [&] {
    Pin<Shared<Env>> where(environment);
    std::string name;
    Check(GetLatestOptionsFileName(TextOf(env, path), where->rep.get(), &name));
    return NewArray(env, name);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
