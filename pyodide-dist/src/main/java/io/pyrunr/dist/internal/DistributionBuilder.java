package io.pyrunr.dist.internal;

import com.dylibso.chicory.wasm.Parser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.pyrunr.dist.Layout;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.wasm.internal.ToolChain;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ModuleWriter;
import io.pyrunr.wasm.internal.jvm.ModuleCompiler;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes this module's generated part out of an unpacked npm package {@code pyodide}: transforms and
 * compiles its wasm module and copies what is shipped as it is.
 *
 * <p>Run by the build: {@code DistributionBuilder PINS_DIR BUILD_DIR [PYODIDE_DIR]}.
 */
public final class DistributionBuilder {
  private static final String MACHINE = PyodideDistribution.MACHINE_CLASS;
  private static final Path RESOURCES = Path.of("io", "pyrunr", "dist");
  private static final List<String> SHIPPED = List.of("python_stdlib.zip", "pyodide-lock.json");
  private static final String WASM = "pyodide.asm.wasm";

  private final Path source;
  private final Path classes;
  private final Path reportFile;

  private DistributionBuilder(Path source, Path build) {
    this.source = source;
    this.classes = build.resolve("classes");
    this.reportFile = build.resolve("pyodide-dist.txt");
  }

  public static void main(String[] args) throws IOException {
    try {
      Path build = Path.of(args[1]);
      Path given = args.length > 2 && !args[2].isBlank() ? Path.of(args[2]) : null;
      Path source = new Upstream(Path.of(args[0])).folder(given, build.resolve("npm"));
      new DistributionBuilder(source, build).build();
    } catch (BuildFailure e) {
      System.err.println("pyodide-dist: " + e.getMessage());
      System.exit(1);
    }
  }

  private void build() throws IOException {
    byte[] wasm = Files.readAllBytes(source.resolve(WASM));
    BuildKey key = BuildKey.of(wasm, SHIPPED.stream().map(source::resolve).toList());
    Path keyFile = reportFile.resolveSibling("pyodide-dist.key");
    if (Files.exists(keyFile) && Files.readString(keyFile).equals(key.text())) {
      return; // nothing changed since the last build
    }
    Files.deleteIfExists(keyFile);
    long start = System.nanoTime();
    ToolChain.Result result =
        ToolChain.transformMain(
            ModuleReader.read(wasm),
            FunctionSplitter.Sizes.DEFAULT,
            Opcodes.of(Files.readAllBytes(source.resolve("python_stdlib.zip"))));
    IrModule module = result.module();
    byte[] transformed = ModuleWriter.write(module);
    Files.write(reportFile.resolveSibling("pyodide.transformed.wasm"), transformed);
    long passed = System.nanoTime();
    ModuleCompiler.Compiled compiled =
        ModuleCompiler.compile(Parser.parse(transformed), MACHINE, result.fields());
    SizeReport report = SizeReport.of(result, compiled.classes());
    Files.writeString(reportFile, report.text());
    report.check();
    removeClasses(compiled.classes().keySet());
    for (Map.Entry<String, byte[]> file : compiled.classes().entrySet()) {
      write(Path.of(file.getKey().replace('.', '/') + ".class"), file.getValue());
    }
    write(RESOURCES.resolve("pyodide.meta.wasm"), ModuleWriter.writeWithoutCode(module));
    for (String name : SHIPPED) {
      write(RESOURCES.resolve(name), Files.readAllBytes(source.resolve(name)));
    }
    ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    write(
        RESOURCES.resolve("layout.json"),
        json.writeValueAsBytes(
            layout(result, key, compiled.functionsPerClass(), transformed, json)));
    Files.writeString(keyFile, key.text());
    System.out.printf(
        "pyodide-dist: %s in %d ms, compiled in %d ms%n",
        report.summary(), (passed - start) / 1_000_000, (System.nanoTime() - passed) / 1_000_000);
  }

  private Layout layout(
      ToolChain.Result result,
      BuildKey key,
      int functionsPerClass,
      byte[] transformed,
      ObjectMapper json)
      throws IOException {
    JsonNode npm = json.readTree(source.resolve("package.json").toFile());
    JsonNode info = json.readTree(source.resolve("pyodide-lock.json").toFile()).path("info");
    Map<String, Integer> globals = new TreeMap<>();
    globals.put("env.__stack_pointer", result.link().stackHigh());
    return new Layout(
        npm.path("version").asText(),
        info.path("python").asText(),
        "pyodide_" + info.path("abi_version").asText(),
        result.link().memoryBase(),
        result.link().stackLow(),
        result.link().stackHigh(),
        result.link().heapBase(),
        initialPages(result),
        result.link().tableSize(),
        globals,
        functionsPerClass,
        key.wasmSha256(),
        BuildKey.sha256(transformed),
        key.text());
  }

  private static int initialPages(ToolChain.Result result) {
    return result.module().imports(IrModule.Kind.MEMORY).get(0).limitMinimum();
  }

  /** What an earlier build left in the packages of these classes would end in the jar. */
  private void removeClasses(Set<String> names) throws IOException {
    Set<Path> folders = new TreeSet<>();
    names.forEach(name -> folders.add(classes.resolve(name.replace('.', '/')).getParent()));
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (DirectoryStream<Path> stale = Files.newDirectoryStream(folder, "*.class")) {
        for (Path file : stale) {
          Files.delete(file);
        }
      }
    }
  }

  private void write(Path name, byte[] bytes) throws IOException {
    Path file = classes.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
