#include "tools/trace_analyzer/analysis.h"

#include <algorithm>

#include "rocksdb/env.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// False: `text` is not hex, with or without "0x" in front.
bool ParseHex(std::string text, std::string* bytes) {
  if (text.starts_with("0x")) text.erase(0, 2);
  bytes->clear();
  if (text.size() % 2 != 0) return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]);
    const int low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

}  // namespace

std::string HexOf(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text = "0x";
  for (const char c : bytes) {
    text.push_back(kDigits[static_cast<uint8_t>(c) >> 4]);
    text.push_back(kDigits[static_cast<uint8_t>(c) & 15]);
  }
  return text;
}

Status Analysis::OpenText() {
  if (!settings_.convert_to_human_readable_trace) return Status::OK();
  const std::string path = settings_.FileOf("human_readable_trace.txt");
  text_.open(path);
  return text_ ? Status::OK() : Status::IOError(path, "cannot be created");
}

Status Analysis::ReadKeySpaces() {
  if (settings_.key_space_dir.empty()) return Status::OK();
  std::vector<uint32_t> families;
  for (const auto& [place, statistics] : types_) {
    families.push_back(place.second);
  }
  for (const uint32_t family : families) {
    const std::string path =
        settings_.key_space_dir + "/" + std::to_string(family) + ".txt";
    std::ifstream file(path);
    if (!file) continue;  // Its keys are not known.
    std::vector<std::string> keys;
    for (std::string line; std::getline(file, line);) {
      if (line.empty()) continue;
      if (!ParseHex(line, &keys.emplace_back())) {
        return Status::InvalidArgument(path, "a key is not in hex: " + line);
      }
    }
    std::sort(keys.begin(), keys.end());
    key_spaces_[family] = std::move(keys);
  }
  return Status::OK();
}

Status Analysis::Run() {
  OperationReader reader;
  Status s = reader.Open(settings_.trace_path);
  if (s.ok() && settings_.WritesFiles()) {
    s = ROCKSDB_NAMESPACE::Env::Default()->CreateDirIfMissing(
        settings_.output_dir);
  }
  if (s.ok()) s = OpenText();
  if (!s.ok()) return s;
  s = reader.ReadAll(settings_.try_process_corrupted_trace,
                     [this](const Operation& operation) { Note(operation); });
  calls_ = reader.calls();
  if (s.ok()) s = ReadKeySpaces();
  if (s.ok() && text_.is_open()) {
    text_.close();
    if (!text_) s = Status::IOError("the trace as text cannot be written");
  }
  return s;
}

void Analysis::Note(const Operation& operation) {
  if (settings_.sample_ratio < 1) {
    std::uniform_real_distribution<double> part(0, 1);
    if (part(sample_) >= settings_.sample_ratio) return;
  }
  if (text_.is_open()) WriteText(operation);
  if (!settings_.IsAnalyzed(operation.type)) return;
  const Place place(operation.type, operation.family);
  const uint64_t second = operation.time_micros / 1'000'000;
  types_[place].Add(operation);
  seconds_[static_cast<size_t>(operation.type)].Add(operation.time_micros);
  family_seconds_[operation.family].Add(operation.time_micros);
  if (!settings_.correlations.empty()) NoteCorrelations(operation);
  if (settings_.output_time_series) {
    time_series_[place].emplace_back(second, operation.key);
  }
  if (settings_.output_prefix_cut > 0) {
    ++prefix_seconds_[place][second]
                     [operation.key.substr(0, settings_.output_prefix_cut)];
  }
}

void Analysis::NoteCorrelations(const Operation& operation) {
  const LastUse now{operation.type, operation.time_micros};
  const auto [entry, is_first] =
      last_uses_.emplace(std::pair(operation.family, operation.key), now);
  if (is_first) return;
  const LastUse before = std::exchange(entry->second, now);
  for (size_t i = 0; i < settings_.correlations.size(); ++i) {
    const auto& [first, second] = settings_.correlations[i];
    if (first != before.type || second != now.type) continue;
    Correlation& found = correlations_[{operation.family, i}];
    ++found.count;
    if (now.time_micros > before.time_micros) {
      found.micros += now.time_micros - before.time_micros;
    }
  }
}

void Analysis::WriteText(const Operation& operation) {
  if (!settings_.no_key) {
    text_ << HexOf(operation.key) << ' ';
    if (operation.type == OperationType::kRangeDelete) {
      text_ << HexOf(operation.end_key) << ' ';
    }
  }
  text_ << static_cast<int>(operation.type) << ' ' << operation.family << ' '
        << operation.value_bytes << ' ' << operation.time_micros << '\n';
}

const Correlation& Analysis::CorrelationOf(uint32_t family, size_t pair) const {
  static const Correlation kNone;
  const auto found = correlations_.find({family, pair});
  return found == correlations_.end() ? kNone : found->second;
}

const std::vector<std::string>& Analysis::KeySpace(uint32_t family) const {
  static const std::vector<std::string> kNone;
  const auto found = key_spaces_.find(family);
  return found == key_spaces_.end() ? kNone : found->second;
}

const std::map<uint64_t, std::map<std::string, uint64_t>>&
Analysis::PrefixSeconds(const Place& place) const {
  static const std::map<uint64_t, std::map<std::string, uint64_t>> kNone;
  const auto found = prefix_seconds_.find(place);
  return found == prefix_seconds_.end() ? kNone : found->second;
}

}  // namespace tools
