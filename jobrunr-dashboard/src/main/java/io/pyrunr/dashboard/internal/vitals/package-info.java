/** What the process uses of the machine. */
package io.pyrunr.dashboard.internal.vitals;
