/** Passes over wasm modules, one class each. What they are for and in which order: ToolChain. */
package io.pyrunr.wasm.internal.pass;
