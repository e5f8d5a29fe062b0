import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.ModuleTest.xml'))
assert suite.@tests == '2'
assert suite.@failures == '0'
assert suite.@errors == '0'
assert suite.@skipped == '0'

def report = new JsonSlurper().parse(new File(basedir, 'target/rankunit/report.json'))
assert report.tests*.name == ['ModuleTest.aRankHasEverythingOnItsClassPath']
assert report.tests*.ranks*.outcome == [['passed', 'passed']]
