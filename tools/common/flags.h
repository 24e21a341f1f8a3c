// The command line of small programs, as the programs of RocksDB have it:
// --name=value, -name=value, --name value, --flag and --noflag.
//
// Threads  Confined to one thread.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/version.h"
#include "tools/common/exit_status.h"

namespace tools {

class Flags {
 public:
  // Before Parse(): what there is, each with a line of help. `*value` is the
  // default.
  void Add(const char* name, std::string* value, const char* help) {
    texts_[name] = value;
    helps_[name] = help;
  }
  void Add(const char* name, bool* value, const char* help) {
    booleans_[name] = value;
    helps_[name] = help;
  }
  template <class Number>
    requires(std::integral<Number> || std::floating_point<Number>)
  void Add(const char* name, Number* value, const char* help) {
    numbers_[name] = [value](const std::string& text) {
      const char* const end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data(), end, *value);
      return error == std::errc() && rest == end && !text.empty();
    };
    helps_[name] = help;
  }

  // False, with a text on the way out: the program ends with exit_status().
  //
  // --flagfile=f reads a flag from each line of a file, --undefok=a,b lets
  // flags of these names pass that are not there.
  bool Parse(const char* usage, int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!TakeFlagFiles(&words)) return false;
    TakeUndefOk(words);
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--help" || word == "-help") {
        PrintHelp(usage, argv[0]);
        return false;
      }
      if (word == "--version" || word == "-version") {
        std::printf("%s version %s\n", ProgramName(argv[0]).c_str(),
                    ROCKSDB_NAMESPACE::GetRocksVersionAsString().c_str());
        exit_status_ = ExitStatus(0);
        return false;
      }
      if (word == "--") break;  // No flags follow.
      if (word.size() < 2 || word[0] != '-') continue;
      const bool has_next = i + 1 < words.size();
      bool takes_next = false;
      if (!Take(word, has_next ? &words[i + 1] : nullptr, &takes_next)) {
        return false;
      }
      if (takes_next) ++i;
    }
    return true;
  }
  int exit_status() const { return exit_status_; }

 private:
  struct Word {
    std::string name;
    bool has_value = false;
    std::string value;
  };
  // "--name=value" in parts.
  static Word Split(const std::string& word) {
    const std::string rest = word.substr(word.rfind("--", 0) == 0 ? 2 : 1);
    const size_t equals = rest.find('=');
    if (equals == std::string::npos) return {rest, false, ""};
    return {rest.substr(0, equals), true, rest.substr(equals + 1)};
  }
  // Puts the lines of flag files in their place; a file may name others.
  static bool TakeFlagFiles(std::vector<std::string>* words) {
    constexpr int kMostFiles = 100;  // One may name itself.
    int count = 0;
    for (size_t i = 0; i < words->size();) {
      const std::string& word = (*words)[i];
      const Word parts = word.rfind('-', 0) == 0 ? Split(word) : Word();
      if (parts.name != "flagfile") {
        ++i;
        continue;
      }
      std::ifstream file(parts.value);
      if (!file.good() || ++count > kMostFiles) {
        std::fprintf(stderr, "ERROR: cannot read --flagfile=%s\n",
                     parts.value.c_str());
        return false;
      }
      std::vector<std::string> lines;
      for (std::string line; std::getline(file, line);) {
        if (line.rfind('-', 0) == 0) lines.push_back(line);
      }
      const auto at = words->erase(words->begin() + static_cast<ptrdiff_t>(i));
      words->insert(at, lines.begin(), lines.end());
    }
    return true;
  }
  void TakeUndefOk(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word.rfind('-', 0) != 0) continue;
      const Word parts = Split(word);
      if (parts.name != "undefok") continue;
      std::istringstream names(parts.value);
      for (std::string name; std::getline(names, name, ',');) {
        may_be_unknown_.insert(name);
      }
    }
  }
  // `*next` is the word behind; null: there is none.
  bool Take(const std::string& word, const std::string* next,
            bool* takes_next) {
    const Word parts = Split(word);
    if (texts_.count(parts.name) != 0 || numbers_.count(parts.name) != 0) {
      if (!parts.has_value && next == nullptr) {
        std::fprintf(stderr, "ERROR: flag '%s' is missing its argument\n",
                     word.c_str());
        return false;
      }
      *takes_next = !parts.has_value;
      return SetValue(parts.name, *takes_next ? *next : parts.value);
    }
    if (booleans_.count(parts.name) != 0) return SetBoolean(parts);
    if (TurnOff(parts.name)) return true;
    if (parts.name == "undefok" || may_be_unknown_.count(parts.name) != 0) {
      return true;
    }
    std::fprintf(stderr, "ERROR: unknown command line flag '%s'\n",
                 parts.name.c_str());
    return false;
  }
  static std::string ProgramName(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
  }
  bool SetValue(const std::string& name, const std::string& value) {
    if (texts_.count(name) != 0) {
      *texts_[name] = value;
      return true;
    }
    if (numbers_[name](value)) return true;
    std::fprintf(stderr, "ERROR: illegal value '%s' specified for flag '%s'\n",
                 value.c_str(), name.c_str());
    return false;
  }
  // Without a value it is true.
  bool SetBoolean(const Word& word) {
    std::string text = word.has_value ? word.value : "true";
    for (char& c : text) {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const auto is_one_of = [&text](std::initializer_list<const char*> texts) {
      return std::find(texts.begin(), texts.end(), text) != texts.end();
    };
    const bool is_true = is_one_of({"1", "t", "true", "y", "yes"});
    if (!is_true && !is_one_of({"0", "f", "false", "n", "no"})) {
      std::fprintf(stderr,
                   "ERROR: illegal value '%s' specified for bool flag '%s'\n",
                   word.value.c_str(), word.name.c_str());
      return false;
    }
    *booleans_[word.name] = is_true;
    return true;
  }
  // False: it is not "no" and the name of a boolean.
  bool TurnOff(const std::string& name) {
    if (name.rfind("no", 0) != 0 || booleans_.count(name.substr(2)) == 0) {
      return false;
    }
    *booleans_[name.substr(2)] = false;
    return true;
  }
  void PrintHelp(const char* usage, const char* path) const {
    std::printf("%s: %s\n", ProgramName(path).c_str(), usage);
    for (const auto& [name, help] : helps_) {
      std::printf("    -%s (%s)\n", name.c_str(), help.c_str());
    }
  }

  std::map<std::string, std::string*> texts_;
  std::map<std::string, bool*> booleans_;
  // Each takes a text over; false: it is no number of the kind.
  std::map<std::string, std::function<bool(const std::string&)>> numbers_;
  std::map<std::string, std::string> helps_;
  std::set<std::string> may_be_unknown_;
  int exit_status_ = 1;
};

}  // namespace tools
