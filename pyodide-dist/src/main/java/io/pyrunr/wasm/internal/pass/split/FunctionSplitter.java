package io.pyrunr.wasm.internal.pass.split;

import io.pyrunr.wasm.internal.ir.Instr.Block;
import io.pyrunr.wasm.internal.ir.IrFunction;
import io.pyrunr.wasm.internal.ir.IrModule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Splits functions that are too large for the JVM: HotSpot compiles no method above 8,000 bytes of
 * bytecode, class files hold none above 64 KB, and C1 already gives up on some of 5,000.
 *
 * <p>Parts of the function become functions ({@link RegionOutliner}) until what is left is small
 * enough; the cases of large switches are gathered into groups first ({@link SwitchGroups}). What
 * is left and the parts are plain wasm again, so they are split further in the same way where
 * needed.
 */
public final class FunctionSplitter {
  /**
   * Sizes in estimated bytes of bytecode.
   *
   * @param threshold larger functions are split
   * @param host what the function itself is brought down to, if it can be
   * @param part the largest region made a function
   * @param group the size of a group of switch cases
   * @param smallestPart regions below this are not worth a call
   * @param cutDistance the longest run of code without a place to cut
   */
  public record Sizes(
      int threshold, int host, int part, int group, int smallestPart, int cutDistance) {
    public static final Sizes DEFAULT = new Sizes(6_500, 5_000, 4_000, 4_000, 240, 600);
  }

  /**
   * What became of one function.
   *
   * @param function its index
   * @param before estimated bytes before
   * @param host estimated bytes of what is left
   * @param parts how many functions were made of it
   * @param largestPart estimated bytes of the largest of them
   */
  public record Report(int function, int before, int host, int parts, int largestPart) {}

  private final IrModule module;
  private final Registers registers;
  private final Sizes sizes;
  private final HotCases hot;
  private final List<Report> reports = new ArrayList<>();

  /**
   * Makes a splitter.
   *
   * @param registers through which parts hand values back
   * @param hot switch cases that are to stay where they are
   */
  public FunctionSplitter(IrModule module, Registers registers, Sizes sizes, HotCases hot) {
    this.hot = hot;
    this.module = module;
    this.registers = registers;
    this.sizes = sizes;
  }

  /** The functions that were split, in order. */
  public List<Report> reports() {
    return reports;
  }

  /**
   * Splits {@code function} if it is too large.
   *
   * @return the functions made of it, to be encoded by the caller like the function itself
   */
  public List<IrFunction> split(IrFunction function) {
    int before = sizeOf(function);
    if (before <= sizes.threshold()) {
      return List.of();
    }
    List<IrFunction> parts = new ArrayList<>();
    Deque<IrFunction> toSplit = new ArrayDeque<>(List.of(function));
    while (!toSplit.isEmpty()) {
      IrFunction next = toSplit.pop();
      int size = sizeOf(next);
      if (size > sizes.threshold()) {
        List<IrFunction> made = new Splitting(next).run();
        parts.addAll(made);
        // A part that is hardly smaller than what it came from would be split for ever.
        made.stream().filter(part -> sizeOf(part) < size * 3 / 4).forEach(toSplit::add);
      }
    }
    int largest = parts.stream().mapToInt(FunctionSplitter::sizeOf).max().orElse(0);
    reports.add(new Report(function.index(), before, sizeOf(function), parts.size(), largest));
    return parts;
  }

  private static int sizeOf(IrFunction function) {
    return BytecodeSize.of(function.body().body());
  }

  private final class Splitting {
    private final IrFunction function;
    private final List<IrFunction> parts = new ArrayList<>();

    Splitting(IrFunction function) {
      this.function = function;
    }

    List<IrFunction> run() {
      new StackCuts(module, function, sizes.cutDistance()).apply();
      SwitchGroups switches = new SwitchGroups(module, function, sizes.group(), hot);
      List<Block> groups = switches.rearrange();
      Liveness liveness = new Liveness(function);
      RegionFinder finder =
          new RegionFinder(
              module,
              function,
              liveness,
              registers,
              switches.tables(),
              sizes.smallestPart(),
              sizes.part());
      RegionOutliner outliner = new RegionOutliner(module, function, liveness, registers);
      for (Block group : groups) {
        Region region = finder.startingWith(group);
        if (region != null && region.size() <= sizes.part() && finder.isLegal(region)) {
          outline(region, finder, outliner);
        }
      }
      while (sizeOf(function) > sizes.host()) {
        Region best = finder.best();
        if (best == null) {
          break;
        }
        outline(best, finder, outliner);
      }
      return parts;
    }

    private void outline(Region region, RegionFinder finder, RegionOutliner outliner) {
      parts.add(outliner.outline(region));
      finder.changed(region.list());
    }
  }
}
