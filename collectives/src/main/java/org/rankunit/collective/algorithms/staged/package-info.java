/** Single-operator mode for algorithms that work on windows. */
@NullMarked
package org.rankunit.collective.algorithms.staged;

import org.jspecify.annotations.NullMarked;
