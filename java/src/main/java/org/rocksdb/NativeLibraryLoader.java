package org.rocksdb;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;
import org.rocksdb.util.Environment;

/**
 * Finds and loads the native library: in {@code java.library.path}, else in the jar.
 *
 * <p>From the jar it is unpacked once, into a directory of the user's that is named for what is in
 * the library, and used from there by every later program.
 */
public class NativeLibraryLoader {
  private static final NativeLibraryLoader INSTANCE = new NativeLibraryLoader();
  // Programs reset it by reflection to load again from elsewhere.
  private static boolean initialized = false;

  private static final String LIBRARY = "rocksdb";

  private NativeLibraryLoader() {}

  /**
   * The one loader.
   *
   * @return the loader
   */
  public static NativeLibraryLoader getInstance() {
    return INSTANCE;
  }

  /**
   * Loads the library.
   *
   * @param tmpDir the directory to unpack it into; null or empty for the cache
   * @throws IOException if it cannot be unpacked
   */
  public synchronized void loadLibrary(final String tmpDir) throws IOException {
    final String[] names = {
        Environment.getSharedLibraryName(LIBRARY),
        Environment.getJniLibraryName(LIBRARY),
        Environment.getFallbackJniLibraryName(LIBRARY)};
    for (final String name : names) {
      if (name != null && isLoadedFromPath(name)) {
        return;
      }
    }
    loadLibraryFromJar(tmpDir);
  }

  private static boolean isLoadedFromPath(final String name) {
    try {
      System.loadLibrary(name);
      return true;
    } catch (final UnsatisfiedLinkError e) {
      if (Boolean.getBoolean("ROCKS_JAVA_DEBUG_NLL")) {
        System.out.println("no " + name + " in java.library.path: " + e.getMessage());
      }
      return false;
    }
  }

  void loadLibraryFromJar(final String tmpDir) throws IOException {
    if (!initialized) {
      System.load(loadLibraryFromJarToTemp(tmpDir).getAbsolutePath());
      initialized = true;
    }
  }

  File loadLibraryFromJarToTemp(final String tmpDir) throws IOException {
    String name = Environment.getJniLibraryFileName(LIBRARY);
    byte[] library = read(name);
    if (library == null) {
      final String fallback = Environment.getFallbackJniLibraryFileName(LIBRARY);
      library = fallback == null ? null : read(fallback);
      name = fallback;
    }
    if (library == null) {
      throw new RuntimeException(
          Environment.getJniLibraryFileName(LIBRARY) + " is not in the jar");
    }
    if (tmpDir == null || tmpDir.isEmpty()) {
      return cached(name, library);
    }
    final File directory = new File(tmpDir);
    if (!directory.isDirectory()) {
      throw new RuntimeException("Directory: " + directory + " does not exist!");
    }
    return replace(new File(directory, name), library);
  }

  private static byte[] read(final String name) throws IOException {
    try (InputStream in = NativeLibraryLoader.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        return null;
      }
      byte[] bytes = new byte[8 << 20];
      int size = 0;
      for (int more = in.read(bytes); more >= 0;
           more = in.read(bytes, size, bytes.length - size)) {
        size += more;
        if (size == bytes.length) {
          bytes = java.util.Arrays.copyOf(bytes, 2 * size);
        }
      }
      return java.util.Arrays.copyOf(bytes, size);
    }
  }

  /** The file of this very library in the cache, unpacked if it is not there. */
  private static File cached(final String name, final byte[] library) throws IOException {
    final Path temporaries = Paths.get(System.getProperty("java.io.tmpdir"));
    for (final Path parent : new Path[] {cacheDirectory(temporaries), temporaries}) {
      try {
        return cached(parent.resolve("basalt-" + digest(library)), name, library);
      } catch (final IOException e) {
        // A directory that cannot be written, such as a container's, or is another user's.
      }
    }
    final File forThisRun = File.createTempFile("librocksdbjni", name);
    forThisRun.deleteOnExit();
    return replace(forThisRun, library);
  }

  private static File cached(final Path directory, final String name, final byte[] library)
      throws IOException {
    Files.createDirectories(directory);
    keepOthersOut(directory);
    final Path file = directory.resolve(name);
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isOwn(file)) {
      keepOthersOut(file);
      if (Files.size(file) == library.length
          && digest(Files.readAllBytes(file)).equals(digest(library))) {
        return file.toFile();
      }
    }
    return replace(file.toFile(), library);
  }

  private static Path cacheDirectory(final Path temporaries) {
    final String given = System.getenv("XDG_CACHE_HOME");
    final String home = System.getProperty("user.home");
    if (given != null && !given.isEmpty()) {
      return Paths.get(given);
    }
    return home == null || home.isEmpty() || "?".equals(home) ? temporaries
                                                              : Paths.get(home, ".cache");
  }

  /** Lets nobody else write here: they could put another library in its place. */
  private static void keepOthersOut(final Path path) throws IOException {
    if (!isOwn(path)) {
      throw new IOException(path + " belongs to another user");
    }
    final PosixFileAttributeView view = Files.getFileAttributeView(
        path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return;
    }
    final Set<PosixFilePermission> allowed = new HashSet<>(view.readAttributes().permissions());
    final boolean isForOthers = allowed.remove(PosixFilePermission.GROUP_WRITE)
        | allowed.remove(PosixFilePermission.OTHERS_WRITE);
    if (isForOthers) {
      view.setPermissions(allowed);
    }
  }

  /** Whether a file is this user's, or the superuser's; true where a system has no such thing. */
  private static boolean isOwn(final Path path) throws IOException {
    final Path process = Paths.get("/proc/self");
    if (!Files.exists(process)) {
      return true;
    }
    final Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    return owner.equals(0) || owner.equals(Files.getAttribute(process, "unix:uid"))
        || Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName().equals(
            System.getProperty("user.name"));
  }

  /** Writes a file so that no other program sees half of it. */
  private static File replace(final File file, final byte[] bytes) throws IOException {
    final File fresh = File.createTempFile(file.getName(), ".new", file.getParentFile());
    try {
      try (FileOutputStream out = new FileOutputStream(fresh)) {
        out.write(bytes);
        out.getFD().sync();
      }
      Files.move(fresh.toPath(), file.toPath(), StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh.toPath());
    }
    return file;
  }

  private static String digest(final byte[] bytes) {
    try {
      final byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      final StringBuilder text = new StringBuilder();
      for (int i = 0; i < 16; i++) {
        text.append(String.format("%02x", hash[i]));
      }
      return text.toString();
    } catch (final NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
