package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.util.BufferUtil;
import org.rocksdb.util.ByteUtil;
import org.rocksdb.util.Environment;
import org.rocksdb.util.SizeUnit;

/** How the library is named, found and loaded, and what is in the jar. */
class LoaderTest {
  @TempDir Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  // What programs and their tests set by reflection.
  private static Field field(final String name) throws Exception {
    final Field field = Environment.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void on(
      final String os, final String arch, final Boolean musl, final Work work) throws Exception {
    final String[] names = {"OS", "ARCH", "MUSL_LIBC", "MUSL_ENVIRONMENT"};
    final Map<String, Object> before = new HashMap<>();
    for (final String name : names) {
      before.put(name, field(name).get(null));
    }
    try {
      field("OS").set(null, os);
      field("ARCH").set(null, arch);
      field("MUSL_LIBC").set(null, musl);
      work.run();
    } finally {
      for (final String name : names) {
        field(name).set(null, before.get(name));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"linux,amd64,false,librocksdbjni-linux64.so,librocksdbjni.so",
      "linux,x86_64,false,librocksdbjni-linux64.so,librocksdbjni.so",
      "linux,i386,false,librocksdbjni-linux32.so,librocksdbjni.so",
      "linux,amd64,true,librocksdbjni-linux64-musl.so,librocksdbjni.so",
      "linux,x86,true,librocksdbjni-linux32-musl.so,librocksdbjni.so",
      "linux,aarch64,false,librocksdbjni-linux-aarch64.so,librocksdbjni.so",
      "linux,aarch64,true,librocksdbjni-linux-aarch64-musl.so,librocksdbjni.so",
      "linux,ppc64le,false,librocksdbjni-linux-ppc64le.so,librocksdbjni.so",
      "linux,ppc64le,true,librocksdbjni-linux-ppc64le-musl.so,librocksdbjni.so",
      "linux,riscv64,false,librocksdbjni-linux-riscv64.so,librocksdbjni.so",
      "linux,s390x,false,librocksdbjni-linux-s390x.so,librocksdbjni.so",
      "linux,s390x,true,librocksdbjni-linux-s390x-musl.so,librocksdbjni.so",
      "mac,x86_64,false,librocksdbjni-osx-x86_64.jnilib,librocksdbjni.dylib",
      "mac,aarch64,false,librocksdbjni-osx-arm64.jnilib,librocksdbjni.dylib",
      "mac,32,false,librocksdbjni-osx.jnilib,librocksdbjni.dylib",
      "windows,amd64,false,librocksdbjni-win64.dll,librocksdbjni.dll",
      "freebsd,amd64,false,librocksdbjni-freebsd64.so,librocksdbjni.so",
      "openbsd,amd64,false,librocksdbjni-openbsd64.so,librocksdbjni.so",
      "sunos,amd64,false,librocksdbjni-solaris64.so,librocksdbjni.so",
      "aix,ppc64,false,librocksdbjni-aix64.so,librocksdbjni.so"})
  void names(final String os, final String arch, final boolean musl, final String file,
      final String shared) throws Exception {
    on(os, arch, musl, () -> {
      assertEquals(file, Environment.getJniLibraryFileName("rocksdb"));
      assertEquals(shared, Environment.getSharedLibraryFileName("rocksdb"));
      assertEquals("rocksdbjni", Environment.getSharedLibraryName("rocksdb"));
      assertTrue(file.endsWith(Environment.getJniLibraryExtension()));
      assertEquals(file.replaceAll("^lib|\\.\\w+$", ""), Environment.getJniLibraryName("rocksdb"));
    });
  }

  @ParameterizedTest
  @CsvSource({"mac,x86_64,librocksdbjni-osx.jnilib", "mac,aarch64,librocksdbjni-osx.jnilib",
      "mac,32,", "linux,amd64,", "windows,amd64,"})
  void secondNames(final String os, final String arch, final String file) throws Exception {
    on(os, arch, false,
        () -> assertEquals(file, Environment.getFallbackJniLibraryFileName("rocksdb")));
  }

  @ParameterizedTest
  @CsvSource({"aix,ppc", "windows,x86", "plan9,amd64"})
  void platformsWithoutALibrary(final String os, final String arch) throws Exception {
    on(os, arch, false,
        () -> assertThrows(UnsupportedOperationException.class,
            () -> Environment.getJniLibraryFileName("rocksdb")));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "TRUE,true", "false,false", "False,false"})
  void theVariableDecides(final String value, final boolean isMusl) throws Exception {
    on("linux", "amd64", null, () -> {
      field("MUSL_ENVIRONMENT").set(null, value);
      assertEquals(isMusl, Environment.isMuslLibc());
      assertEquals(isMusl ? "musl" : null, Environment.getLibcName());
    });
  }

  @Test
  void theLibraryOfThisMachine() throws Exception {
    final String name = Environment.getJniLibraryFileName("rocksdb");
    try (JarFile jar = new JarFile(JarClasses.file())) {
      assertNotNull(jar.getEntry(name), name + " is at the root of the jar");
      assertTrue(jar.getEntry(name).getSize() <= 10 << 20);
    }
  }

  @Test
  void whatTheManifestSays() throws Exception {
    try (JarFile jar = new JarFile(JarClasses.file())) {
      final Manifest manifest = jar.getManifest();
      assertEquals("rocksdbjni", manifest.getMainAttributes().getValue("Automatic-Module-Name"));
      assertEquals(RocksDB.rocksdbVersion().toString(),
          manifest.getMainAttributes().getValue("Implementation-Version"));
    }
  }

  @Test
  void unpacksToADirectory() throws Exception {
    final String name = Environment.getJniLibraryFileName("rocksdb");
    Files.write(folder.resolve(name), new byte[] {1, 2, 3});
    final File file = NativeLibraryLoader.getInstance().loadLibraryFromJarToTemp(
        folder.toString());
    assertEquals(folder.resolve(name).toFile(), file);
    // What lay there is replaced, and nothing else is left.
    assertTrue(file.length() > 1 << 20);
    assertEquals(1, folder.toFile().list().length);
  }

  @Test
  void directoriesThatAreNotThere() {
    assertThrows(RuntimeException.class,
        () -> NativeLibraryLoader.getInstance().loadLibraryFromJarToTemp(
            folder.resolve("none").toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null"})
  void unpacksOnce(final String directory) throws Exception {
    final NativeLibraryLoader loader = NativeLibraryLoader.getInstance();
    final String given = directory.equals("null") ? null : directory;
    final File first = loader.loadLibraryFromJarToTemp(given);
    final long when = first.lastModified();
    final File second = loader.loadLibraryFromJarToTemp(given);
    assertEquals(first, second);
    assertEquals(when, second.lastModified());
    assertEquals(1, first.getParentFile().list().length);
    assertTrue(first.getParentFile().getName().startsWith("basalt-"));
  }

  @Test
  void aDamagedFileIsReplaced() throws Exception {
    final NativeLibraryLoader loader = NativeLibraryLoader.getInstance();
    // The library in use must not be written to: its name gets another file.
    final File file = loader.loadLibraryFromJarToTemp(null);
    final byte[] whole = Files.readAllBytes(file.toPath());
    final Path damaged = Files.write(folder.resolve("damaged"), new byte[whole.length]);
    Files.move(damaged, file.toPath(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertArrayEquals(whole, Files.readAllBytes(loader.loadLibraryFromJarToTemp(null).toPath()));
  }

  @Test
  void nobodyElseWritesToTheCache() throws Exception {
    final NativeLibraryLoader loader = NativeLibraryLoader.getInstance();
    final Path file = loader.loadLibraryFromJarToTemp(null).toPath();
    for (final Path path : Arrays.asList(file, file.getParent())) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertEquals(file, loader.loadLibraryFromJarToTemp(null).toPath());
      assertEquals(
          "rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
  }

  private String run(final Map<String, String> variables, final List<String> options,
      final String... arguments) throws Exception {
    // Newer virtual machines warn of any native library.
    return run(ProcessBuilder.Redirect.INHERIT, variables, options, arguments);
  }

  private String run(final ProcessBuilder.Redirect errors, final Map<String, String> variables,
      final List<String> options, final String... arguments) throws Exception {
    final List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-XX:ErrorFile=" + folder.resolve("crash.log"));
    command.addAll(options);
    command.addAll(Arrays.asList("-cp", System.getProperty("java.class.path"),
        LoadingProgram.class.getName()));
    command.addAll(Arrays.asList(arguments));
    final ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
    builder.environment().putAll(variables);
    final Process process = builder.start();
    final String out =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + out.trim();
  }

  @Test
  void startsThatEndHowTheyLikeLeaveOneFile() throws Exception {
    final Map<String, String> variables = new HashMap<>();
    variables.put("XDG_CACHE_HOME", folder.toString());
    final List<String> options = Arrays.asList("-Xshare:auto",
        "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")));
    assertEquals("0 loaded", run(variables, options, "plain"));
    assertEquals("7 loaded", run(variables, options, "halt"));
    assertEquals(0, folder.resolve("tmp").toFile().list().length);
    final File[] found = folder.toFile().listFiles((dir, name) -> name.startsWith("basalt-"));
    assertEquals(1, found.length);
    assertEquals(1, found[0].list().length);
  }

  @Test
  void withoutACacheOneFileIsLeftAmongTheTemporaries() throws Exception {
    final Map<String, String> variables = new HashMap<>();
    variables.put("XDG_CACHE_HOME", Files.createFile(folder.resolve("no directory")).toString());
    final Path temporaries = Files.createDirectory(folder.resolve("tmp"));
    final List<String> options =
        Arrays.asList("-Xshare:auto", "-Djava.io.tmpdir=" + temporaries);
    assertEquals("0 loaded", run(variables, options, "plain"));
    assertEquals("7 loaded", run(variables, options, "halt"));
    final File[] found = temporaries.toFile().listFiles();
    assertEquals(1, found.length);
    assertTrue(found[0].getName().startsWith("basalt-"));
    assertEquals(1, found[0].list().length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ReadOptions", "WriteBatch", "BloomFilter", "CompactionJobStats"})
  void anyClassMayBeTheFirst(final String name) throws Exception {
    assertEquals("0 loaded",
        run(new HashMap<>(), new ArrayList<>(), "class", "org.rocksdb." + name));
  }

  @Test
  void aProgramWithAnOrderOfItsOwnEnds() throws Exception {
    assertEquals("0 loaded", run(new HashMap<>(), new ArrayList<>(), "order",
        folder.resolve("db").toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "of this program", "50%d"})
  void theErrorOutputGetsLines(final String prefix) throws Exception {
    final File lines = folder.resolve("lines").toFile();
    assertEquals("0 loaded", run(ProcessBuilder.Redirect.to(lines), new HashMap<>(),
        new ArrayList<>(), "log", folder.resolve("db").toString(), prefix, "INFO_LEVEL"));
    final String start = prefix.isEmpty() ? "" : prefix + " ";
    assertTrue(Files.readAllLines(lines.toPath()).stream().anyMatch(
        line -> line.startsWith(start) && line.length() > start.length()));
  }

  @Test
  void theErrorOutputGetsNoHeadersAtAHigherLevel() throws Exception {
    final File lines = folder.resolve("lines").toFile();
    assertEquals("0 loaded", run(ProcessBuilder.Redirect.to(lines), new HashMap<>(),
        new ArrayList<>(), "log", folder.resolve("db").toString(), "of this program",
        "WARN_LEVEL"));
    assertTrue(Files.readAllLines(lines.toPath()).stream().noneMatch(
        line -> line.startsWith("of this program")));
  }

  @Test
  void theVariableNamesADirectory() throws Exception {
    final Map<String, String> variables = new HashMap<>();
    variables.put("ROCKSDB_SHAREDLIB_DIR", folder.toString());
    assertEquals("0 loaded", run(variables, new ArrayList<>(), "plain"));
    assertArrayEquals(new String[] {Environment.getJniLibraryFileName("rocksdb")},
        folder.toFile().list());
  }

  @Test
  void aPathOfLibraries() throws Exception {
    final File library =
        NativeLibraryLoader.getInstance().loadLibraryFromJarToTemp(folder.toString());
    final Map<String, String> variables = new HashMap<>();
    variables.put("XDG_CACHE_HOME", folder.resolve("unused").toString());
    assertEquals("0 loaded", run(variables,
        Arrays.asList("-Djava.library.path=" + library.getParent()), "plain"));
    assertEquals("0 loaded", run(variables, new ArrayList<>(), "paths", "/no/such/path",
        library.getParent()));
    assertTrue(Files.notExists(folder.resolve("unused")));
  }

  @Test
  void aThreadThatWaitedForAFailedLoadTriesItself() throws Exception {
    RocksDB.loadLibrary();
    final Field field = LibraryLoader.class.getDeclaredField("STATE");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    final AtomicReference<Object> state = (AtomicReference<Object>) field.get(null);
    final Object loaded = state.get();
    final Object[] all = loaded.getClass().getEnumConstants();
    assertEquals("[NOT_LOADED, LOADING, LOADED]", Arrays.toString(all));
    state.set(all[1]);
    final Thread waits = new Thread(() -> RocksDB.loadLibrary());
    waits.start();
    while (waits.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    state.set(all[0]);
    waits.join();
    final Object found = state.getAndSet(loaded);
    assertSame(loaded, found);
  }

  @Test
  void theVersion() {
    final RocksDB.Version version = RocksDB.rocksdbVersion();
    assertTrue(version.getMajor() > 1);
    assertEquals(version.getMajor() + "." + version.getMinor() + "." + version.getPatch(),
        version.toString());
    assertEquals("1.2.3", new RocksDB.Version((byte) 1, (byte) 2, (byte) 3).toString());
    // It is loaded long since.
    RocksDB.loadLibrary();
    RocksDB.loadLibrary(Arrays.asList("/no/such/path"));
  }

  @Test
  void sizes() {
    long expected = 1;
    for (final long size :
        new long[] {SizeUnit.KB, SizeUnit.MB, SizeUnit.GB, SizeUnit.TB, SizeUnit.PB}) {
      expected *= 1_024;
      assertEquals(expected, size);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,0,0,true", "0,3,3,true", "3,0,3,true", "1,2,3,true", "-1,1,3,false",
      "0,-1,3,false", "0,4,3,false", "2,2,3,false", "4,0,3,false", "2147483647,2,3,false"})
  void bounds(final int offset, final int length, final int size, final boolean isInside) {
    if (isInside) {
      BufferUtil.CheckBounds(offset, length, size);
    } else {
      assertThrows(IndexOutOfBoundsException.class,
          () -> BufferUtil.CheckBounds(offset, length, size));
    }
  }

  @ParameterizedTest
  @CsvSource({"abc,abd,2,0", "abc,abd,3,-1", "b,a,1,1", "a,b,0,0"})
  void comparingBytes(
      final String a, final String b, final int count, final int expected) {
    assertArrayEquals(a.getBytes(StandardCharsets.UTF_8), ByteUtil.bytes(a));
    assertEquals(expected, Integer.signum(ByteUtil.memcmp(
        ByteBuffer.wrap(ByteUtil.bytes(a)), ByteBuffer.wrap(ByteUtil.bytes(b)), count)));
  }

  @Test
  void noClassIsFinalThatOthersReplace() {
    for (final Class<?> type : new Class<?>[] {Options.class, DBOptions.class,
             ColumnFamilyOptions.class, BlockBasedTableConfig.class, RocksDB.class, Cache.class,
             Statistics.class, RocksIterator.class}) {
      assertEquals(0, type.getModifiers() & java.lang.reflect.Modifier.FINAL, type.toString());
    }
    assertNull(JarClasses.class.getPackage().getImplementationTitle());
  }
}
