/** The program of a file, checked. */
@NullMarked
package org.rankunit.coll.exchange.msccl.program;

import org.jspecify.annotations.NullMarked;
