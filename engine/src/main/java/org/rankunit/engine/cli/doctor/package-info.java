/** Is this machine fit for tests? One class for each thing that is looked at. */
@NullMarked
package org.rankunit.engine.cli.doctor;

import org.jspecify.annotations.NullMarked;
