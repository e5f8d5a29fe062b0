/** Single-operator mode for algorithms that work on windows. */
@NullMarked
package org.rankunit.coll.algorithms.staged;

import org.jspecify.annotations.NullMarked;
