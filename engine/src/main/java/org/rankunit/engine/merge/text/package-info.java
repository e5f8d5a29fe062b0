/** Every sentence that a user reads about the result of a test. Decides nothing: {@code merge} says what to put into words. */
@NullMarked
package org.rankunit.engine.merge.text;

import org.jspecify.annotations.NullMarked;
