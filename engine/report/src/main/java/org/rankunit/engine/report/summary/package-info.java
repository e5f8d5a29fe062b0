/** What reports say in short: for a console, for a page of Markdown, and for GitHub. */
@NullMarked
package org.rankunit.engine.report.summary;

import org.jspecify.annotations.NullMarked;
