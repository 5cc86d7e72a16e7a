package io.pyrunr.executor.internal.image;

import io.pyrunr.executor.internal.python.InstanceState;
import io.pyrunr.wasm.runtime.LinearMemory;
import java.util.Arrays;
import java.util.List;

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
 * @param randomStates where generators of random numbers keep their states
 */
public record BootImage(InstanceState state, int run, List<RandomState> randomStates) {

  /** A generator's state: an address, and how many bytes from there on may be any. */
  public record RandomState(int address, int size) {

    /** Reads what the bootstrap says: addresses and sizes, {@code address:size} each. */
    static List<RandomState> parse(String text) {
      return Arrays.stream(text.split(" "))
          .map(each -> each.split(":"))
          .map(each -> new RandomState(Integer.parseInt(each[0]), Integer.parseInt(each[1])))
          .toList();
    }
  }

  public BootImage {
    randomStates = List.copyOf(randomStates);
  }

  /** Memory an instance may have while no job sets its own limit: 2 GiB less one page. */
  public static final int MAXIMUM_PAGES = LinearMemory.MAXIMUM_PAGES;
}
