/**
 * {@code pyrunr soak}: many jobs of all kinds, good and hostile, and a look at what they leave
 * behind.
 */
package io.pyrunr.dashboard.internal.soak;
