/** Has golden models computed in a JVM of their own, and ends it. */
@NullMarked
package org.rankunit.engine.model;

import org.jspecify.annotations.NullMarked;
