#include "java/jni/lent_objects.h"

#include <string>
#include <utility>

namespace ROCKSDB_NAMESPACE::jni {

namespace {

constinit thread_local const FamilyRelease* release_of_thread = nullptr;

// What a handle answered before it went.
class HandleCopy : public ColumnFamilyHandle {
 public:
  explicit HandleCopy(ColumnFamilyHandle& going)
      : name_(going.GetName()),
        id_(going.GetID()),
        comparator_(going.GetComparator()),
        status_(going.GetDescriptor(&descriptor_)) {}
  const std::string& GetName() const override { return name_; }
  uint32_t GetID() const override { return id_; }
  Status GetDescriptor(ColumnFamilyDescriptor* descriptor) override {
    if (status_.ok()) *descriptor = descriptor_;
    return status_;
  }
  const Comparator* GetComparator() const override { return comparator_; }

 private:
  const std::string name_;
  const uint32_t id_;
  const Comparator* const comparator_;
  ColumnFamilyDescriptor descriptor_;
  const Status status_;
};

class GoingFamily : public FamilyFacts {
 public:
  static constexpr TypeTag kTag{"ColumnFamilyHandle that is about to go",
                                &FamilyFacts::kTag};
  using FamilyFacts::FamilyFacts;
  const TypeTag* Tag() const override { return &kTag; }
};

}  // namespace

LentDatabase::LentDatabase(std::shared_ptr<OpenDatabase> open)
    : open_(std::move(open)) {
  if (open_ == nullptr) return;
  handle_ = PublishNew<Database>(open_);
  open_->children.Add(handle_);
}

LentDatabase::~LentDatabase() {
  if (open_ == nullptr) return;
  open_->children.Remove(handle_);
  CloseHandle(handle_);
}

FamilyRelease::FamilyRelease(const std::shared_ptr<OpenDatabase>& database,
                             ColumnFamilyHandle* released)
    : database_(database),
      released_(released),
      outer_(std::exchange(release_of_thread, this)) {}

FamilyRelease::~FamilyRelease() { release_of_thread = outer_; }

std::shared_ptr<OpenDatabase> FamilyRelease::DatabaseOf(
    ColumnFamilyHandle* handle) {
  const FamilyRelease* release = release_of_thread;
  if (release == nullptr || release->released_ != handle) return nullptr;
  return release->database_;
}

LentFamily::LentFamily(const std::shared_ptr<OpenDatabase>& open,
                       ColumnFamilyHandle* going) {
  if (open == nullptr) return;
  handle_ = Child::Publish(std::make_unique<GoingFamily>(
      open, std::make_shared<HandleCopy>(*going)));
}

LentFamily::~LentFamily() {
  if (handle_ != 0) CloseHandle(handle_);
}

}  // namespace ROCKSDB_NAMESPACE::jni
