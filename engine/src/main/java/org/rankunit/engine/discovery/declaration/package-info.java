/** Reads the annotations of a device test, and finds mistakes in them. */
@NullMarked
package org.rankunit.engine.discovery.declaration;

import org.jspecify.annotations.NullMarked;
