package io.pyrunr.executor.internal.emscripten;

import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import io.pyrunr.wasm.runtime.LinearMemory;
import io.pyrunr.wasm.runtime.TableEntry;
import java.util.List;

/**
 * The JavaScript side of an Emscripten program, in Java: every function that the Pyodide main
 * module imports. Each topic has its class; this one only puts them together.
 *
 * <p>Belongs to one instance and its thread, {@link #signals()} excepted.
 */
public final class EmscriptenHost {
  private final ImportTable table = new ImportTable();
  private final Signals signals = new Signals();
  private final EnvironmentCalls environmentCalls;
  private final ForeignCallbacks callbacks;

  /**
   * @param memory the instance's memory
   * @param files its file system
   * @param environment its environment, {@code NAME=value} each
   * @param exports the instance, used only once it runs
   * @param linking what {@code dlopen} does
   * @param surroundings its chance and its clocks
   */
  public EmscriptenHost(
      LinearMemory memory,
      VirtualFileSystem files,
      List<String> environment,
      GuestExports exports,
      DynamicLinking linking,
      Surroundings surroundings) {
    GuestMemory guest = new GuestMemory(memory);
    Sleeper sleeper = new Sleeper(signals);
    new PathCalls(memory, guest, files, exports).register(table);
    new DescriptorCalls(memory, guest, files).register(table);
    new ReadinessCalls(memory, files, sleeper).register(table);
    new MappingCalls(memory, guest, files, exports).register(table);
    new SocketCalls(memory, files).register(table);
    new NameCalls(memory, guest, exports).register(table);
    new ClockCalls(memory, sleeper, exports, signals, surroundings).register(table);
    new CalendarCalls(memory, guest, exports).register(table);
    environmentCalls = new EnvironmentCalls(memory, guest, environment, surroundings);
    environmentCalls.register(table);
    new ProcessCalls(memory, exports).register(table);
    new PythonCalls(memory, exports, signals).register(table);
    new ForeignCalls(memory, exports).register(table);
    callbacks = new ForeignCallbacks(memory, exports);
    callbacks.register(table);
    new LinkingCalls(memory, exports, linking).register(table);
  }

  /** The implementation of one import; one that is not supported fails when it is called. */
  public HostCall function(String module, String name) {
    return table.call(module, name);
  }

  /** The table entry that {@link io.pyrunr.wasm.runtime.FunctionTable#setCallback} announced. */
  public TableEntry callback(int address) {
    return callbacks.entry(address);
  }

  /** Whether an import does something; else it fails when it is called. */
  public boolean supports(String name) {
    return table.contains(name);
  }

  /** Whether the program asked for more memory than it may have, since {@link #forgetRefusals}. */
  public boolean memoryRefused() {
    return environmentCalls.refused();
  }

  public void forgetRefusals() {
    environmentCalls.forgetRefusals();
  }

  /** How other threads reach the interpreter. */
  public Signals signals() {
    return signals;
  }
}
