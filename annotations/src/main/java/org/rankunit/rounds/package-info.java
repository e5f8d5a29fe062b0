/** Tests whose body runs several times. */
@NullMarked
package org.rankunit.rounds;

import org.jspecify.annotations.NullMarked;
