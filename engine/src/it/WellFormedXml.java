import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/** Parses every XML file that the downstream projects wrote, whatever their tests said; run by the build after all of them. */
final class WellFormedXml {

    private WellFormedXml() {}

    /** Take the folders of the projects; those of a profile that is not active do not exist. */
    public static void main(String[] folders) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // JaCoCo names one for its report that is not there; a file is well-formed or not without it.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        DocumentBuilder parser = factory.newDocumentBuilder();
        parser.setErrorHandler(new DefaultHandler());
        List<String> broken = new ArrayList<>();
        int read = 0;
        for (String folder : folders) {
            for (Path file : xmlFilesBelow(Path.of(folder))) {
                try {
                    parser.parse(file.toFile());
                    read++;
                } catch (SAXException e) {
                    broken.add(file + ": " + e);
                }
            }
        }
        if (!broken.isEmpty() || read == 0) {
            throw new IllegalStateException("of " + (read + broken.size()) + " XML files these are not well-formed:\n"
                    + String.join("\n", broken));
        }
        System.out.println(read + " XML files are well-formed");
    }

    private static List<Path> xmlFilesBelow(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".xml") && Files.isRegularFile(file))
                    .toList();
        }
    }
}
