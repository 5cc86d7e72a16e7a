package io.pyrunr.wasm.runtime;

import com.dylibso.chicory.runtime.ConstantEvaluators;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.UninstantiableException;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.PassiveDataSegment;
import java.util.WeakHashMap;

/**
 * The data segments of the modules on one memory. Chicory's own memories keep one list of segments
 * and lose it when a second module is instantiated on the same memory.
 */
final class DataSegments {
  /** One that was unloaded takes its segments with it. */
  private final WeakHashMap<Instance, OfModule> byInstance = new WeakHashMap<>(4);

  private OfModule last;

  /** Copies a module's active segments into the memory and keeps the others. */
  void add(Instance instance, DataSegment[] segments, LinearMemory memory) {
    last = new OfModule(segments == null ? new DataSegment[0] : segments.clone());
    byInstance.put(instance, last);
    last.copyActive(instance, memory);
  }

  OfModule of(Instance instance) {
    return byInstance.get(instance);
  }

  /** Those of the module that was instantiated last. */
  OfModule ofLast() {
    return last;
  }

  /** The segments of one module; those that were used up or dropped are empty. */
  static final class OfModule {
    private final DataSegment[] segments;

    private OfModule(DataSegment[] segments) {
      this.segments = segments;
    }

    private void copyActive(Instance instance, LinearMemory memory) {
      for (int i = 0; i < segments.length; i++) {
        if (segments[i] instanceof ActiveDataSegment active) {
          int at =
              (int)
                  ConstantEvaluators.computeConstantValue(instance, active.offsetInstructions())[0];
          byte[] bytes = active.data();
          if (at < 0 || at > (long) memory.pages() * LinearMemory.PAGE_SIZE - bytes.length) {
            throw new UninstantiableException("out of bounds memory access");
          }
          memory.write(at, bytes, 0, bytes.length);
          drop(i);
        }
      }
    }

    /** {@code memory.init}. */
    void copy(int segment, int destination, int offset, int size, LinearMemory memory) {
      byte[] bytes = segments[segment].data();
      if (offset < 0 || size < 0 || offset > bytes.length - size) {
        throw memory.outOfBounds(offset);
      }
      memory.write(destination, bytes, offset, size);
    }

    void drop(int segment) {
      segments[segment] = PassiveDataSegment.EMPTY;
    }
  }
}
