#include "tests/tools/transcript.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

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
  std::string content = text.str();
  if (!content.empty() && content.back() != '\n') content += '\n';
  return content;
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
  // What the command gives, in place of what is wanted.
  TranscriptStep Run(const TranscriptStep& step) {
    TranscriptStep found = step;
    const std::string script = logs_.File("script");
    std::ofstream(script) << step.command << "\n";
    const std::string line =
        "cd '" + work_.path() + "' && PATH='" + BASALT_BINARY_DIR +
        "/bin':\"$PATH\" TZ=UTC COMPLETION='" + BASALT_SOURCE_DIR +
        "/tools/completion' bash '" + script + "' >'" + logs_.File("output") +
        "' 2>'" + logs_.File("errors") + "'";
    const int status = std::system(line.c_str());
    found.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    found.output = ContentOf(logs_.File("output"));
    found.errors = ContentOf(logs_.File("errors"));
    return found;
  }

 private:
  const TempDir work_{"transcript"};
  const TempDir logs_{"transcript_logs"};
};

}  // namespace

void ReplayTranscript(const std::string& name) {
  const std::string path =
      std::string(BASALT_SOURCE_DIR) + "/tests/testdata/tools/" + name + ".txt";
  const bool rewrites = std::getenv("BASALT_REWRITE") != nullptr;
  std::string rewritten;
  Replay replay;
  for (const TranscriptStep& wanted : ReadSteps(path)) {
    const TranscriptStep found = replay.Run(wanted);
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
