import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.WrongOnOneRankTest.xml'))
assert suite.@tests == '2'
assert suite.@failures.toInteger() + suite.@errors.toInteger() == 1
def failed = suite.testcase.find { it.@name.text().startsWith('theLastRankComputesOneWrongValue') }
def told = failed.failure.text()
def log = new File(basedir, 'build.log').text

[told, log].each { text ->
    assert text.contains('rank 1')
    assert text.contains('[5]')
    assert text.contains('expected 5.0')
    assert text.contains('was 55.0')
}

def report = new JsonSlurper().parse(new File(basedir, 'target/rankunit/report.json'))
def test = report.tests.find { it.result == 'failed' }
assert test.ranks*.outcome == ['passed', 'failed']
