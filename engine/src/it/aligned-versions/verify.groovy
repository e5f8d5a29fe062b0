import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.AlignedTest.xml'))
assert suite.@tests == '2'
assert suite.@failures == '0'
assert suite.@errors == '0'
assert suite.@skipped == '0'
