// trace_analyzer: what users ask of a database, from a trace of operations.

#include <cstdio>
#include <string>

#include "tools/common/exit_status.h"
#include "tools/common/flags.h"
#include "tools/trace_analyzer/analysis.h"

namespace {

int Run(int argc, char** argv) {
  tools::AnalyzerSettings settings;
  tools::Flags flags;
  settings.AddTo(&flags);
  if (!flags.Parse("analyses a trace of operations", argc, argv))
    return flags.exit_status();
  if (const std::string problem = settings.Check(); !problem.empty()) {
    std::fprintf(stderr, "trace_analyzer: %s\n", problem.c_str());
    return 1;
  }
  tools::Analysis analysis(settings);
  ROCKSDB_NAMESPACE::Status s = analysis.Run();
  if (!s.ok()) {
    std::fprintf(stderr, "Cannot process the trace\n%s: %s\n",
                 settings.trace_path.c_str(), s.ToString().c_str());
    return 1;
  }
  s = tools::WriteReports(analysis, settings);
  if (!s.ok()) {
    std::fprintf(stderr, "Cannot write the results\n%s\n",
                 s.ToString().c_str());
    return 1;
  }
  tools::PrintReport(analysis, settings);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return tools::ExitStatus(Run(argc, argv)); }
