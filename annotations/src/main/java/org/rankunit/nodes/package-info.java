/** On which nodes of a cluster the ranks of a test run. */
@NullMarked
package org.rankunit.nodes;

import org.jspecify.annotations.NullMarked;
