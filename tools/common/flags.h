// The command line of small programs, as the programs of RocksDB have it:
// --name=value, -name=value, --name value, --flag and --noflag.
//
// Threads  Confined to one thread.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

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

  // False, with a text on the way out: the program ends with 1.
  bool Parse(const char* usage, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      if (word == "--help" || word == "-help") {
        PrintHelp(usage, argv[0]);
        return false;
      }
      if (word.empty() || word[0] != '-') continue;
      word.erase(0, word.rfind("--", 0) == 0 ? 2 : 1);
      const size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const bool has_value = equals != std::string::npos;
      std::string value = has_value ? word.substr(equals + 1) : "";
      if (texts_.count(name) != 0 || numbers_.count(name) != 0) {
        if (!has_value && i + 1 == argc) {
          std::fprintf(stderr, "ERROR: flag '%s' is missing its argument\n",
                       argv[i]);
          return false;
        }
        if (!SetValue(name, has_value ? value : argv[++i])) return false;
      } else if (!SetBoolean(name, value)) {
        std::fprintf(stderr, "ERROR: unknown command line flag '%s'\n",
                     name.c_str());
        return false;
      }
    }
    return true;
  }

 private:
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
  bool SetBoolean(const std::string& name, const std::string& value) {
    if (booleans_.count(name) != 0) {
      *booleans_[name] = value != "false" && value != "0" && value != "no";
      return true;
    }
    if (name.rfind("no", 0) != 0 || booleans_.count(name.substr(2)) == 0) {
      return false;
    }
    *booleans_[name.substr(2)] = false;
    return true;
  }
  void PrintHelp(const char* usage, const char* path) const {
    const std::string program(path);
    std::printf("%s: %s\n", program.substr(program.rfind('/') + 1).c_str(),
                usage);
    for (const auto& [name, help] : helps_) {
      std::printf("    -%s (%s)\n", name.c_str(), help.c_str());
    }
  }

  std::map<std::string, std::string*> texts_;
  std::map<std::string, bool*> booleans_;
  // Each takes a text over; false: it is no number of the kind.
  std::map<std::string, std::function<bool(const std::string&)>> numbers_;
  std::map<std::string, std::string> helps_;
};

}  // namespace tools
