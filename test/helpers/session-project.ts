/** Files of a repository with a small project for each of six ecosystems, in which an ordinary session works. */
export const SESSION_PROJECT: Readonly<Record<string, string>> = {
  '.gitignore':
    'node_modules\ndist\n__pycache__\n.venv\n*.o\nbuild\ntarget\nout\nbin\n*.class\n.pytest_cache\nc/sums\n',
  'node/package.json': `${JSON.stringify(
    {
      name: 'sums',
      version: '1.0.0',
      type: 'module',
      scripts: {
        test: 'node --test',
        build: 'mkdir -p dist && cp src/*.js dist/',
        lint: 'node --check src/sum.js',
        check: 'npm run lint && npm test',
        serve: 'node -e "setTimeout(() => {}, 50)"',
      },
    },
    null,
    2,
  )}\n`,
  'node/src/sum.js': '/** Adds two numbers. */\nexport const sum = (a, b) => a + b;\n',
  'node/test/sum.test.js':
    "import assert from 'node:assert';\nimport { it } from 'node:test';\nimport { sum } from '../src/sum.js';\n\nit('adds', () => assert.equal(sum(1, 2), 3));\n",
  'node/scripts/seed.js':
    "const count = Number(process.argv[process.argv.indexOf('--count') + 1]);\nconsole.log(JSON.stringify(Array.from({ length: count }, (_, id) => ({ id }))));\n",
  'python/pyproject.toml': '[project]\nname = "sums"\nversion = "1.0.0"\n',
  'python/sums/__init__.py': 'def add(a, b):\n    """Adds."""\n    return a + b\n',
  'python/sums/__main__.py':
    'import sys\n\nfrom sums import add\n\nprint(add(int(sys.argv[1]), int(sys.argv[2])))\n',
  'python/tests/test_sum.py': 'from sums import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
  'python/unit/test_unit.py':
    'import unittest\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 2, 3)\n',
  'python/conftest.py': '',
  'python/data.json': '{"a": 1}\n',
  'python/data.csv': 'a,1\nb,2\na,3\n',
  'python/scripts/report.py':
    "import sys\n\nwith open(sys.argv[1]) as lines:\n    print(sum(int(line.split(',')[1]) for line in lines))\n",
  'c/Makefile':
    'CC ?= cc\nCFLAGS ?= -O1\n\nsums: sums.c main.c sums.h\n\t$(CC) $(CFLAGS) -o sums sums.c main.c\n\ntest: sums\n\ttest "$$(./sums 2 3)" = 5\n\nclean:\n\trm -f sums *.o\n\n.PHONY: test clean\n',
  'c/CMakeLists.txt':
    'cmake_minimum_required(VERSION 3.10)\nproject(sums C)\nenable_testing()\nadd_executable(sums sums.c main.c)\nadd_test(NAME adds COMMAND sums 2 3)\n',
  'c/sums.h': 'int sum(int a, int b);\n',
  'c/sums.c': '#include "sums.h"\n\nint sum(int a, int b) {\n  return a + b;\n}\n',
  'c/main.c':
    '#include <stdio.h>\n#include <stdlib.h>\n\n#include "sums.h"\n\nint main(int argc, char **argv) {\n  if (argc < 3) return 0;\n  printf("%d\\n", sum(atoi(argv[1]), atoi(argv[2])));\n  return 0;\n}\n',
  'c/swap.patch':
    '--- sums.c\n+++ sums.c\n@@ -1,5 +1,5 @@\n #include "sums.h"\n \n int sum(int a, int b) {\n-  return a + b;\n+  return b + a;\n }\n',
  'c/swap.git.patch':
    'diff --git a/c/sums.c b/c/sums.c\n--- a/c/sums.c\n+++ b/c/sums.c\n@@ -1,5 +1,5 @@\n #include "sums.h"\n \n int sum(int a, int b) {\n-  return a + b;\n+  return b + a;\n }\n',
  'go/go.mod': 'module example.com/sums\n\ngo 1.19\n',
  'go/sums.go':
    '// Package sums adds.\npackage sums\n\n// Add returns the sum of two numbers.\nfunc Add(a, b int) int { return a + b }\n',
  'go/sums_test.go':
    'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("1 + 2")\n\t}\n}\n\nfunc BenchmarkAdd(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tAdd(i, 1)\n\t}\n}\n',
  'go/cmd/sums/main.go':
    'package main\n\nimport (\n\t"fmt"\n\t"os"\n\t"strconv"\n\n\t"example.com/sums"\n)\n\nfunc main() {\n\ta, _ := strconv.Atoi(os.Args[1])\n\tb, _ := strconv.Atoi(os.Args[2])\n\tfmt.Println(sums.Add(a, b))\n}\n',
  'rust/Cargo.toml': '[package]\nname = "sums"\nversion = "1.0.0"\nedition = "2021"\n',
  'rust/src/lib.rs':
    'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n',
  'rust/src/main.rs':
    'fn main() {\n    let numbers: Vec<i32> = std::env::args().skip(1).filter_map(|one| one.parse().ok()).collect();\n    println!("{}", numbers.iter().sum::<i32>());\n}\n',
  'rust/run.sh': '#!/bin/sh\necho run\n',
  'java/pom.xml':
    '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>sums</groupId>\n  <artifactId>sums</artifactId>\n  <version>1.0.0</version>\n  <packaging>pom</packaging>\n</project>\n',
  'java/src/sums/Sums.java':
    'package sums;\n\n/** Adds. */\npublic final class Sums {\n  private Sums() {}\n\n  public static int add(int a, int b) {\n    return a + b;\n  }\n}\n',
  'java/src/sums/Main.java':
    'package sums;\n\npublic final class Main {\n  private Main() {}\n\n  public static void main(String[] args) {\n    System.out.println(Sums.add(Integer.parseInt(args[0]), Integer.parseInt(args[1])));\n  }\n}\n',
  'java/test/sums/SumsTest.java':
    'package sums;\n\npublic final class SumsTest {\n  private SumsTest() {}\n\n  public static void main(String[] args) {\n    if (Sums.add(1, 2) != 3) throw new AssertionError("1 + 2");\n  }\n}\n',
};
