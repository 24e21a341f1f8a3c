  /**
   * With four settings.
   *
   * @param moveFiles whether files are moved instead of copied
   * @param snapshotConsistency whether older snapshots do not see the files' keys
   * @param allowGlobalSeqNo whether files may get one sequence number
   * @param allowBlockingFlush whether a memtable that overlaps is flushed
   */
  public IngestExternalFileOptions(final boolean moveFiles, final boolean snapshotConsistency,
      final boolean allowGlobalSeqNo, final boolean allowBlockingFlush) {
    super(Fields.create({kind:IngestExternalFileOptions}));
    setMoveFiles(moveFiles);
    setSnapshotConsistency(snapshotConsistency);
    setAllowGlobalSeqNo(allowGlobalSeqNo);
    setAllowBlockingFlush(allowBlockingFlush);
  }
