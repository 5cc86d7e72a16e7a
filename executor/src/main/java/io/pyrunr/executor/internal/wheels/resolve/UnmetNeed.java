package io.pyrunr.executor.internal.wheels.resolve;

import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.Wheel;

/**
 * A requirement of a chosen wheel that no chosen wheel meets.
 *
 * @param by whose it is
 * @param reason what is there instead, and who wants that
 * @param remedy what to do
 */
public record UnmetNeed(Wheel by, Requirement requirement, String reason, String remedy) {

  /** There is no wheel of the package at all. */
  public static UnmetNeed absent(Wheel by, Requirement requirement) {
    return new UnmetNeed(
        by, requirement, "it is not there", "drop a wheel of " + requirement.name());
  }

  /** Both needs of one package, which are unmet for the same reason. */
  public UnmetNeed and(UnmetNeed same) {
    return new UnmetNeed(by, requirement.and(same.requirement), reason, remedy);
  }

  /** Without whose it is, where that is said already. */
  public String brief() {
    return requirement + " (" + reason + "; " + remedy + ")";
  }

  /** One line for people. */
  @Override
  public String toString() {
    return by.title() + " needs " + requirement + ", but " + reason + "; " + remedy;
  }
}
