/** Reads {@code topology.yaml} and {@code ccl.yaml}. */
@NullMarked
package org.rankunit.pe.config;

import org.jspecify.annotations.NullMarked;
