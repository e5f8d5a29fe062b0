/** Messages between the parent and its ranks, and the channel that carries them. This is the only package that both sides use. */
@NullMarked
package org.rankunit.engine.control;

import org.jspecify.annotations.NullMarked;
