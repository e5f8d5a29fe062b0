/** Reads {@code topology.yaml} and {@code ccl.yaml}. */
@NullMarked
package org.rankunit.distributed.pe.config;

import org.jspecify.annotations.NullMarked;
