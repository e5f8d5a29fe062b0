@NullMarked
package org.rankunit.pe.config;

import org.jspecify.annotations.NullMarked;
