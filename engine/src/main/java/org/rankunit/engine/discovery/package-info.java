/** Finds device tests by asking Jupiter, and mirrors them into this engine's tree. */
@NullMarked
package org.rankunit.engine.discovery;

import org.jspecify.annotations.NullMarked;
