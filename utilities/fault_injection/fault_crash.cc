// The crash of a FaultInjectionFileSystem: what is lost, and how.

#include <algorithm>
#include <set>
#include <utility>

#include "util/ignore_error.h"
#include "util/invariant.h"
#include "utilities/fault_injection/fault_file_state.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Removed files that are kept for the case that a crash brings them back.
constexpr uint64_t kMaxSavedBytes = 64 << 20;

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string WithoutSlash(std::string dir) {
  while (!dir.empty() && dir.back() == '/') dir.pop_back();
  return dir;
}

// False: `path` is not below the directory that went from `from` to `to`.
bool Follow(const std::string& from, const std::string& to, std::string* path) {
  if (!path->starts_with(from + "/")) return false;
  path->replace(0, from.size(), to);
  return true;
}

void Follow(const std::string& from, const std::string& to,
            std::vector<NameChange>* changes) {
  for (NameChange& change : *changes) {
    Follow(from, to, &change.path);
    Follow(from, to, &change.new_path);
  }
}

}  // namespace

IOStatus FaultInjectionFileSystem::SaveVictim(const std::string& path,
                                              NameChange* change) {
  bool is_directory = false;
  if (!Exists(path) ||
      (target_->IsDirectory(path, IOOptions(), &is_directory, nullptr).ok() &&
       is_directory)) {
    return IOStatus::OK();
  }
  IOStatus status = StateOf(path, &change->victim_state);
  if (status.ok()) {
    status = ReadFileToString(target_.get(), path, &change->victim_bytes);
  }
  if (status.ok()) change->has_victim = true;
  return status;
}

void FaultInjectionFileSystem::FollowDirectory(const std::string& from,
                                               const std::string& to) {
  INVARIANT(!from.empty());
  const std::string below = from + "/";
  std::vector<decltype(states_)::node_type> moved;
  auto at = states_.lower_bound(below);
  while (at != states_.end() && at->first.starts_with(below)) {
    moved.push_back(states_.extract(at++));
  }
  for (auto& state : moved) {
    Follow(from, to, &state.key());
    states_.erase(state.key());
    states_.insert(std::move(state));
  }
}

void FaultInjectionFileSystem::NoteChange(NameChange&& change) {
  MutexLock lock(&mutex_);
  switch (change.kind) {
    case NameChange::Kind::kCreate:
      break;
    case NameChange::Kind::kDelete:
      states_.erase(change.path);
      break;
    case NameChange::Kind::kRename: {
      states_.erase(change.new_path);
      if (auto state = states_.extract(change.path); !state.empty()) {
        state.key() = change.new_path;
        states_.insert(std::move(state));
      }
      FollowDirectory(change.path, change.new_path);
      Follow(change.path, change.new_path, &changes_);
      break;
    }
    case NameChange::Kind::kLink:
      if (const auto state = states_.find(change.path);
          state != states_.end()) {
        states_[change.new_path] = state->second;
      }
      break;
  }
  saved_bytes_ += change.victim_bytes.size();
  changes_.push_back(std::move(change));
  size_t durable_count = 0;
  while (saved_bytes_ > kMaxSavedBytes) {
    saved_bytes_ -= changes_[durable_count++].victim_bytes.size();
  }
  changes_.erase(changes_.begin(),
                 changes_.begin() + static_cast<ptrdiff_t>(durable_count));
}

void FaultInjectionFileSystem::NoteDirectorySynced(const std::string& dir) {
  const std::string synced = WithoutSlash(dir);
  MutexLock lock(&mutex_);
  std::erase_if(changes_, [&](const NameChange& change) {
    mutex_.AssertHeld();
    if (DirectoryOf(change.durable_name()) != synced) return false;
    saved_bytes_ -= change.victim_bytes.size();
    return true;
  });
}

std::vector<NameChange> FaultInjectionFileSystem::PickLostChanges(
    const CrashOptions& options) {
  std::vector<NameChange> lost;
  // Directories in which a change survived; then all older ones did, too.
  std::set<std::string> settled;
  MutexLock lock(&mutex_);
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    const std::string dir = DirectoryOf(change->durable_name());
    if (settled.count(dir) != 0) continue;
    if (static_cast<int>(random_.Uniform(100)) < options.survival_percent) {
      settled.insert(dir);
      continue;
    }
    lost.push_back(std::move(*change));
  }
  changes_.clear();
  saved_bytes_ = 0;
  return lost;
}

IOStatus FaultInjectionFileSystem::UndoChange(const NameChange& change) {
  const IOOptions options;
  IOStatus status;
  switch (change.kind) {
    case NameChange::Kind::kCreate:
      if (Exists(change.path)) {
        status = target_->DeleteFile(change.path, options, nullptr);
      }
      break;
    case NameChange::Kind::kLink:
      if (Exists(change.new_path)) {
        status = target_->DeleteFile(change.new_path, options, nullptr);
      }
      break;
    case NameChange::Kind::kRename:
      if (Exists(change.new_path)) {
        status =
            target_->RenameFile(change.new_path, change.path, options, nullptr);
      }
      break;
    case NameChange::Kind::kDelete:
      break;
  }
  const std::string& victim_path = change.durable_name();
  if (status.ok() && change.has_victim) {
    status = WriteStringToFile(target_.get(), change.victim_bytes, victim_path);
  }
  if (!status.ok()) return status;
  MutexLock lock(&mutex_);
  auto state = states_.extract(victim_path);
  if (change.kind == NameChange::Kind::kRename && !state.empty()) {
    state.key() = change.path;
    states_.insert(std::move(state));
  }
  if (change.kind == NameChange::Kind::kRename) {
    FollowDirectory(change.new_path, change.path);
  }
  if (change.has_victim) states_[victim_path] = change.victim_state;
  return status;
}

IOStatus FaultInjectionFileSystem::LoseNames(const CrashOptions& options) {
  std::vector<NameChange> lost = PickLostChanges(options);
  for (size_t i = 0; i < lost.size(); ++i) {
    const NameChange change = std::move(lost[i]);
    if (IOStatus s = UndoChange(change); !s.ok()) return s;
    if (change.kind == NameChange::Kind::kRename) {
      Follow(change.new_path, change.path, &lost);
    }
  }
  return IOStatus::OK();
}

IOStatus FaultInjectionFileSystem::ReplaceFile(const std::string& path,
                                               const std::string& bytes) {
  // A new file under the old name: handles of before the crash may still
  // change the old one when they are closed.
  const std::string temporary = path + ".crash";
  IOStatus status = WriteStringToFile(target_.get(), bytes, temporary);
  if (status.ok()) {
    status = target_->RenameFile(temporary, path, IOOptions(), nullptr);
  }
  return status;
}

IOStatus FaultInjectionFileSystem::LoseData(const CrashOptions& options) {
  std::map<std::string, StateRef> states;
  Random64 random(0);
  {
    MutexLock lock(&mutex_);
    states.swap(states_);
    random = Random64(random_.Next());
  }
  // Two names of one file lose the same.
  std::map<FaultFileState*, std::string> images;
  for (const auto& [path, state] : states) {
    if (!state->HasUnsynced() && !state->HasWriters() &&
        images.count(state.get()) == 0) {
      continue;
    }
    if (!Exists(path)) continue;
    if (images.count(state.get()) == 0) {
      std::string bytes;
      IOStatus status = ReadFileToString(target_.get(), path, &bytes);
      // A deletion that was under way may have got through.
      if (status.IsPathNotFound()) continue;
      if (!status.ok()) return status;
      images[state.get()] =
          state->Crash(std::move(bytes), options.survival_percent, &random);
    }
    if (IOStatus s = ReplaceFile(path, images[state.get()]); !s.ok()) return s;
  }
  return IOStatus::OK();
}

void FaultInjectionFileSystem::ReleaseLocks() {
  std::vector<FileLock*> held;
  {
    MutexLock lock(&mutex_);
    for (auto& [key, record] : locks_) {
      if (record->base == nullptr) continue;
      held.push_back(std::exchange(record->base, nullptr));
    }
    handles_[static_cast<size_t>(FileKind::kLock)] = 0;
  }
  for (FileLock* base : held) {
    IgnoreError(target_->UnlockFile(base, IOOptions(), nullptr),
                "a crashed process cannot be told");
  }
}

IOStatus FaultInjectionFileSystem::DropUnsyncedData(
    const CrashOptions& options) {
  return LoseData(options);
}

IOStatus FaultInjectionFileSystem::CrashAndHeal(const CrashOptions& options) {
  INVARIANT(options.survival_percent >= 0);
  INVARIANT(options.survival_percent <= 100);
  {
    MutexLock lock(&mutex_);
    ++generation_;
  }
  ReleaseLocks();
  IOStatus status = LoseNames(options);
  if (status.ok()) status = LoseData(options);
  Heal();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE
