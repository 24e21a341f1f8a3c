#include "tests/tools/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/testing/temp_dir.h"

extern char** environ;

namespace ROCKSDB_NAMESPACE {

namespace {

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

ProgramResult RunProgram(const std::string& name,
                         const std::vector<std::string>& arguments) {
  const TempDir dir("program");
  const std::string path =
      name[0] == '/' ? name : std::string(BASALT_BINARY_DIR) + "/bin/" + name;
  const std::string output = dir.File("output");
  const std::string errors = dir.File("errors");
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_CREAT | O_WRONLY | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   kFlags, 0600);
  pid_t child = 0;
  const int error = posix_spawn(&child, path.c_str(), &actions, nullptr,
                                argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ProgramResult result;
  if (error != 0) {
    ADD_FAILURE() << path << " cannot be started; is it built?";
    return result;
  }
  int status = 0;
  if (waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  }
  result.output = ReadFile(output);
  result.errors = ReadFile(errors);
  return result;
}

std::vector<std::string> LinesWith(const std::string& text,
                                   const std::string& part) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(part) != std::string::npos) lines.push_back(line);
  }
  return lines;
}

}  // namespace ROCKSDB_NAMESPACE
