package io.pyrunr.wasm.internal.jvm;

/**
 * A mutable global that compiled code keeps in a field of {@link
 * io.pyrunr.wasm.runtime.LinearMemory}.
 *
 * @param field the field's name
 * @param descriptor its JVM type: I, J, F or D
 */
public record GlobalRegister(String field, char descriptor) {}
