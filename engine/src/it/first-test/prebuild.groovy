// The project is what the README tells to write, word by word.
def readme = new File(basedir, '../../../../README.md').text
def files = (readme =~ /(?ms)`([^`\n]+\.(?:xml|java))`:\n\n^```(?:xml|java)\n(.*?)^```/).collect { [it[1], it[2]] }.collectEntries()
assert files.keySet() == ['pom.xml', 'src/test/java/org/example/FirstTest.java'] as Set

files.each { name, text ->
    def file = new File(basedir, name)
    file.parentFile.mkdirs()
    file.text = text
}
return true
