/** What happened in a run, as machines are told; formats and files are in the rooms below. */
@NullMarked
package org.rankunit.engine.report;

import org.jspecify.annotations.NullMarked;
