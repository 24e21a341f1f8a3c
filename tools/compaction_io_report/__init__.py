"""The report on compaction I/O: what readers notice of background work."""
