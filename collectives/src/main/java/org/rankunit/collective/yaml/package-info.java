/** Reads YAML files strictly: every error has its place in the file. */
@NullMarked
package org.rankunit.collective.yaml;

import org.jspecify.annotations.NullMarked;
