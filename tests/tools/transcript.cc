#include "tests/tools/transcript.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/testing/golden.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct TranscriptStep {
  int line = 0;
  std::string remarks;  // the lines before it
  std::string command;
  std::string output;
  std::string errors;
  int status = 0;
};

std::vector<TranscriptStep> ReadSteps(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::vector<TranscriptStep> steps;
  std::string remarks;
  int number = 0;
  bool is_open = false;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!is_open) {
      if (line.rfind("$ ", 0) == 0) {
        steps.push_back({number, remarks, line.substr(2), "", "", 0});
        remarks.clear();
        is_open = true;
      } else {
        remarks += line + "\n";
      }
    } else if (line.rfind("[exit ", 0) == 0) {
      steps.back().status = std::stoi(line.substr(6));
      is_open = false;
    } else if (line.rfind("2> ", 0) == 0) {
      steps.back().errors += line.substr(3) + "\n";
    } else {
      steps.back().output += line + "\n";
    }
  }
  return steps;
}

std::string ContentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::string content;
  for (const char c : text.str()) {
    content += c == '\0' ? std::string("\\0") : std::string(1, c);
  }
  if (!content.empty() && content.back() != '\n') content += '\n';
  return content;
}

void ReplaceAll(const std::string& from, const std::string& to,
                std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// What differs from run to run, in one line. Names in brackets are those of
// RocksDB's transcripts.
std::string SteadyLine(std::string line) {
  static const std::pair<std::regex, const char*> kMasks[] = {
      {std::regex("options.env is 0x[0-9a-f]+"), "options.env is 0x<pointer>"},
      {std::regex("^[0-9]{4}/[0-9]{2}/[0-9]{2}-[0-9:.]+ .*"), "<log line>"},
      {std::regex("LOG\\.old\\.[0-9]+"), "LOG.old.<time>"},
      // Properties of tables.
      {std::regex("((DB identity|DB session identity|DB host id|unique ID)"
                  "(: |=)).*"),
       "$1<id>"},
      {std::regex("((creation time|time stamp of (earliest|newest) key)"
                  "(: |=))[0-9]+"),
       "$1<time>"},
      // Edits of manifests, and what they make.
      {std::regex("(DB ID\"?: ?\"?)[0-9a-f-]{36}"), "$1<id>"},
      {std::regex("(time: ?|Time\": ?)[0-9]{9,}"), "$1<time>"},
      {std::regex("(unique_id\\(internal\\): )\\{[^}]*\\}"), "$1<id>"},
      {std::regex("(public_unique_id: )\"?[0-9A-F-]*\"?"), "$1<id>"},
      {std::regex("^( ?[0-9]+:)[0-9]+\\["), "$1<size>["},
      {std::regex("(AddFile: [0-9]+ [0-9]+ )[0-9]+"), "$1<size>"},
      {std::regex("(tail size: ?|\"(Tail|File)Size\": ?)[0-9]+"), "$1<size>"},
      {std::regex("(Write|Read) usec: +[0-9]+"), "$1 usec: <time>"},
      // Dates of values, checksums, which hold the table's id, and sizes that
      // depend on the version of a codec.
      {std::regex("[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} "
                  "20(2[6-9]|[3-9][0-9])"),
       "<time>"},
      {std::regex("stored [0-9]+, computed [0-9]+"),
       "stored <sum>, computed <sum>"},
      {std::regex("checksum value: 0x[0-9a-f]+"), "checksum value: <sum>"},
      {std::regex("(rocksdb.properties: )[0-9]+ [0-9]+"), "$1<size>"},
      {std::regex("Cx size: +[0-9]+"), "Cx size: <size>"},
      {std::regex("Ratio: +[0-9.]+"), "Ratio: <size>"},
  };
  for (const auto& [pattern, mask] : kMasks) {
    line = std::regex_replace(line, pattern, mask);
  }
  return line;
}

// Lines of a log are one: how many there are is not the tool's.
std::string Steady(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    line = SteadyLine(std::move(line));
    if (line == "<log line>" && line == last) continue;
    result += line + "\n";
    last = line;
  }
  return result;
}

// "*" alone is anything.
bool IsAs(const std::string& wanted, const std::string& found) {
  return wanted == "*\n" || wanted == found;
}

std::string WithPrefix(const std::string& text, const std::string& prefix) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    result += prefix + line + "\n";
  }
  return result;
}

class Replay {
 public:
  // False: it asks for files that are not there.
  bool CanRun(const TranscriptStep& step) const {
    const auto lacks = [&step](const char* name, const std::string& path) {
      return step.command.find(name) != std::string::npos &&
             !std::filesystem::exists(path);
    };
    return !lacks("$SPEC", spec_) && !lacks("$GOLD", golden_ + "/golden");
  }
  // What the command gives, in place of what is wanted.
  TranscriptStep Run(const TranscriptStep& step) {
    TranscriptStep found = step;
    const std::string script = logs_.File("script");
    std::ofstream(script) << step.command << "\n";
    const std::string line =
        "cd '" + work_.path() + "' && PATH='" + BASALT_BINARY_DIR +
        "/bin':\"$PATH\" TZ=UTC D='" + work_.path() + "' SPEC='" + spec_ +
        "' GOLD='" + golden_ + "' COMPLETION='" + BASALT_SOURCE_DIR +
        "/tools/completion' bash '" + script + "' >'" + logs_.File("output") +
        "' 2>'" + logs_.File("errors") + "'";
    const int status = std::system(line.c_str());
    found.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    found.output = Shown(ContentOf(logs_.File("output")));
    found.errors = Shown(ContentOf(logs_.File("errors")));
    return found;
  }

  // Has the golden databases unpacked, if they are there.
  void UnpackAll() { UnpackGolden(golden_); }

 private:
  std::string Shown(std::string text) const {
    ReplaceAll(work_.path(), "$D", &text);
    ReplaceAll(spec_, "$SPEC", &text);
    ReplaceAll(golden_, "$GOLD", &text);
    return Steady(text);
  }

  const TempDir work_{"transcript"};
  const TempDir logs_{"transcript_logs"};
  const TempDir unpacked_{"transcript_golden"};
  const std::string golden_ = unpacked_.path();
  const std::string spec_ = std::filesystem::weakly_canonical(
      std::string(BASALT_SOURCE_DIR) + "/../shared/spec");
};

}  // namespace

void ReplayTranscript(const std::string& name) {
  const std::string path =
      std::string(BASALT_SOURCE_DIR) + "/tests/testdata/tools/" + name + ".txt";
  const bool rewrites = std::getenv("BASALT_REWRITE") != nullptr;
  std::string rewritten;
  Replay replay;
  const std::vector<TranscriptStep> steps = ReadSteps(path);
  if (std::any_of(steps.begin(), steps.end(), [](const TranscriptStep& step) {
        return step.command.find("$GOLD") != std::string::npos;
      })) {
    replay.UnpackAll();
  }
  for (const TranscriptStep& wanted : steps) {
    const TranscriptStep found =
        replay.CanRun(wanted) ? replay.Run(wanted) : wanted;
    const bool is_same = IsAs(wanted.output, found.output) &&
                         IsAs(wanted.errors, found.errors) &&
                         wanted.status == found.status;
    const TranscriptStep& kept = is_same ? wanted : found;
    rewritten += wanted.remarks + "$ " + wanted.command + "\n" + kept.output +
                 WithPrefix(kept.errors, "2> ") + "[exit " +
                 std::to_string(kept.status) + "]\n";
    if (rewrites || is_same) continue;
    ADD_FAILURE() << path << ":" << wanted.line << ": " << wanted.command
                  << "\nwanted " << wanted.status << "\n"
                  << wanted.output << wanted.errors << "found " << found.status
                  << "\n"
                  << found.output << found.errors;
  }
  if (rewrites) std::ofstream(path) << rewritten;
}

}  // namespace ROCKSDB_NAMESPACE
