@NullMarked
package org.rankunit.collective.yaml;

import org.jspecify.annotations.NullMarked;
