package org.rankunit.engine.config;

/** Thrown when the configuration is invalid. The message names the key, the value, and what is allowed. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigurationException(String message) {
        super(message);
    }

    /** Returns an exception that says what is allowed instead of a key's value. */
    public static ConfigurationException of(ConfigKey key, String value, String allowed) {
        return new ConfigurationException(key.key() + " = \"" + value + "\": " + allowed);
    }
}
