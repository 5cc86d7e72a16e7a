package io.pyrunr.dist;

import java.util.Map;

/**
 * The addresses a Pyodide main module was linked to and the versions it carries. Addresses are byte
 * offsets into linear memory, table figures are entries.
 *
 * @param pyodideVersion such as {@code 0.29.3}
 * @param pythonVersion such as {@code 3.13.2}
 * @param abi platform tag of its wheels, such as {@code pyodide_2025_0}
 * @param memoryBase first byte of static data
 * @param stackLow lowest address of the C stack
 * @param stackHigh initial {@code __stack_pointer}; the C stack grows down from here
 * @param heapBase first byte that {@code malloc} may use
 * @param initialPages 64 KiB pages the memory starts with
 * @param tableSize entries of the function table, those for {@code GOT.func} symbols included
 * @param importedGlobals initial value of each imported global that is left, keyed {@code
 *     module.name}
 * @param functionsPerClass how many compiled functions share a class, in order of index
 * @param wasmSha256 SHA-256 of upstream's {@code pyodide.asm.wasm}, hexadecimal
 * @param buildKey SHA-256 of everything the compiled module was made from, tool chain included
 */
public record Layout(
    String pyodideVersion,
    String pythonVersion,
    String abi,
    int memoryBase,
    int stackLow,
    int stackHigh,
    int heapBase,
    int initialPages,
    int tableSize,
    Map<String, Integer> importedGlobals,
    int functionsPerClass,
    String wasmSha256,
    String buildKey) {}
