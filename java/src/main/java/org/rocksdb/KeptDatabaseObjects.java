package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** The objects that options of a database were given, for their getters. */
final class KeptDatabaseObjects {
  Env env;
  WriteBufferManager writeBufferManager;
  List<AbstractEventListener> listeners = new ArrayList<>();
  Cache rowCache;
  AbstractWalFilter walFilter;
  FileChecksumGenFactory fileChecksumGenFactory;
  AbstractCompactionService compactionService;
  boolean failIfOptionsFileError;
  long randomAccessMaxBufferSize = 1024 * 1024;
  boolean skipCheckingSstFileSizes;

  KeptDatabaseObjects() {}

  KeptDatabaseObjects(final KeptDatabaseObjects that) {
    env = that.env;
    writeBufferManager = that.writeBufferManager;
    listeners = that.listeners;
    rowCache = that.rowCache;
    walFilter = that.walFilter;
    fileChecksumGenFactory = that.fileChecksumGenFactory;
    compactionService = that.compactionService;
    failIfOptionsFileError = that.failIfOptionsFileError;
    randomAccessMaxBufferSize = that.randomAccessMaxBufferSize;
    skipCheckingSstFileSizes = that.skipCheckingSstFileSizes;
  }
}
