package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every public method of every type, on objects that are closed, on those whose database is, and
 * while another thread closes them: all may throw, none may end the virtual machine, and none may
 * lack its native part. {@code -Drocksdb.test.rounds} says how often.
 */
class UseAfterCloseTest {
  private static final int ROUNDS = Integer.getInteger("rocksdb.test.rounds", 1);

  // What would change the machine that the tests run on, or would wait for what another call of the
  // same round was to do.
  private static final Set<String> NOT_CALLED = new HashSet<>(Arrays.asList("close", "closeE",
      "wait", "notify", "notifyAll", "getClass", "pauseBackgroundWork", "abortAllCompactions",
      "setBackgroundThreads", "incBackgroundThreadsIfNeeded", "lowerThreadPoolIOPriority",
      "lowerThreadPoolCPUPriority"));

  // They refuse to be made.
  private static final Set<Class<?>> NOT_MADE = new HashSet<>(
      Arrays.asList(CassandraCompactionFilter.class, CassandraValueMergeOperator.class,
          PersistentCache.class,
          // Nobody makes it but the default one, which cannot be closed.
          RocksEnv.class));

  @TempDir Path folder;
  private int worlds;

  private World newWorld() throws Exception {
    return new World(Files.createDirectory(folder.resolve("world" + worlds++)));
  }

  private static void deleteAll(final Path root) throws Exception {
    try (java.util.stream.Stream<Path> all = Files.walk(root)) {
      all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }

  /** All public types of the jar with something native behind them, that can be made. */
  private static List<Class<?>> types() throws Exception {
    final String jar = new File(
        RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    final List<Class<?>> types = new ArrayList<>();
    try (JarFile file = new JarFile(jar)) {
      for (final String name : Collections.list(file.entries()).stream()
               .map(entry -> entry.getName())
               .filter(name -> name.matches("org/rocksdb/\\w+\\.class"))
               .sorted().toArray(String[] ::new)) {
        final Class<?> type =
            Class.forName(name.substring(0, name.length() - 6).replace('/', '.'));
        if (Modifier.isPublic(type.getModifiers())
            && AbstractNativeReference.class.isAssignableFrom(type)
            && !NOT_MADE.contains(type)) {
          types.add(type);
        }
      }
    }
    return types;
  }

  @FunctionalInterface
  private interface Use {
    void of(World world, Class<?> type) throws Exception;
  }

  private void forEachType(final Use use) throws Exception {
    final Set<String> missing = new TreeSet<>();
    int used = 0;
    for (final Class<?> type : types()) {
      try (World world = newWorld()) {
        if (!world.has(type)) {
          if (!Modifier.isAbstract(type.getModifiers())) {
            missing.add(type.getSimpleName());
          }
          continue;
        }
        use.of(world, type);
        used++;
        world.close();
        deleteAll(world.folder);
      }
    }
    assertEquals(Collections.emptySet(), missing, "World makes no such objects");
    assertTrue(used > 50, used + " types");
  }

  private static List<Method> methodsOf(final Class<?> type) {
    final List<Method> methods = new ArrayList<>();
    for (final Method each : type.getMethods()) {
      if (!Modifier.isStatic(each.getModifiers()) && !each.isBridge()
          && !NOT_CALLED.contains(each.getName())) {
        methods.add(each);
      }
    }
    methods.sort(Comparator.comparing(Method::toString));
    return methods;
  }

  private static void call(final World world, final Object object, final Method method,
      final boolean withNulls) throws Exception {
    final Class<?>[] types = method.getParameterTypes();
    final Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] =
          withNulls && !types[i].isPrimitive() ? null : world.argument(types[i]);
    }
    method.setAccessible(true);
    try {
      final Object result = method.invoke(object, arguments);
      if (result instanceof AutoCloseable && result != object
          && Arrays.stream(arguments).noneMatch(each -> each == result)
          && method.getName().matches("new.*|create.*|get(Iterator|UpdatesSince)|begin.*")) {
        ((AutoCloseable) result).close();
      }
    } catch (final InvocationTargetException e) {
      final Throwable thrown = e.getCause();
      if (thrown instanceof Error && !(thrown instanceof AssertionError)) {
        fail(method + " threw " + thrown, thrown);
      }
    }
  }

  private static void callAll(final World world, final Object object) throws Exception {
    for (final Method method : methodsOf(object.getClass())) {
      call(world, object, method, false);
      if (method.getParameterCount() > 0) {
        call(world, object, method, true);
      }
    }
  }

  @Test
  void afterItsOwnClose() throws Exception {
    forEachType((world, type) -> {
      final Object object = world.a(type);
      ((AutoCloseable) object).close();
      callAll(world, object);
      ((AutoCloseable) object).close();
    });
  }

  @Test
  void afterItsDatabasesClose() throws Exception {
    try (World some = newWorld()) {
      for (final Class<?> type : some.fromDatabases()) {
        try (World world = newWorld()) {
          final Object object = world.a(type);
          for (final Class<?> database : Arrays.asList(
                   RocksDB.class, TransactionDB.class, OptimisticTransactionDB.class)) {
            ((AutoCloseable) world.a(database)).close();
          }
          callAll(world, object);
        }
      }
    }
  }

  @Test
  void withArgumentsThatAreClosed() throws Exception {
    forEachType((world, type) -> {
      if (RocksDB.class.isAssignableFrom(type)) {
        final Object database = world.a(type);
        for (final Method method : methodsOf(type)) {
          for (final Class<?> argument : method.getParameterTypes()) {
            final Object given = world.argument(argument);
            if (given instanceof AutoCloseable && !(given instanceof Env)
                && !(given instanceof RocksDB)) {
              ((AutoCloseable) given).close();
            }
          }
          call(world, database, method, false);
        }
      }
    });
  }

  @Test
  void besideItsClose() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      final int seed = round;
      forEachType((world, type) -> {
        final Object object = world.a(type);
        final List<Method> methods = methodsOf(object.getClass());
        Collections.shuffle(methods, new java.util.Random(seed));
        final CountDownLatch begun = new CountDownLatch(Math.min(3, methods.size()));
        final List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        final Thread caller = new Thread(() -> {
          try {
            for (final Method method : methods) {
              begun.countDown();
              call(world, object, method, false);
            }
          } catch (final Throwable e) {
            wrong.add(e);
          }
        });
        caller.start();
        begun.await();
        ((AutoCloseable) object).close();
        caller.join();
        assertEquals(Collections.emptyList(), wrong, type + ", round " + seed);
      });
    }
  }
}
