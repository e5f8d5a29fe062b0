import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def folders = new File(basedir, 'target').listFiles()
assert folders*.name.sort() == ['jna-5.19.1', 'jna-5.6.0']
for (folder in folders) {
    def suite = new XmlSlurper().parse(new File(folder, 'surefire-reports/TEST-org.example.OwnVersionsTest.xml'))
    assert suite.@tests == '2'
    assert suite.@failures == '0'
    assert suite.@errors == '0'
    assert suite.@skipped == '0'

    def report = new JsonSlurper().parse(new File(folder, 'rankunit/report.json'))
    assert report.tests*.ranks*.outcome == [['passed', 'passed']]
}

// No binding of SLF4J is nothing to speak of: neither in the JVM that runs the tests nor in a rank.
def logs = [new File(basedir, 'build.log')]
new File(basedir, 'target').eachFileRecurse { if (it.name.endsWith('.log')) logs << it }
assert logs.size() > 4
assert logs.every { !it.text.contains('SLF4J') }
