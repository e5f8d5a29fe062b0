/** All messages that a user reads about the result of a test. It makes no decisions: {@code merge} decides what to report. */
@NullMarked
package org.rankunit.engine.merge.text;

import org.jspecify.annotations.NullMarked;
