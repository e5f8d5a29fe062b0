package org.rankunit.cli.collective;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a file could not be used; messages of the file system are often its name alone. */
final class Reasons {

    private Reasons() {}

    static String of(IOException e, Path place) {
        if (e instanceof NoSuchFileException) {
            return "it does not exist.";
        }
        if (e instanceof AccessDeniedException) {
            return "access is denied.";
        }
        if (e instanceof FileAlreadyExistsException) {
            return e.getMessage() + " is not a folder.";
        }
        if (e instanceof CharacterCodingException) {
            return "it is not UTF-8 text.";
        }
        return Files.isDirectory(place) ? "it is a folder." : String.valueOf(e.getMessage());
    }
}
