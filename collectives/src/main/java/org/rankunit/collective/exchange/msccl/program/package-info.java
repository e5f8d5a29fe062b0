/** The program of a file, checked. */
@NullMarked
package org.rankunit.collective.exchange.msccl.program;

import org.jspecify.annotations.NullMarked;
