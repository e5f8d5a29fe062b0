@NullMarked
package org.rankunit.distributed.pe.config;

import org.jspecify.annotations.NullMarked;
