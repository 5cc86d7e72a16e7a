/**
 * A small intermediate form of wasm modules: sections as lists, function bodies as trees in which a
 * branch points to the block it leaves. Passes change it in place; writing it back gives the same
 * bytes for the same input.
 */
package io.pyrunr.wasm.internal.ir;
