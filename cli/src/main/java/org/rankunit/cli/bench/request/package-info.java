/** What {@code rankunit bench} is asked to measure: its options, read and checked. */
@NullMarked
package org.rankunit.cli.bench.request;

import org.jspecify.annotations.NullMarked;
