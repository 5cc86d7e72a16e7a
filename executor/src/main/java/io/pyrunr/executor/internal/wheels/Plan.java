package io.pyrunr.executor.internal.wheels;

import java.util.List;

/**
 * The wheels that some requirements lead to, and what is missing for them.
 *
 * @param wheels in the order they were found
 * @param problems one message each; empty if the wheels are complete
 */
record Plan(List<Wheel> wheels, List<String> problems) {}
