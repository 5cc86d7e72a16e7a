package io.pyrunr.dist;

import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.CodeSection;
import com.dylibso.chicory.wasm.types.CustomSection;
import com.dylibso.chicory.wasm.types.DataCountSection;
import com.dylibso.chicory.wasm.types.DataSection;
import com.dylibso.chicory.wasm.types.ElementSection;
import com.dylibso.chicory.wasm.types.ExportSection;
import com.dylibso.chicory.wasm.types.FunctionBody;
import com.dylibso.chicory.wasm.types.FunctionSection;
import com.dylibso.chicory.wasm.types.GlobalSection;
import com.dylibso.chicory.wasm.types.ImportSection;
import com.dylibso.chicory.wasm.types.MemorySection;
import com.dylibso.chicory.wasm.types.Section;
import com.dylibso.chicory.wasm.types.SectionId;
import com.dylibso.chicory.wasm.types.StartSection;
import com.dylibso.chicory.wasm.types.TableSection;
import com.dylibso.chicory.wasm.types.TagSection;
import com.dylibso.chicory.wasm.types.TypeSection;
import java.io.ByteArrayInputStream;
import java.util.List;

/**
 * Reads a module whose functions are JVM classes already: all of it but their bodies, and without
 * the checks that the build has made. Chicory's own reader takes a digest of the whole file and
 * validates 14,000 empty bodies, a fifth of the time from process start to first result.
 */
public final class ModuleShape {
  private static final FunctionBody NO_BODY = new FunctionBody(List.of(), List.of());

  private final WasmModule.Builder module = WasmModule.builder().withValidation(false);

  private ModuleShape() {}

  /** Reads a binary without code, as {@code ModuleWriter.writeWithoutCode} leaves it. */
  public static WasmModule read(byte[] wasm) {
    Parser.Builder parser = Parser.builder().withValidation(false);
    for (int section = SectionId.CUSTOM; section <= SectionId.TAG; section++) {
      if (section != SectionId.CODE) {
        parser.includeSectionId(section);
      }
    }
    ModuleShape shape = new ModuleShape();
    parser.build().parse(new ByteArrayInputStream(wasm), shape::add);
    return shape.module.build();
  }

  private void add(Section section) {
    switch (section.sectionId()) {
      case SectionId.CUSTOM -> {
        CustomSection custom = (CustomSection) section;
        module.addCustomSection(custom.name(), custom);
      }
      case SectionId.TYPE -> module.setTypeSection((TypeSection) section);
      case SectionId.IMPORT -> module.setImportSection((ImportSection) section);
      case SectionId.FUNCTION -> {
        FunctionSection functions = (FunctionSection) section;
        module.setFunctionSection(functions);
        module.setCodeSection(noCode(functions.functionCount()));
      }
      case SectionId.TABLE -> module.setTableSection((TableSection) section);
      case SectionId.MEMORY -> module.setMemorySection((MemorySection) section);
      case SectionId.GLOBAL -> module.setGlobalSection((GlobalSection) section);
      case SectionId.EXPORT -> module.setExportSection((ExportSection) section);
      case SectionId.START -> module.setStartSection((StartSection) section);
      case SectionId.ELEMENT -> module.setElementSection((ElementSection) section);
      case SectionId.DATA -> module.setDataSection((DataSection) section);
      case SectionId.DATA_COUNT -> module.setDataCountSection((DataCountSection) section);
      case SectionId.TAG -> module.setTagSection((TagSection) section);
      default -> throw new IllegalArgumentException("a section of kind " + section.sectionId());
    }
  }

  private static CodeSection noCode(int functions) {
    CodeSection.Builder code = CodeSection.builder();
    for (int i = 0; i < functions; i++) {
      code.addFunctionBody(NO_BODY);
    }
    return code.build();
  }
}
