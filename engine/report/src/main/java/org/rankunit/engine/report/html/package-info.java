/** The report as one page for people. */
@NullMarked
package org.rankunit.engine.report.html;

import org.jspecify.annotations.NullMarked;
