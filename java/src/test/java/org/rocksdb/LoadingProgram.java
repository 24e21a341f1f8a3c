package org.rocksdb;

import java.util.Arrays;

/** A program of its own, that loads the library one way or another. */
final class LoadingProgram {
  private LoadingProgram() {}

  public static void main(final String[] arguments) {
    if (arguments[0].equals("paths")) {
      RocksDB.loadLibrary(Arrays.asList(arguments).subList(1, arguments.length));
    } else if (arguments[0].equals("class")) {
      makeFirst(arguments[1]);
    }
    new LRUCache(1).close();
    System.out.println("loaded");
    System.out.flush();
    if (arguments[0].equals("halt")) {
      Runtime.getRuntime().halt(7);
    }
  }

  private static void makeFirst(final String name) {
    try {
      Class.forName(name).getConstructor().newInstance();
    } catch (final ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
