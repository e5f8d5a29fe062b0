package org.rankunit.collective.yaml;

/**
 * Where something is in a file.
 *
 * @param line from 1 on
 * @param column from 1 on
 */
record YamlPlace(String file, int line, int column) {

    YamlException error(String message) {
        return new YamlException(file + ", line " + line + ", column " + column + ": " + message);
    }
}
