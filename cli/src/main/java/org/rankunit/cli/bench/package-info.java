/** Measures collectives on ranks that are processes of their own: what is measured, the ranks, and how results are shown. */
@NullMarked
package org.rankunit.cli.bench;

import org.jspecify.annotations.NullMarked;
