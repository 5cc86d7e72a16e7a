package io.pyrunr.executor.internal.interpreter;

import io.pyrunr.executor.internal.runtime.RuntimeState;
import io.pyrunr.wasm.runtime.LinearMemory;

/**
 * A Python that has started and imported what jobs need, as data, with the addresses of the few
 * objects the host refers to.
 *
 * <p>Files are not part of it: what lies below a job's own files is the {@link
 * PythonEnvironment}'s, and start-up leaves nothing above that.
 *
 * <p>Immutable, shared between interpreters and threads.
 *
 * @param state the Python's memory, globals, table and side modules
 * @param run address of the Python function that runs a job
 * @param randomState address of the Mersenne Twister's state behind the module {@code random}
 */
record BootImage(RuntimeState state, int run, int randomState) {

  /** Memory an instance may have while no job sets its own limit: 2 GiB less one page. */
  static final int MAXIMUM_PAGES = LinearMemory.MAXIMUM_PAGES;

  /** Bytes of the state at {@link #randomState}: 624 words. */
  static final int RANDOM_STATE_BYTES = 624 * Integer.BYTES;
}
