/** Reads the report that a JVM writes when native code makes it crash. */
@NullMarked
package org.rankunit.engine.launch.local.crash;

import org.jspecify.annotations.NullMarked;
