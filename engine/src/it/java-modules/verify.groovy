import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

new File(basedir, 'target').listFiles().each { folder ->
    def suite = new XmlSlurper().parse(new File(folder, 'surefire-reports/TEST-org.example.ModularTest.xml'))
    assert suite.@tests == '2'
    assert suite.@failures == '0'
    assert suite.@errors == '0'
    assert suite.@skipped == '0'

    def report = new JsonSlurper().parse(new File(folder, 'rankunit/report.json'))
    assert report.tests*.name == ['ModularTest.aRankHasEverythingOnItsClassPath']
    assert report.tests[0].ranks*.outcome == ['passed', 'passed']
}
// A module that is named to a rank, and that it does not have, would be warned of; so would a jar without a module's name.
def log = new File(basedir, 'build.log').text
assert !log.contains('WARNING: Unknown module')
assert !log.contains("Can't extract module name")
assert new File(basedir, 'target').listFiles().length == 2
