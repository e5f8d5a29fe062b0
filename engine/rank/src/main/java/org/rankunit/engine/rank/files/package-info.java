/** The files that a rank shares with the parent and with the other ranks, whether or not its node sees them. */
@NullMarked
package org.rankunit.engine.rank.files;

import org.jspecify.annotations.NullMarked;
