/** Computes golden models and checks golden files before devices are leased for their tests. */
@NullMarked
package org.rankunit.engine.prepare;

import org.jspecify.annotations.NullMarked;
