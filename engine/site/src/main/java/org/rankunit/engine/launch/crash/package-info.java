/** What a JVM that crashed in native code says of itself, with the lines of the user's sources. */
@NullMarked
package org.rankunit.engine.launch.crash;

import org.jspecify.annotations.NullMarked;
