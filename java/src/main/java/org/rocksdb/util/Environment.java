package org.rocksdb.util;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Locale;

/** The platform, and how native libraries are named on it. */
public class Environment {
  // Tests set these by reflection.
  private static String OS = System.getProperty("os.name").toLowerCase(Locale.getDefault());
  private static String ARCH = System.getProperty("os.arch").toLowerCase(Locale.getDefault());
  private static String MUSL_ENVIRONMENT = System.getenv("ROCKSDB_MUSL_LIBC");
  private static Boolean MUSL_LIBC = null;

  private static final String SPARCV9 = "sparcv9";
  private static final String LIBC_MUSL_PREFIX = "libc.musl";

  /** Tells whether the processor is a 64-bit ARM. */
  public static boolean isAarch64() {
    return ARCH.contains("aarch64");
  }

  /** Tells whether the processor is a PowerPC. */
  public static boolean isPowerPC() {
    return ARCH.contains("ppc");
  }

  /** Tells whether the processor is a System z. */
  public static boolean isS390x() {
    return ARCH.contains("s390x");
  }

  /** Tells whether the processor is a 64-bit RISC-V. */
  public static boolean isRiscv64() {
    return ARCH.contains("riscv64");
  }

  /** Tells whether the system is Windows. */
  public static boolean isWindows() {
    return OS.contains("win") && !OS.contains("darwin");
  }

  /** Tells whether the system is FreeBSD. */
  public static boolean isFreeBSD() {
    return OS.contains("freebsd");
  }

  /** Tells whether the system is macOS. */
  public static boolean isMac() {
    return OS.contains("mac");
  }

  /** Tells whether the system is AIX. */
  public static boolean isAix() {
    return OS.contains("aix");
  }

  /** Tells whether the system is a Unix or Linux. */
  public static boolean isUnix() {
    return OS.contains("nix") || OS.contains("nux");
  }

  /** Tells whether the system is Solaris. */
  public static boolean isSolaris() {
    return OS.contains("sunos");
  }

  /** Tells whether the system is OpenBSD. */
  public static boolean isOpenBSD() {
    return OS.contains("openbsd");
  }

  /** Tells whether programs have 64-bit addresses. */
  public static boolean is64Bit() {
    return ARCH.contains(SPARCV9) || ARCH.indexOf("64") > 0;
  }

  /** Tells whether the C library is musl: {@code ROCKSDB_MUSL_LIBC} says so, or this process. */
  public static boolean isMuslLibc() {
    if (MUSL_LIBC == null) {
      MUSL_LIBC = findMusl();
    }
    return MUSL_LIBC;
  }

  private static boolean findMusl() {
    if ("true".equalsIgnoreCase(MUSL_ENVIRONMENT)) {
      return true;
    }
    if ("false".equalsIgnoreCase(MUSL_ENVIRONMENT)) {
      return false;
    }
    try {
      final byte[] maps = Files.readAllBytes(Paths.get("/proc/self/maps"));
      return new String(maps, StandardCharsets.ISO_8859_1).contains("ld-musl");
    } catch (final IOException | RuntimeException e) {
      // Not a Linux, or without /proc: musl lies in /lib.
      final String[] found = new File("/lib").list(
          (directory, name) -> name.startsWith(LIBC_MUSL_PREFIX));
      return found != null && found.length > 0;
    }
  }

  /**
   * The library's name without the platform.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code rocksdbjni}
   */
  public static String getSharedLibraryName(final String name) {
    return name + "jni";
  }

  /**
   * The file of the library without the platform.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code librocksdbjni.so}
   */
  public static String getSharedLibraryFileName(final String name) {
    return appendLibOsSuffix("lib" + getSharedLibraryName(name), true);
  }

  /**
   * What the names say of the C library.
   *
   * @return {@code musl}, or null
   */
  public static String getLibcName() {
    return isMuslLibc() ? "musl" : null;
  }

  private static String getLibcPostfix() {
    final String name = getLibcName();
    return name == null ? "" : "-" + name;
  }

  /**
   * The library's name on this platform.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code rocksdbjni-linux64}
   */
  public static String getJniLibraryName(final String name) {
    if (isUnix()) {
      if (isPowerPC() || isAarch64() || isRiscv64() || isS390x()) {
        return String.format("%sjni-linux-%s%s", name, ARCH, getLibcPostfix());
      }
      return String.format("%sjni-linux%s%s", name, is64Bit() ? "64" : "32", getLibcPostfix());
    }
    if (isMac()) {
      if (!is64Bit()) {
        return String.format("%sjni-osx", name);
      }
      return String.format("%sjni-osx-%s", name, isAarch64() ? "arm64" : "x86_64");
    }
    if (isFreeBSD()) {
      return String.format("%sjni-freebsd%s", name, is64Bit() ? "64" : "32");
    }
    if (isAix() && is64Bit()) {
      return String.format("%sjni-aix64", name);
    }
    if (isSolaris()) {
      return String.format("%sjni-solaris%s", name, is64Bit() ? "64" : "32");
    }
    if (isWindows() && is64Bit()) {
      return String.format("%sjni-win64", name);
    }
    if (isOpenBSD()) {
      return String.format("%sjni-openbsd%s", name, is64Bit() ? "64" : "32");
    }
    throw new UnsupportedOperationException(
        String.format("no RocksDB library for %s on %s", OS, ARCH));
  }

  /**
   * A second name, for platforms that have one.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code rocksdbjni-osx}, or null
   */
  public static String getFallbackJniLibraryName(final String name) {
    return isMac() && is64Bit() ? String.format("%sjni-osx", name) : null;
  }

  /**
   * The file of the library on this platform.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code librocksdbjni-linux64.so}
   */
  public static String getJniLibraryFileName(final String name) {
    return appendLibOsSuffix("lib" + getJniLibraryName(name), false);
  }

  /**
   * The file of the second name.
   *
   * @param name such as {@code rocksdb}
   * @return such as {@code librocksdbjni-osx.jnilib}, or null
   */
  public static String getFallbackJniLibraryFileName(final String name) {
    final String fallback = getFallbackJniLibraryName(name);
    return fallback == null ? null : appendLibOsSuffix("lib" + fallback, false);
  }

  private static String appendLibOsSuffix(final String file, final boolean shared) {
    if (isUnix() || isAix() || isSolaris() || isFreeBSD() || isOpenBSD()) {
      return file + ".so";
    }
    if (isMac()) {
      return file + (shared ? ".dylib" : ".jnilib");
    }
    if (isWindows()) {
      return file + ".dll";
    }
    throw new UnsupportedOperationException("no native libraries for " + OS);
  }

  /**
   * How files of JNI libraries end.
   *
   * @return such as {@code .so}
   */
  public static String getJniLibraryExtension() {
    if (isWindows()) {
      return ".dll";
    }
    return isMac() ? ".jnilib" : ".so";
  }
}
