package io.pyrunr.dashboard.internal.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as text: Markdown tables, which read well in a terminal too. */
final class BenchTable {
  private final StringBuilder text = new StringBuilder();

  private BenchTable() {}

  static String of(BenchReport report) {
    BenchTable table = new BenchTable();
    report
        .environment()
        .forEach((name, value) -> table.line(name + ": " + (value.isEmpty() ? "none" : value)));
    table.comparison("Small programs, warm", report.python());
    if (report.scientific() != null) {
      table.scientific(report.scientific());
    }
    table.latencies(report);
    table.stops(report);
    table.starts(report);
    table.memory(report);
    return table.text.toString();
  }

  private void comparison(String title, Comparison comparison) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("ms, best run"));
    head.addAll(comparison.engines().keySet());
    head.add("first run of ours");
    boolean ratios = comparison.timesNode() != null;
    if (ratios) {
      head.add("ours / Node");
    }
    rows.add(head);
    comparison
        .engines()
        .get(Comparison.OURS)
        .forEach(
            (name, ours) -> {
              List<String> row = new ArrayList<>(List.of(name));
              comparison.engines().values().forEach(all -> row.add(number(all.get(name).bestMs())));
              row.add(number(ours.firstMs()));
              if (ratios) {
                row.add(number(comparison.timesNode().get(name)));
              }
              rows.add(row);
            });
    section(title, rows);
    if (ratios) {
      line("Geometric mean of ours / Node: " + number(comparison.timesNodeMean()));
    }
  }

  private void scientific(Scientific scientific) {
    comparison("numpy and pandas, warm", scientific.programs());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ms", "engine", "median", "least", "runs"));
    for (Scientific.Start start : scientific.starts()) {
      rows.add(
          List.of(
              start.job(),
              start.engine(),
              number(start.time().medianMs()),
              number(start.time().leastMs()),
              Integer.toString(start.time().runs())));
    }
    section("Start of the process to the result of a job that imports", rows);
    line(
        "'import pandas' in a job where it is preloaded: "
            + number(scientific.preloadedImportMs())
            + " ms.");
  }

  private void latencies(BenchReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("ms, p50 / p99", "engine", "whole job", "run", "restore", "pages copied", "jobs"));
    for (JobLatency row : report.latencies()) {
      boolean restores = row.restoreP50Ms() != null;
      rows.add(
          List.of(
              row.job(),
              row.engine(),
              pair(row.wholeP50Ms(), row.wholeP99Ms()),
              pair(row.runP50Ms(), row.runP99Ms()),
              restores ? pair(row.restoreP50Ms(), row.restoreP99Ms()) : "none",
              restores ? number(row.pagesPerJob()) : "",
              Integer.toString(row.jobs())));
    }
    section("One job, warm", rows);
    line(
        "Copying %d MiB of memory whole: %s ms."
            .formatted(BenchReport.COPIED_BYTES >> 20, number(report.wholeCopyMs())));
    if (report.nodeNewInterpreterMs() != null) {
      line(
          "Node isolates nothing with a fresh dict; another Pyodide in the same process takes it "
              + number(report.nodeNewInterpreterMs())
              + " ms.");
    }
  }

  private void stops(BenchReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ms after the stop was due", "stop", "median", "most", "runs"));
    for (StopTime stop : report.stops()) {
      rows.add(
          List.of(
              stop.job(),
              stop.stop(),
              number(stop.medianMs()),
              number(stop.mostMs()),
              Integer.toString(stop.runs())));
    }
    section("Jobs without end", rows);
  }

  private void starts(BenchReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ms", "median", "least", "runs"));
    for (Map.Entry<String, StartTime> start : report.starts().entrySet()) {
      StartTime time = start.getValue();
      rows.add(
          List.of(
              start.getKey(),
              number(time.medianMs()),
              number(time.leastMs()),
              Integer.toString(time.runs())));
    }
    section("Start of the process to the result of 1+1", rows);
  }

  private void memory(BenchReport report) {
    if (report.memory() == null) {
      line("");
      line("Resident memory is measured on Linux only.");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("MB", "interpreters", "resident", "heap in use"));
    for (ResidentMemory row : report.memory()) {
      rows.add(
          List.of(
              row.engine(),
              Integer.toString(row.interpreters()),
              number(row.residentMb()),
              row.heapMb() == null ? "" : number(row.heapMb())));
    }
    section("Memory of a process, after garbage collection", rows);
    report.memory().stream()
        .map(ResidentMemory::engine)
        .distinct()
        .forEach(engine -> eachFurther(engine, report.memory()));
  }

  private void eachFurther(String engine, List<ResidentMemory> memory) {
    List<ResidentMemory> own = memory.stream().filter(row -> row.engine().equals(engine)).toList();
    ResidentMemory first = own.get(0);
    ResidentMemory last = own.get(own.size() - 1);
    double each =
        (last.residentMb() - first.residentMb()) / (last.interpreters() - first.interpreters());
    line("Each further interpreter of " + engine + ": " + number(each) + " MB.");
  }

  private void section(String title, List<List<String>> rows) {
    line("");
    line("## " + title);
    line("");
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    row(rows.get(0), widths);
    StringBuilder rule = new StringBuilder("|");
    for (int width : widths) {
      rule.append("-".repeat(width + 2)).append('|');
    }
    line(rule.toString());
    rows.subList(1, rows.size()).forEach(row -> row(row, widths));
  }

  private void row(List<String> cells, int[] widths) {
    StringBuilder row = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      boolean number =
          !cells.get(i).isEmpty() && Character.isDigit(cells.get(i).charAt(0)) && i > 0;
      row.append(' ').append(number ? padding + cells.get(i) : cells.get(i) + padding).append(" |");
    }
    line(row.toString());
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String pair(double p50, double p99) {
    return number(p50) + " / " + number(p99);
  }

  /** Three significant digits, as many as a timing deserves. */
  static String number(double value) {
    String form = value < 1 ? "%.3f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, form, value);
  }
}
