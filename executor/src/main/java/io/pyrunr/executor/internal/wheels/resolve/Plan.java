package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.wheels.archive.Wheel;
import java.util.List;

/**
 * The wheels that some requirements lead to, and what is missing for them.
 *
 * @param wheels in the order they were found
 * @param problems one message each; empty if the wheels are complete
 */
public record Plan(List<Wheel> wheels, List<String> problems) {}
