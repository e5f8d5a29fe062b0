/** The report as JSON. */
@NullMarked
package org.rankunit.engine.report.json;

import org.jspecify.annotations.NullMarked;
