// Does a check fail when a function of the C interface does nothing?
//
//   stubs_main [--part=K/N] HEADER DIRECTORY [name...]
//
// For each function that HEADER declares (or each one named), or the K-th of
// every N of them: a child of this process makes the function return 0 at once
// and runs the C program, which must fail, crash or hang. Prints the names of
// those that nobody missed.
//
// Threads  The parent has one thread, so that fork() is whole.

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/c/check.h"

namespace {

// Code that returns 0, and 0.0; shorter than any function that does anything.
#if defined(__x86_64__)
constexpr char kStub[] = "\x31\xc0\xc3";            // xor eax, eax; ret
constexpr char kDoubleStub[] = "\x0f\x57\xc0\xc3";  // xorps xmm0, xmm0; ret
#elif defined(__aarch64__)
constexpr char kStub[] = "\x00\x00\x80\xd2\xc0\x03\x5f\xd6";  // mov x0, 0; ret
constexpr char kDoubleStub[] =
    "\xe0\x03\x67\x9e\xc0\x03\x5f\xd6";  // fmov d0, xzr; ret
#endif

// Functions that rightly do nothing, so that no check can miss them: a part is
// freed with the whole that it came from, there is no timestamp to return, and
// no file has a temperature.
const std::set<std::string> kNothingToDo = {
    "rocksdb_level_metadata_destroy", "rocksdb_sst_file_metadata_destroy",
    "rocksdb_iter_timestamp", "rocksdb_iter_timestamp_slice",
    "rocksdb_livefiles_storage_info_temperature"};

constexpr size_t kJobs = 2;
constexpr unsigned kSeconds = 60;  // A child that takes longer counts as hung.

enum Outcome { kPassed = 0, kMissed = 1, kNotThere = 2 };

std::string TextOf(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> FunctionsIn(const std::string& text,
                                  const std::string& before = "") {
  const std::regex call(before + R"(\b(rocksdb_\w+)\()");
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end;
       ++at) {
    names.insert((*at)[1]);
  }
  return names;
}

bool MakeStub(const std::string& name, std::string_view code) {
  void* function = dlsym(RTLD_DEFAULT, name.c_str());
  if (function == nullptr) return false;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(function);
  void* const start = reinterpret_cast<void*>(address / page * page);
  const size_t size = (address % page + code.size() + page - 1) / page * page;
  if (mprotect(start, size, PROT_READ | PROT_WRITE) != 0) return false;
  memcpy(function, code.data(), code.size());
  if (mprotect(start, size, PROT_READ | PROT_EXEC) != 0) return false;
  __builtin___clear_cache(static_cast<char*>(function),
                          static_cast<char*>(function) + code.size());
  return true;
}

[[noreturn]] void RunChild(const std::string& name, std::string_view code,
                           const std::string& path) {
  signal(SIGALRM, SIG_DFL);
  alarm(kSeconds);
  if (!name.empty() && (freopen("/dev/null", "w", stderr) == nullptr ||
                        freopen("/dev/null", "w", stdout) == nullptr)) {
    _exit(kNotThere);
  }
  std::filesystem::create_directories(path);
  SetDirectory(path.c_str());
  if (!name.empty()) CallAtFailure([] { _exit(kMissed); });
  if (!name.empty() && !MakeStub(name, code)) _exit(kNotThere);
  RunParts();
  _exit(Report() == 0 ? kPassed : kMissed);
}

struct Children {
  std::string directory;
  std::set<std::string> doubles;  // Functions that return one.
  std::map<pid_t, std::string> running;
  std::vector<std::string> not_missed;
  std::vector<std::string> not_there;

  std::string PathOf(const std::string& name) const {
    return directory + "/" + (name.empty() ? "all" : name);
  }

  void Start(const std::string& name) {
    const pid_t pid = fork();
    if (pid == 0) {
      RunChild(name, doubles.contains(name) ? kDoubleStub : kStub,
               PathOf(name));
    }
    running[pid] = name;
  }

  void WaitForOne() {
    int status = 0;
    const pid_t pid = wait(&status);
    const std::string name = running[pid];
    running.erase(pid);
    std::filesystem::remove_all(PathOf(name));
    if (!WIFEXITED(status)) return;  // It crashed, or hung.
    if (WEXITSTATUS(status) == kPassed) not_missed.push_back(name);
    if (WEXITSTATUS(status) == kNotThere) not_there.push_back(name);
  }
};

// Which of the functions are run: the K-th of every N.
struct Part {
  size_t k = 1;
  size_t n = 1;

  bool Parse(const char* text) {
    return sscanf(text, "--part=%zu/%zu", &k, &n) == 2 && k >= 1 && k <= n;
  }

  std::set<std::string> Of(const std::set<std::string>& names) const {
    std::set<std::string> part;
    size_t index = 0;
    for (const std::string& name : names) {
      if (index++ % n == k - 1) part.insert(name);
    }
    return part;
  }
};

}  // namespace

int main(int argc, char** argv) {
  Part part;
  if (argc > 1 && argv[1][0] == '-') {
    if (!part.Parse(argv[1])) return 2;
    ++argv;
    --argc;
  }
  if (argc < 3) return 2;
  const std::string header = TextOf(argv[1]);
  std::set<std::string> names = FunctionsIn(header);
  for (const std::string& name : kNothingToDo) names.erase(name);
  if (argc > 3) names = std::set<std::string>(argv + 3, argv + argc);
  names = part.Of(names);
  Children children{argv[2], FunctionsIn(header, R"(\bdouble\s+)"), {}, {}, {}};
  // With every function in its place the program must pass.
  children.Start("");
  children.WaitForOne();
  if (children.not_missed.size() != 1) {
    printf("the program fails as it is\n");
    return 1;
  }
  children.not_missed.clear();
  for (const std::string& name : names) {
    if (children.running.size() == kJobs) children.WaitForOne();
    children.Start(name);
  }
  while (!children.running.empty()) children.WaitForOne();
  for (const auto& name : children.not_missed) printf("%s\n", name.c_str());
  for (const auto& name : children.not_there) {
    printf("%s: cannot be found\n", name.c_str());
  }
  printf("%zu functions, %zu that no check would miss\n", names.size(),
         children.not_missed.size() + children.not_there.size());
  return children.not_missed.empty() && children.not_there.empty() ? 0 : 1;
}
