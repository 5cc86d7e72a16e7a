package io.pyrunr.wasm;

import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import io.pyrunr.wasm.ir.DylinkSection;
import io.pyrunr.wasm.ir.IrModule;
import io.pyrunr.wasm.ir.ModuleReader;
import io.pyrunr.wasm.ir.ModuleWriter;
import io.pyrunr.wasm.ir.WasmFormatException;
import io.pyrunr.wasm.jvm.MainModule;
import io.pyrunr.wasm.jvm.ModuleCompiler;
import io.pyrunr.wasm.jvm.Signature;
import io.pyrunr.wasm.pass.FunctionSplitter;
import java.util.Map;

/**
 * Makes JVM classes of a side module, a {@code .so} file of a wheel, that call the main module's
 * functions directly.
 */
public final class SideModuleCompiler {
  private SideModuleCompiler() {}

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
   * @param main the main module it will be loaded into
   * @throws WasmFormatException if this is no side module, or has what we cannot run; the message
   *     says what
   */
  public static Compiled compile(byte[] wasm, String machine, MainModule main) {
    IrModule module = ModuleReader.read(wasm);
    DylinkSection.of(module);
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
