/*
 * All Java and C++ of the documentation, in one project with the pom of the README. A block is a whole file, or stands where
 * the template before it, a comment that readers do not see, says CODE:
 *
 *     <!-- code
 *     class ... { ... CODE ... }
 *     -->
 *
 * Its imports are part of what is shown.
 */
import java.nio.ByteBuffer
import java.nio.ByteOrder

def root = new File(basedir, '../../../..')
def pages = [new File(root, 'README.md')]
new File(root, 'docs').eachFileRecurse { if (it.name.endsWith('.md')) pages << it }

def write = { String name, String text ->
    def file = new File(basedir, name)
    assert !file.exists(): "${name} is in the documentation twice"
    file.parentFile.mkdirs()
    file.text = text
}

def imports = ~/(?m)^import .*;\n/
// What a file of Java declares first, which it is named after.
def declared = ~/(?m)^(?:public |final |abstract )*(?:class|record|interface|enum) (\w+)/

def java = { File page, String template, String shown ->
    def name = page.name - '.md'
    if (shown.startsWith('package ')) {
        def place = (shown =~ /^package ([\w.]+);/)[0][1].replace('.', '/')
        write("src/test/java/${place}/${(shown =~ declared)[0][1]}.java", shown)
        return
    }
    def body = template ? template.replace('CODE', shown.replaceAll(imports, '')) : shown
    assert template == null || template.contains('CODE')
    assert body =~ declared: "${page.name}: a block of Java that is no class needs a template:\n${shown}"
    def all = (shown + (template ?: '')).findAll(imports).unique()
    def place = name.toLowerCase().replace('-', '')
    write("src/test/java/org/example/${place}/${(body =~ declared)[0][1]}.java",
            "package org.example.${place};\n\n" + all.join() + '\n' + body.replaceAll(imports, ''))
}

def cpp = { String shown ->
    def kernel = shown =~ /RANKUNIT_(?:BLOCK_)?KERNEL(?:\(| int )(\w+)/
    def function = shown =~ /RANKUNIT_ORCHESTRATION_FUNCTION\((\w+)\)/
    assert kernel.find() || function.find()
    kernel.reset()
    write(kernel.find() ? "src/test/kernels/aiv/${kernel.group(1)}.cpp" : "src/test/kernels/orchestration/${function.group(1)}.cpp", shown)
}

pages.each { page ->
    def blocks = page.text =~ /(?ms)(?:^<!-- code\n(.*?)^-->\n+)?^```(java|cpp)\n(.*?)^```$/
    def found = 0
    while (blocks.find()) {
        blocks.group(2) == 'java' ? java(page, blocks.group(1), blocks.group(3)) : cpp(blocks.group(3))
        found++
    }
    // One that is indented, or says C in another way, would not be tried.
    assert found == (page.text =~ /(?im)^[ \t]*```[ \t]*(java|c|cpp|c\+\+|cxx|cc)\b/).count: page
}

// The README's own project, with the module that docs/process-groups.md adds to it.
def pom = (new File(root, 'README.md').text =~ /(?ms)^```xml\n(.*?)^```$/)[0][1]
def distributed = (new File(root, 'docs/process-groups.md').text =~ /(?ms)^```xml\n(<dependency>.*?<\/dependency>)\n```$/)[0][1]
def version = (pom =~ /<artifactId>rankunit-engine<\/artifactId>\s*<version>(.*?)<\/version>/)[0][1]
distributed = distributed.replace('<scope>', "<version>${version}</version>\n<scope>")
assert pom.count('</dependencies>') == 1
write('pom.xml', pom.replace('</dependencies>', distributed + '\n</dependencies>'))

// What the examples read, as NumPy writes it.
def npy = { String name, String type, String shape, int bytes, List numbers ->
    def file = new File(basedir, "src/test/goldens/${name}.npy")
    file.parentFile.mkdirs()
    def header = "{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }".padRight(117) + '\n'
    def data = ByteBuffer.allocate(10 + header.length() + bytes * numbers.size()).order(ByteOrder.LITTLE_ENDIAN)
    data.put([0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0] as byte[]).putShort((short) header.length()).put(header.getBytes('US-ASCII'))
    numbers.each { bytes == 2 ? data.putShort((short) it) : data.putFloat((float) it) }
    file.bytes = data.array()
}
npy('m', '<f4', '(2, 3)', 4, [1, 2, 3, 4, 5, 6])
2.times {
    npy("reduce/rank_${it}/input", '<f2', '(4,)', 2, [0x3C00, 0x4000, 0x4200, 0x4400])
    npy("reduce/rank_${it}/output", '<u2', '(4,)', 2, [0x3F80, 0x4000, 0x4040, 0x4080])
}
return true
