package io.pyrunr.dist.internal;

import io.pyrunr.wasm.internal.ToolChain;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.jvm.MethodSizes;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How large the compiled functions are, and which were split. */
final class SizeReport {
  /** HotSpot compiles no larger method unless told to: {@code HugeMethodLimit}. */
  static final int HUGE = 8_000;

  /** Methods that may be larger, with the reason. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          "_PyUnicode_ToNumeric",
          "a search in 1,900 constants, run once per character that is numeric and not a digit");

  private static final Pattern FUNCTION = Pattern.compile("func_(\\d+)\\(.*");

  private final ToolChain.Result result;
  private final Map<String, Integer> sizes = new TreeMap<>();
  private final Map<Integer, String> names = new HashMap<>();

  private SizeReport(ToolChain.Result result) {
    this.result = result;
  }

  static SizeReport of(ToolChain.Result result, Map<String, byte[]> classes) {
    SizeReport report = new SizeReport(result);
    for (IrModule.Export export : result.module().exports()) {
      if (export.kind() == IrModule.Kind.FUNCTION) {
        report.names.putIfAbsent(export.index(), export.name());
      }
    }
    classes.forEach(
        (name, file) ->
            MethodSizes.of(file)
                .forEach(
                    (method, size) -> {
                      if (FUNCTION.matcher(method).matches()) {
                        report.sizes.put(method, size);
                      }
                    }));
    return report;
  }

  private String nameOf(String method) {
    Matcher matcher = FUNCTION.matcher(method);
    if (!matcher.matches()) {
      return method;
    }
    // The compiled module has one function import more than upstream's.
    int position = Integer.parseInt(matcher.group(1));
    String name = names.get(position - addedImports());
    return name == null ? "func_" + position : name;
  }

  private String reason(String method) {
    return ALLOWED.get(nameOf(method));
  }

  private int addedImports() {
    return result.module().addedImportCount();
  }

  private List<Map.Entry<String, Integer>> bySize() {
    List<Map.Entry<String, Integer>> all = new ArrayList<>(sizes.entrySet());
    all.sort(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()));
    return all;
  }

  /** Fails the build if a method is too large for HotSpot's compilers and not allowed to be. */
  void check() {
    List<String> huge =
        bySize().stream()
            .filter(entry -> entry.getValue() > HUGE && reason(entry.getKey()) == null)
            .map(entry -> nameOf(entry.getKey()) + " (" + entry.getValue() + ")")
            .toList();
    if (!huge.isEmpty()) {
      throw new BuildFailure(
          huge.size()
              + " functions have more than "
              + HUGE
              + " bytes of bytecode and would never be compiled by HotSpot: "
              + String.join(", ", huge.subList(0, Math.min(20, huge.size())))
              + "; split them smaller or allow each with a reason in SizeReport");
    }
  }

  String summary() {
    Map.Entry<String, Integer> largest = bySize().get(0);
    int parts = result.split().stream().mapToInt(FunctionSplitter.Report::parts).sum();
    return String.format(
        "%d functions split into %d more, none interpreted, largest method %s with %d bytes",
        result.split().size(), parts, nameOf(largest.getKey()), largest.getValue());
  }

  String text() {
    StringBuilder text = new StringBuilder(summary()).append("\n\nFunctions split (estimates)\n");
    for (FunctionSplitter.Report report : result.split()) {
      text.append(
          String.format(
              "%-48s %6d bytes -> host %5d, %3d parts, largest %5d%n",
              names.getOrDefault(report.function(), "func_" + report.function()),
              report.before(),
              report.host(),
              report.parts(),
              report.largestPart()));
    }
    text.append("\nLargest methods (bytes of bytecode)\n");
    for (Map.Entry<String, Integer> entry : bySize().subList(0, Math.min(60, sizes.size()))) {
      String allowed = entry.getValue() > HUGE ? " (allowed: " + reason(entry.getKey()) + ")" : "";
      text.append(String.format("%6d %s%s%n", entry.getValue(), nameOf(entry.getKey()), allowed));
    }
    return text.toString();
  }
}
