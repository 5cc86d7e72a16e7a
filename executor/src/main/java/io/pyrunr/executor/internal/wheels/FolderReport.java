package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.pyrunr.executor.WheelReport;
import io.pyrunr.executor.WheelReport.Entry;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.WholeFile;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.packaging.WheelFileName;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.resolve.Dependencies;
import io.pyrunr.executor.internal.wheels.resolve.Pins;
import io.pyrunr.executor.internal.wheels.resolve.UnmetNeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an administrator wants to know of the wheels in some folders. */
public final class FolderReport {
  /** So many symbols are named where more are missing. */
  private static final int SHOWN = 5;

  private final WheelFolders folders;
  private final WheelSet set;
  private final Dependencies dependencies;

  /** Reads the folders. */
  public FolderReport(WheelFolders folders) {
    this.folders = folders;
    set = folders.scan();
    dependencies = set.dependencies();
  }

  /** All wheels as they are. */
  public WheelReport contents() {
    try {
      return contents(CodeCompiler.NONE, false);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nothing is waited for
    }
  }

  /** All wheels, compiled by then. */
  public WheelReport compiled(CodeCompiler compiler) throws InterruptedException {
    return contents(compiler, true);
  }

  private WheelReport contents(CodeCompiler compiler, boolean compile) throws InterruptedException {
    List<Entry> entries = new ArrayList<>();
    Set<String> told = new HashSet<>();
    Compilation compilation = compile ? Compilation.of(set.sideModules(), compiler) : null;
    for (Map.Entry<Path, WheelFolders.Reading> reading : folders.readings().entrySet()) {
      Wheel wheel = reading.getValue().wheel();
      String problem = reading.getValue().problem();
      if (reading.getValue().library() != null) {
        continue; // no package; nothing to say as long as it is the right file
      }
      if (wheel == null) {
        told.add(problem);
        entries.add(unusable(reading.getKey(), problem));
      } else {
        entries.add(compile ? compiled(wheel, compilation, compiler) : usable(wheel, null, 0));
      }
    }
    // What is wrong with a wheel stands beside it; pins and the like stand for themselves.
    return new WheelReport(
        entries, set.problems().stream().filter(text -> !told.contains(text)).toList());
  }

  private static Entry unusable(Path file, String problem) {
    String name = null;
    String version = null;
    try {
      WheelFileName parts = WheelFileName.parse(file.getFileName().toString());
      name = parts.name();
      version = parts.version().toString();
    } catch (BadPackagingException e) {
      // Then it has none.
    }
    String reason = problem.substring(problem.indexOf(": ") + 2);
    return new Entry(file, name, version, reason, false, List.of(), List.of(), 0, 0);
  }

  private Entry usable(Wheel wheel, String problem, long compiledBytes) {
    List<Requirement> needs = dependencies.of(wheel, Set.of());
    List<UnmetNeed> unmet =
        set.isChosen(wheel)
            ? set.unmet().stream().filter(need -> need.by().equals(wheel)).toList()
            : needs.stream()
                .filter(need -> set.candidates().of(need.name()).isEmpty())
                .map(need -> UnmetNeed.absent(wheel, need))
                .toList();
    return new Entry(
        wheel.path(),
        wheel.name(),
        wheel.version().toString(),
        problem,
        set.isChosen(wheel),
        onePerPackage(needs.stream(), Requirement::name, Requirement::and, Requirement::toString),
        onePerPackage(
            unmet.stream(),
            need -> need.requirement().name() + need.reason(),
            UnmetNeed::and,
            UnmetNeed::brief),
        wheel.contents().size(),
        compiledBytes);
  }

  private static <T> List<String> onePerPackage(
      Stream<T> all, Function<T, String> key, BinaryOperator<T> merge, Function<T, String> text) {
    Map<String, T> merged = all.collect(toMap(key, Function.identity(), merge, LinkedHashMap::new));
    return merged.values().stream().map(text).toList();
  }

  private Entry compiled(Wheel wheel, Compilation compilation, CodeCompiler compiler)
      throws InterruptedException {
    long bytes =
        set.bytecode(compiler).of(wheel).values().stream().mapToLong(BaseLayer.Content::size).sum();
    String problem = null;
    for (SideModuleFile module : compilation.bytes.keySet()) {
      if (module.wheel().equals(wheel.title())) {
        bytes += compilation.bytes.get(module);
        problem = problem == null ? compilation.problems.get(module) : problem;
      }
    }
    return usable(wheel, problem, bytes);
  }

  /** What became of each side module: bytes of its classes, and what is wrong with it. */
  private record Compilation(
      Map<SideModuleFile, Long> bytes, Map<SideModuleFile, String> problems) {

    static Compilation of(List<SideModuleFile> modules, CodeCompiler compiler) {
      Compilation result = new Compilation(new LinkedHashMap<>(), new HashMap<>());
      for (SideModuleFile module : modules) {
        long bytes = 0;
        try {
          bytes = compiler.compile(module);
        } catch (IllegalArgumentException e) {
          result.problems.put(
              module,
              module.name() + " cannot be run here: " + e.getMessage() + "; use another version");
        }
        result.bytes.put(module, bytes);
      }
      compiler
          .undefined(modules)
          .forEach(
              (module, names) ->
                  result.problems.put(
                      module,
                      module.name()
                          + " needs "
                          + some(names)
                          + ", which neither Python nor a library here has; use a build for this"
                          + " Pyodide, or add the library"));
      return result;
    }

    private static String some(List<String> names) {
      String shown =
          names.stream()
              .limit(SHOWN)
              .map(BadPackagingException::quoted)
              .collect(Collectors.joining(", "));
      int more = names.size() - SHOWN;
      return more > 0 ? shown + " and " + more + " more" : shown;
    }
  }

  /** Writes the chosen versions down. */
  public Path lock(Path folder) throws IOException {
    if (set.chosen().isEmpty()) {
      throw new IllegalArgumentException(
          folder + " holds no usable wheel; there is nothing to lock");
    }
    StringBuilder text =
        new StringBuilder("# Written by 'pyrunr wheels lock'; delete it to choose anew.\n");
    for (Wheel wheel : set.chosen()) {
      text.append(wheel.name())
          .append("==")
          .append(wheel.version())
          .append(" \\\n    --hash=sha256:")
          .append(wheel.sha256())
          .append('\n');
    }
    Path file = folder.resolve(Pins.LOCK);
    WholeFile.write(file, out -> out.write(text.toString().getBytes(UTF_8)));
    return file;
  }
}
