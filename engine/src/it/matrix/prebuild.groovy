// Makes a module of each cell. The profile 'matrix' says which file lists them; without it, it is the ordinary one.
def list = new File(basedir, binding.hasVariable('cells') ? cells : 'invoker.properties').text
def asked = (list =~ /(?m)^cell\.\d+ = (junit-(\S+)-surefire-(\S+))$/).collect { it.drop(1) }

asked.each { cell, junit, surefire ->
    def folder = new File(basedir, cell)
    folder.mkdirs()
    new File(folder, 'pom.xml').text = """\
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <parent>
            <groupId>org.example</groupId>
            <artifactId>matrix</artifactId>
            <version>1</version>
          </parent>
          <artifactId>$cell</artifactId>
          <properties>
            <junit.version>$junit</junit.version>
            <surefire.version>$surefire</surefire.version>
          </properties>
        </project>
        """.stripIndent()
}
def pom = new File(basedir, 'pom.xml')
pom.text = pom.text.replace('<modules/>', "<modules>${asked.collect { "<module>${it[0]}</module>" }.join()}</modules>")
return true
