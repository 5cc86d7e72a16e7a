package io.pyrunr.executor.internal.python;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.emscripten.Surroundings;
import io.pyrunr.executor.internal.fs.Device;
import io.pyrunr.executor.internal.fs.FileSystemSnapshot;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.link.SideModuleStore;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A booted Python on its own big-stack thread, with its output kept. */
final class Interpreter {
  final ByteArrayOutputStream output = new ByteArrayOutputStream();
  final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  final VirtualFileSystem files;
  final PythonInstance python;
  private LinearMemory.Snapshot memory;
  private FileSystemSnapshot pristine;
  private long[] globals;

  Interpreter() throws Exception {
    PyodideDistribution distribution = PyodideDistribution.bundled();
    files =
        PythonFiles.mount(PythonFiles.base(distribution).build(), writeTo(output), writeTo(errors));
    python =
        onBigStack(
            () ->
                new PythonInstance(
                    distribution,
                    files,
                    new SideModuleStore(distribution, CacheHome.NONE),
                    8192,
                    Surroundings.real()));
    onBigStack(
        () -> {
          python.start();
          return null;
        });
  }

  private static Device writeTo(ByteArrayOutputStream stream) {
    return new Device() {
      @Override
      public int write(byte[] source, int offset, int length) {
        stream.write(source, offset, length);
        return length;
      }
    };
  }

  /** Keeps the state to {@link #restore}. */
  void capture() {
    memory = python.memory().capture();
    pristine = files.snapshot();
    globals = new long[python.instance().globalCount()];
    Arrays.setAll(globals, i -> python.instance().global(i).getValue());
  }

  void restore() {
    python.memory().restore(memory);
    files.restore(pristine);
    python.signals().clear();
    for (int i = 0; i < globals.length; i++) {
      if (python.instance().global(i).getValue() != globals[i]) {
        python.instance().global(i).setValue(globals[i]);
      }
    }
  }

  /** Runs code and returns what it printed; fails with its traceback. */
  String run(String code) throws Exception {
    output.reset();
    errors.reset();
    int status =
        onBigStack(
            () ->
                python.runSimpleString(
                    code + "\nimport sys\nsys.stdout.flush()\nsys.stderr.flush()\n"));
    if (status != 0) {
      onBigStack(() -> python.runSimpleString("sys.stdout.flush()\nsys.stderr.flush()\n"));
      throw new AssertionError(errors.toString(StandardCharsets.UTF_8));
    }
    return output.toString(StandardCharsets.UTF_8);
  }

  static <T> T onBigStack(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = new Thread(null, future, "python", 512L << 20);
    thread.start();
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
