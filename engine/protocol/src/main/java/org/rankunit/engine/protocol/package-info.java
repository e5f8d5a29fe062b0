/** The messages between the parent and its ranks; {@code wire} carries them. Both sides use these two packages alone. */
@NullMarked
package org.rankunit.engine.protocol;

import org.jspecify.annotations.NullMarked;
