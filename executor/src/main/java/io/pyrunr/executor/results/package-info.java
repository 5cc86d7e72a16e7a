/**
 * Where results are kept after their jobs have ended: {@link
 * io.pyrunr.executor.results.ResultStore}, and {@link io.pyrunr.executor.results.JdbcResultStore}
 * for H2 and PostgreSQL.
 */
@NullMarked
package io.pyrunr.executor.results;

import org.jspecify.annotations.NullMarked;
