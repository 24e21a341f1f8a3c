#include "db/compaction/compaction_picker.h"

#include <algorithm>
#include <set>

#include "db/compaction/compaction_draft.h"
#include "file/filename.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool HasFilter(const ImmutableCFOptions& cf) {
  return cf.compaction_filter != nullptr ||
         cf.compaction_filter_factory != nullptr;
}

// The front of `span` that one compaction may take; at least one file.
FileSpan LimitBytes(const std::vector<FileRef>& files, FileSpan span,
                    uint64_t max_bytes) {
  uint64_t bytes = 0;
  for (size_t i = span.first; i < span.end; ++i) {
    bytes += files[i]->size_bytes;
    if (bytes > max_bytes && i > span.first) {
      span.end = i;
      break;
    }
  }
  return span;
}

// Rewriting in place takes neighbours only: a gap in the inputs would lie
// inside the range of the outputs.
FileSpan OlderThan(const std::vector<FileRef>& files, FileSpan span,
                   uint64_t max_file_number) {
  const auto is_new = [&](size_t i) {
    return files[i]->number >= max_file_number;
  };
  while (!span.empty() && is_new(span.first)) ++span.first;
  for (size_t i = span.first; i < span.end; ++i) {
    if (is_new(i)) span.end = i;
  }
  return span;
}

}  // namespace

bool CompactionPicker::NeedsCompaction(const VersionStorage& storage) const {
  if (!storage.FilesToRewrite().empty()) return true;
  const auto& scores = storage.scores();
  return std::any_of(scores.begin(), scores.end(),
                     [](const auto& s) { return s.score >= 1; });
}

void CompactionPicker::Register(const Compaction* compaction) {
  INVARIANT(compaction != nullptr);
  INVARIANT(std::find(running_.begin(), running_.end(), compaction) ==
            running_.end());
  running_.push_back(compaction);
}

void CompactionPicker::Unregister(const Compaction* compaction) {
  INVARIANT(compaction != nullptr);
  const auto found = std::find(running_.begin(), running_.end(), compaction);
  INVARIANT(found != running_.end());
  running_.erase(found);
}

bool CompactionPicker::IsWriting(int level, const Slice& begin,
                                 const Slice& end) const {
  assert(level >= 0);
  return std::any_of(
      running_.begin(), running_.end(), [&](const Compaction* other) {
        if (!other->WritesTo(level)) return false;
        const InternalKeyComparator& order = other->version->storage().order();
        std::string other_begin, other_end;
        other->KeyRange(&other_begin, &other_end);
        return order.CompareUserKeys(begin, other_end) <= 0 &&
               order.CompareUserKeys(other_begin, end) <= 0;
      });
}

bool CompactionPicker::Conflicts(const Compaction& candidate) const {
  for (const CompactionInputLevel& input : candidate.inputs) {
    for (const FileRef& file : input.files) {
      if (file->being_compacted) return true;
    }
  }
  for (const Compaction* other : running_) {
    // While files go up, nothing may put newer data below where they arrive.
    if (other->moves_up()) return true;
    // Level 0 is ordered by age: one compaction at a time empties it, and one
    // reorders it.
    const bool both_level0 =
        other->start_level() == 0 && candidate.start_level() == 0 &&
        (other->output_level == 0) == (candidate.output_level == 0);
    if (both_level0) return true;
  }
  return WritesWhereOtherDoes(candidate);
}

bool CompactionPicker::WritesWhereOtherDoes(const Compaction& candidate) const {
  if (candidate.output_level == 0) return false;
  const InternalKeyComparator& order = candidate.version->storage().order();
  std::string begin, end;
  candidate.KeyRange(&begin, &end);
  for (const Compaction* other : running_) {
    const bool shares_level =
        other->WritesTo(candidate.output_level) ||
        (candidate.young.level != 0 && other->WritesTo(candidate.young.level));
    if (!shares_level) continue;
    std::string other_begin, other_end;
    other->KeyRange(&other_begin, &other_end);
    if (order.CompareUserKeys(begin, other_end) <= 0 &&
        order.CompareUserKeys(other_begin, end) <= 0) {
      return true;
    }
  }
  return false;
}

namespace {

// The files of the range, or of its front, with what they meet down to
// `output_level`; *rest is where the rest begins. False: there are none.
bool DraftRange(const CompactionPicker::Input& input,
                const CompactionPicker::Range& range, int output_level,
                std::optional<CompactionDraft>* result,
                std::optional<InternalKey>* rest) {
  rest->reset();
  const VersionStorage& storage = input.version->storage();
  CompactionDraft& draft =
      result->emplace(input, range.input_level, output_level);
  if (range.input_level == 0) {
    draft.SetLevel0(
        storage.Overlapping(0, {range.begin, range.end},
                            VersionStorage::Level0Growth::kTransitive));
    if (draft.StartFileCount() == 0) return false;
  } else {
    const std::vector<FileRef>& files = storage.files(range.input_level);
    FileSpan span =
        OverlapSpan(storage, range.input_level, {range.begin, range.end});
    const FileSpan wanted = span;
    if (output_level == range.input_level) {
      span = OlderThan(files, span, range.max_file_number);
    }
    span = LimitBytes(files, span, input.options->MaxCompactionBytes());
    if (span.empty()) return false;
    draft.SetSpan(span);
    const size_t end = draft.span().end;
    if (end < wanted.end) *rest = files[end]->smallest;
  }
  if (output_level > range.input_level) {
    draft.AddLowerLevels();
    draft.GrowStartLevel();
  }
  return true;
}

}  // namespace

std::unique_ptr<Compaction> CompactionPicker::PickRange(
    const Input& input, const Range& range, bool* conflict,
    std::optional<InternalKey>* rest) {
  INVARIANT(conflict != nullptr && rest != nullptr);
  INVARIANT(range.input_level <= range.output_level);
  *conflict = false;
  std::optional<CompactionDraft> draft;
  if (!DraftRange(input, range, range.output_level, &draft, rest)) {
    return nullptr;
  }
  // Level by level, each byte would be written once for each of them.
  for (int level = range.output_level + 1; level <= range.deepest_level;
       ++level) {
    std::optional<CompactionDraft> deeper;
    DraftRange(input, range, level, &deeper, rest);
    if (deeper->Bytes() > input.options->MaxCompactionBytes()) break;
    if (deeper->MergesIntoOutputLevel()) draft.emplace(*deeper);
  }
  std::unique_ptr<Compaction> c =
      draft->IsBusy() ? nullptr
                      : draft->Finish(CompactionReason::kManualCompaction);
  if (c == nullptr || Conflicts(*c)) {
    *conflict = true;
    rest->reset();
    return nullptr;
  }
  c->is_manual = true;
  if (c->output_path_id != range.output_path_id) c->is_trivial_move = false;
  c->output_path_id = range.output_path_id;
  if (range.max_subcompactions > 0 && range.output_level > 0) {
    c->max_subcompactions = range.max_subcompactions;
  }
  c->young.path_id = range.output_path_id;
  // Whoever asks for a compaction wants the filter to see the data.
  if (HasFilter(*input.cf)) c->is_trivial_move = false;
  return c;
}

namespace {

// The name of the first of `files` that is among `numbers`.
std::string NameOfOne(const std::vector<FileRef>& files,
                      const std::vector<uint64_t>& numbers) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const FileRef& file) {
        return std::count(numbers.begin(), numbers.end(), file->number) > 0;
      });
  INVARIANT(found != files.end());
  return TableFileName("", (*found)->number);
}

// The shallowest and the deepest level that have some of the wanted files.
// InvalidArgument if a number is in no level.
Status FindFiles(const CompactionPicker::Input& input,
                 const std::vector<uint64_t>& numbers, int* start_level,
                 int* deepest_level) {
  const VersionStorage& storage = input.version->storage();
  INVARIANT(start_level != nullptr);
  INVARIANT(deepest_level != nullptr);
  std::set<uint64_t> wanted(numbers.begin(), numbers.end());
  *start_level = *deepest_level = -1;
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      if (wanted.erase(file->number) == 0) continue;
      if (*start_level < 0) *start_level = level;
      *deepest_level = level;
      if (file->being_compacted) {
        return Status::Aborted("file is being compacted",
                               std::to_string(file->number));
      }
    }
  }
  if (!wanted.empty()) {
    return Status::InvalidArgument("Specified compaction input file " +
                                   TableFileName("", *wanted.begin()) +
                                   " does not exist in column family " +
                                   input.family_name + ".");
  }
  return Status::OK();
}

// The wanted files of level 0, and every older one that they overlap; with
// output to level 0 all between them, so that the result has one age.
std::vector<FileRef> WithOlder(const VersionStorage& storage,
                               const std::set<uint64_t>& wanted,
                               bool fills_gaps) {
  const InternalKeyComparator& order = storage.order();
  const std::vector<FileRef>& all = storage.level0();
  std::vector<FileRef> taken;
  const auto is_wanted = [&](const FileRef& file) {
    return wanted.count(file->number) != 0;
  };
  if (fills_gaps) {
    const auto first = std::find_if(all.begin(), all.end(), is_wanted);
    auto last = std::find_if(all.rbegin(), all.rend(), is_wanted).base();
    return std::vector<FileRef>(first, last);
  }
  for (const FileRef& file : all) {  // newest first
    const bool overlaps =
        std::any_of(taken.begin(), taken.end(), [&](const FileRef& newer) {
          return order.CompareUserKeys(file->smallest.user_key(),
                                       newer->largest.user_key()) <= 0 &&
                 order.CompareUserKeys(newer->smallest.user_key(),
                                       file->largest.user_key()) <= 0;
        });
    if (overlaps || is_wanted(file)) taken.push_back(file);
  }
  return taken;
}

FileSpan SpanOf(const std::vector<FileRef>& files,
                const std::set<uint64_t>& wanted) {
  FileSpan span;
  for (size_t i = 0; i < files.size(); ++i) {
    if (wanted.count(files[i]->number) == 0) continue;
    if (span.empty()) span.first = i;
    span.end = i + 1;
  }
  return span;
}

Status CheckFilesRequest(const CompactionPicker::Input& input,
                         const std::vector<uint64_t>& numbers,
                         int output_level) {
  const int level_count = input.version->storage().level_count();
  if (numbers.empty()) {
    return Status::InvalidArgument(
        "A compaction must contain at least one file.");
  }
  if (output_level < 0 || output_level >= level_count) {
    return Status::InvalidArgument(
        "Output level for column family " + input.family_name +
            " must between [0, " + std::to_string(level_count - 1) + "].",
        "output_level=" + std::to_string(output_level));
  }
  if (input.cf->cf_allow_ingest_behind && output_level == level_count - 1) {
    return Status::InvalidArgument(
        "the last level is kept for files that are ingested behind");
  }
  if (output_level > 0 &&
      TraitsOf(input.cf->compaction_style).has_only_level0) {
    return Status::InvalidArgument("FIFO compaction keeps files in level 0");
  }
  return Status::OK();
}

}  // namespace

Status CompactionPicker::PickFiles(const Input& input,
                                   const std::vector<uint64_t>& numbers,
                                   int output_level,
                                   const CompactionOptions& options,
                                   std::unique_ptr<Compaction>* result) {
  INVARIANT(result != nullptr);
  const VersionStorage& storage = input.version->storage();
  int start = 0;
  int deepest = 0;
  Status s = CheckFilesRequest(input, numbers, output_level);
  if (s.ok()) s = FindFiles(input, numbers, &start, &deepest);
  if (!s.ok()) return s;
  if (deepest > output_level) {
    return Status::InvalidArgument(
        "Cannot compact file to up level, input file: " +
        NameOfOne(storage.files(deepest), numbers) + " level " +
        std::to_string(deepest) + " > output level " +
        std::to_string(output_level));
  }
  const std::set<uint64_t> wanted(numbers.begin(), numbers.end());
  CompactionDraft draft(input, start, output_level);
  if (start == 0) {
    draft.SetLevel0(WithOlder(storage, wanted, output_level == 0));
  } else {
    draft.SetSpan(SpanOf(storage.files(start), wanted));
  }
  for (int level = start + 1; level <= output_level; ++level) {
    draft.Demand(level, SpanOf(storage.files(level), wanted));
  }
  if (output_level > start) draft.AddLowerLevels();
  if (draft.IsBusy()) {
    return Status::Aborted("a file that must go along is being compacted");
  }
  std::unique_ptr<Compaction> c =
      draft.Finish(CompactionReason::kManualCompaction);
  if (Conflicts(*c)) {
    return Status::Aborted("a running compaction is in the way");
  }
  c->is_manual = true;
  if (options.compression != kDisableCompressionOption) {
    // A file that moved would keep the codec that it has.
    if (options.compression != c->compression) c->is_trivial_move = false;
    c->compression = options.compression;
    c->young.compression = options.compression;
  }
  if (options.output_temperature_override != Temperature::kUnknown) {
    c->output_temperature = options.output_temperature_override;
    c->is_trivial_move = false;
  }
  if (output_level > 0) {
    // A file of one key is the smallest that there is.
    c->max_output_file_bytes =
        std::max<uint64_t>(1, options.output_file_size_limit);
    if (options.max_subcompactions > 0) {
      c->max_subcompactions = options.max_subcompactions;
    }
  }
  c->is_trivial_move =
      c->is_trivial_move && options.allow_trivial_move && !HasFilter(*input.cf);
  *result = std::move(c);
  return s;
}

std::unique_ptr<CompactionPicker> NewCompactionPicker(
    const ImmutableCFOptions& cf) {
#define COMPACTION_STYLE(style, Name, ...) \
  if (cf.compaction_style == (style)) return New##Name##Picker();
#include "options/compaction_styles.def"
  INVARIANT(false);  // The options were checked.
}

}  // namespace ROCKSDB_NAMESPACE
