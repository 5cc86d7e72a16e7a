package io.pyrunr.wasm;

import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import io.pyrunr.wasm.format.WasmFormatException;
import io.pyrunr.wasm.internal.ToolChain;
import io.pyrunr.wasm.internal.ir.IrModule;
import io.pyrunr.wasm.internal.ir.ModuleReader;
import io.pyrunr.wasm.internal.ir.ModuleWriter;
import io.pyrunr.wasm.internal.jvm.MainModule;
import io.pyrunr.wasm.internal.jvm.ModuleCompiler;
import io.pyrunr.wasm.internal.pass.split.FunctionSplitter;
import io.pyrunr.wasm.types.Signature;
import java.util.Map;

/**
 * Makes JVM classes of side modules, the {@code .so} files of wheels, that call the main module's
 * functions directly. Immutable and thread-safe.
 */
public final class SideModuleCompiler {
  private final MainModule main;

  /**
   * Compiles for a main module.
   *
   * @param main the module; its function bodies are not needed
   * @param machine binary name of the class that runs it
   * @param functionsPerClass how many of its functions are in one class
   */
  public SideModuleCompiler(WasmModule main, String machine, int functionsPerClass) {
    this.main = new MainModule(main, machine, functionsPerClass);
  }

  /**
   * A compiled side module.
   *
   * @param module its types, imports, exports, table and data as a wasm binary without code
   * @param machine binary name of the class that runs it
   * @param classes class files by binary name; {@link Signature} classes are left out, since
   *     modules that call each other have to share them
   */
  public record Compiled(byte[] module, String machine, Map<String, byte[]> classes) {}

  /**
   * Compiles a module. Needs a thread with a large stack, for code that is nested deeply.
   *
   * @param wasm the file's bytes
   * @param machine binary name for the class that runs the module
   * @throws WasmFormatException if this is no side module, or has what we cannot run; the message
   *     says what
   */
  public Compiled compile(byte[] wasm, String machine) {
    IrModule module = ModuleReader.read(wasm);
    module.dylink();
    ToolChain.Result result = ToolChain.transformSide(module, FunctionSplitter.Sizes.DEFAULT);
    WasmModule transformed;
    ModuleCompiler.Compiled compiled;
    try {
      transformed = Parser.parse(ModuleWriter.write(module));
      compiled = ModuleCompiler.compile(transformed, machine, result.fields(), main);
    } catch (ChicoryException e) {
      throw new WasmFormatException(e.getMessage(), e);
    }
    Map<String, byte[]> classes = compiled.classes();
    classes.keySet().removeIf(Signature::isClassName);
    return new Compiled(ModuleWriter.writeWithoutCode(module), machine, classes);
  }
}
