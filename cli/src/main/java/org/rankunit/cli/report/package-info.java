/** What the command {@code rankunit report} reads and prints. */
@NullMarked
package org.rankunit.cli.report;

import org.jspecify.annotations.NullMarked;
