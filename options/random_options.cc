#include "options/random_options.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "options/parse.h"
#include "rocksdb/convenience.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string PickOne(std::string_view values, Random64* random) {
  std::vector<std::string_view> choices;
  while (true) {
    const size_t bar = values.find('|');
    choices.push_back(values.substr(0, bar));
    if (bar == std::string_view::npos) break;
    values.remove_prefix(bar + 1);
  }
  return std::string(choices[random->Uniform(choices.size())]);
}

}  // namespace

std::string RandomOptionText(const OptionRow& row, Random64* random) {
  const OptionTraits& traits = row.traits;
  if (row.kind->parse == nullptr) return "";
  if (!traits.samples.empty()) return PickOne(traits.samples, random);
  if (row.kind->random == nullptr) return "";
  const std::string text = row.kind->random(random);
  if (row.kind->number == nullptr) return text;
  const double number = std::strtod(text.c_str(), nullptr);
  if (number >= traits.min && number <= traits.max) return text;
  const double bound = std::clamp(number, traits.min, traits.max);
  return std::to_string(static_cast<int64_t>(bound));
}

void RandomizeOptions(const OptionStruct& options, uint64_t one_in,
                      Random64* random, void* object) {
  const ConfigOptions config;
  for (const OptionRow& row : options.rows) {
    if (!random->OneIn(one_in)) continue;
    const std::string text = RandomOptionText(row, random);
    if (text.empty()) continue;
    if (!row.traits.built.empty() && !IsOneOf(text, row.traits.built)) continue;
    IgnoreError(ParseOption(config, options, row.name, text, object),
                "a random value that does not fit leaves the old one");
  }
}

}  // namespace ROCKSDB_NAMESPACE
