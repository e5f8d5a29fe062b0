/** Draws a schedule: who sends what to whom when, and what each chunk of each rank holds then. */
@NullMarked
package org.rankunit.collective.picture;

import org.jspecify.annotations.NullMarked;
