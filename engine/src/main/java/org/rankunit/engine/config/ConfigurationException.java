package org.rankunit.engine.config;

/** A mistake in the configuration; the message names the key, the value, and what is allowed. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ConfigurationException(String message) {
        super(message);
    }

    /** Say of a key's value what is allowed instead. */
    public static ConfigurationException of(ConfigKey key, String value, String allowed) {
        return new ConfigurationException(key.key() + " = \"" + value + "\": " + allowed);
    }
}
