package org.rocksdb;

/** The files of an exported family. */
public class ExportImportFilesMetaData extends RocksObject {
  ExportImportFilesMetaData(final long nativeHandle) {
    super(nativeHandle);
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
