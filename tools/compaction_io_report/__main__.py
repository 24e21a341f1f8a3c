"""python3 -m tools.compaction_io_report"""

import sys

from tools.compaction_io_report.cli import main

sys.exit(main(sys.argv[1:]))
