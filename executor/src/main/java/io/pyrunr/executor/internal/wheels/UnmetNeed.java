package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.packaging.Requirement;

/**
 * A requirement of a chosen wheel that no chosen wheel meets.
 *
 * @param by whose it is
 * @param reason what is there instead, and who wants that
 * @param remedy what to do
 */
record UnmetNeed(Wheel by, Requirement requirement, String reason, String remedy) {

  /** There is no wheel of the package at all. */
  static UnmetNeed absent(Wheel by, Requirement requirement) {
    return new UnmetNeed(
        by, requirement, "it is not there", "drop a wheel of " + requirement.name());
  }

  /** Without whose it is, where that is said already. */
  String brief() {
    return requirement + " (" + reason + "; " + remedy + ")";
  }

  /** One line for people. */
  @Override
  public String toString() {
    return by.title() + " needs " + requirement + ", but " + reason + "; " + remedy;
  }
}
