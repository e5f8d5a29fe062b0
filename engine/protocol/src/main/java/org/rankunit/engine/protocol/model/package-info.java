/** One call of a golden model: what it is told about its rank, and what takes its inputs and outputs. */
@NullMarked
package org.rankunit.engine.protocol.model;

import org.jspecify.annotations.NullMarked;
