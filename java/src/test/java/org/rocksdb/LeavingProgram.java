package org.rocksdb;

/** Closes one object and leaves another one open: for {@link LeakTest}. */
public final class LeavingProgram {
  private static Options left;

  private LeavingProgram() {}

  public static void main(final String[] arguments) {
    left = new Options();
    new WriteOptions().close();
    System.out.println("left: " + left.isOwningHandle());
  }
}
