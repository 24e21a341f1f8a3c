// The libraries of factories: which names match, and what a factory may give.
#include <algorithm>

#include "options/dump_names.h"
#include "rocksdb/utilities/object_registry.h"

namespace ROCKSDB_NAMESPACE {

// --- PatternEntry -----------------------------------------------------------

ObjectLibrary::PatternEntry::PatternEntry(const std::string& name,
                                          bool optional)
    : names_{name}, optional_(optional) {}

ObjectLibrary::PatternEntry ObjectLibrary::PatternEntry::AsIndividualId(
    const std::string& name) {
  PatternEntry entry(name);
  entry.AddSeparator("@").AddNumber("#");
  return entry;
}

ObjectLibrary::PatternEntry& ObjectLibrary::PatternEntry::AddSeparator(
    const std::string& separator, bool at_least_one) {
  parts_.push_back(
      {separator, at_least_one ? Follows::kSomething : Follows::kAnything});
  return *this;
}

ObjectLibrary::PatternEntry& ObjectLibrary::PatternEntry::AddNumber(
    const std::string& separator, bool is_int) {
  parts_.push_back({separator, is_int ? Follows::kInteger : Follows::kDecimal});
  return *this;
}

ObjectLibrary::PatternEntry& ObjectLibrary::PatternEntry::AddSuffix(
    const std::string& suffix) {
  parts_.push_back({suffix, Follows::kNothing});
  return *this;
}

ObjectLibrary::PatternEntry& ObjectLibrary::PatternEntry::AnotherName(
    const std::string& alt) {
  names_.push_back(alt);
  return *this;
}

bool ObjectLibrary::PatternEntry::Matches(const std::string& target) const {
  for (const std::string& name : names_) {
    if (target.compare(0, name.size(), name) != 0) continue;
    const bool is_name = target.size() == name.size();
    if (is_name && (optional_ || parts_.empty())) return true;
    if (!parts_.empty() && MatchesParts(target, name.size(), 0)) return true;
  }
  return false;
}

// Does the text from `position` on consist of the parts from `index` on? Each
// place where the next separator stands is tried as the end of what follows
// this one.
bool ObjectLibrary::PatternEntry::MatchesParts(const std::string& target,
                                               size_t position,
                                               size_t index) const {
  if (index == parts_.size()) return position == target.size();
  const Part& part = parts_[index];
  if (target.compare(position, part.separator.size(), part.separator) != 0) {
    return false;
  }
  const size_t begin = position + part.separator.size();
  if (index + 1 == parts_.size()) {
    return MayFollow(part.follows, target, begin, target.size());
  }
  const std::string& next = parts_[index + 1].separator;
  for (size_t end = target.find(next, begin); end != std::string::npos;
       end = target.find(next, end + 1)) {
    if (MayFollow(part.follows, target, begin, end) &&
        MatchesParts(target, end, index + 1)) {
      return true;
    }
  }
  return false;
}

bool ObjectLibrary::PatternEntry::MayFollow(Follows kind,
                                            const std::string& text,
                                            size_t begin, size_t end) {
  if (kind == Follows::kAnything) return true;
  if (kind == Follows::kSomething) return begin < end;
  if (kind == Follows::kNothing) return begin == end;
  if (begin < end && text[begin] == '-') ++begin;
  const auto digits = [&text, end](size_t from) {
    const size_t last = text.find_first_not_of("0123456789", from);
    return std::min(last, end);
  };
  size_t behind = digits(begin);
  if (behind == begin) return false;
  if (kind == Follows::kDecimal && behind < end && text[behind] == '.') {
    const size_t fraction = behind + 1;
    behind = digits(fraction);
    if (behind == fraction) return false;
  }
  return behind == end;
}

// --- Factory ----------------------------------------------------------------

Status ObjectLibrary::Factory::Check(const std::string& id,
                                     const Outcome& outcome) const {
  const std::string object = type_ + " " + id;
  if (outcome.is_null) {
    return Status::InvalidArgument(object, outcome.why.empty()
                                               ? "its factory made no object"
                                               : outcome.why);
  }
  if (!outcome.is_consistent) {
    return Status::InvalidArgument(
        object, "its factory returned one object and handed over another");
  }
  return Status::OK();
}

// --- ObjectLibrary ----------------------------------------------------------

std::shared_ptr<ObjectLibrary>& ObjectLibrary::Default() {
  // Never destroyed: options may be parsed while the process ends.
  static auto& library = *std::make_unique<std::shared_ptr<ObjectLibrary>>(
                              std::make_shared<ObjectLibrary>("default"))
                              .release();
  return library;
}

std::shared_ptr<const ObjectLibrary::Factory> ObjectLibrary::Find(
    const std::string& type, const std::string& name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto of_type = factories_.find(type);
  if (of_type == factories_.end()) return nullptr;
  for (const auto& factory : of_type->second) {
    if (factory->entry().Matches(name)) return factory;
  }
  return nullptr;
}

void ObjectLibrary::Keep(const std::string& type,
                         std::shared_ptr<const Factory> factory) {
  const std::lock_guard<std::mutex> lock(mutex_);
  factories_[type].push_back(std::move(factory));
}

size_t ObjectLibrary::GetFactoryCount(size_t* num_types) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  size_t count = 0;
  for (const auto& [type, factories] : factories_) count += factories.size();
  if (num_types != nullptr) *num_types = factories_.size();
  return count;
}

void ObjectLibrary::GetFactoryNames(
    const std::string& type, std::unordered_set<std::string>* names) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto of_type = factories_.find(type);
  if (of_type == factories_.end()) return;
  for (const auto& factory : of_type->second) {
    names->insert(factory->entry().Name());
  }
}

void ObjectLibrary::GetFactoryNames(const std::string& type,
                                    std::vector<std::string>* names) const {
  std::unordered_set<std::string> found;
  GetFactoryNames(type, &found);
  names->insert(names->end(), found.begin(), found.end());
}

size_t ObjectLibrary::GetFactoryCount(const std::string& type) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto of_type = factories_.find(type);
  return of_type != factories_.end() ? of_type->second.size() : 0;
}

void ObjectLibrary::GetFactoryTypes(
    std::unordered_set<std::string>* types) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [type, factories] : factories_) types->insert(type);
}

void ObjectLibrary::Dump(Logger* logger) const {
  std::unordered_set<std::string> types;
  GetFactoryTypes(&types);
  LogNames(logger, "Object library " + id_ + " makes", types);
  for (const std::string& type : types) {
    std::unordered_set<std::string> names;
    GetFactoryNames(type, &names);
    LogNames(logger, "  " + type, names);
  }
}

}  // namespace ROCKSDB_NAMESPACE
