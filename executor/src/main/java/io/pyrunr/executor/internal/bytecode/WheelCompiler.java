package io.pyrunr.executor.internal.bytecode;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.link.SideModule;
import io.pyrunr.executor.internal.link.SideModuleStore;
import io.pyrunr.executor.internal.link.UndefinedSymbols;
import io.pyrunr.executor.internal.wheels.CodeCompiler;
import io.pyrunr.executor.internal.wheels.SideModuleFile;
import io.pyrunr.wasm.format.WasmFormatException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compiles all that wheels hold, as jobs would, and says what their side modules lack. */
public final class WheelCompiler implements CodeCompiler {
  private final PyodideDistribution distribution;
  private final ModuleBytecode bytecode;
  private final SideModuleStore modules;

  /** Compiles for a distribution, into a cache. */
  public WheelCompiler(PyodideDistribution distribution, CacheHome cache) {
    this.distribution = distribution;
    bytecode = new ModuleBytecode(distribution);
    modules = new SideModuleStore(distribution, cache);
  }

  @Override
  public Map<String, byte[]> compile(Map<String, byte[]> sources) throws InterruptedException {
    return bytecode.compile(sources);
  }

  @Override
  public long compile(SideModuleFile module) {
    try {
      return modules.compiledBytes(module.content());
    } catch (WasmFormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public Map<SideModuleFile, List<String>> undefined(List<SideModuleFile> files) {
    Map<SideModuleFile, SideModule> compiled = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (SideModuleFile file : files) {
      names.add(file.name());
      try {
        compiled.put(file, modules.of(file.content()));
      } catch (WasmFormatException e) {
        // That it cannot be compiled has been told.
      }
    }
    UndefinedSymbols symbols =
        new UndefinedSymbols(distribution.module(), compiled.values(), names);
    Map<SideModuleFile, List<String>> undefined = new LinkedHashMap<>();
    compiled.forEach(
        (file, module) -> {
          List<String> lacking = symbols.of(module);
          if (!lacking.isEmpty()) {
            undefined.put(file, lacking);
          }
        });
    return undefined;
  }

  @Override
  public void close() {
    bytecode.close();
  }
}
