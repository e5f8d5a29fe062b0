@NullMarked
package org.rankunit.graph;

import org.jspecify.annotations.NullMarked;
