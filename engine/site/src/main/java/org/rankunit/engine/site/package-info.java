/** What a site of ranks offers: devices, a folder that ranks see, and a launcher. This machine is one, a job of Slurm another. */
@NullMarked
package org.rankunit.engine.site;

import org.jspecify.annotations.NullMarked;
