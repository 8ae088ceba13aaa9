import { spawnSync } from 'node:child_process';
import { pathToWorking } from './working-program.ts';

/** A project of several units that a tool builds; its check needs all of them. */
export type WarmProject = {
  /** Shell text that succeeds where its tools are installed. */
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  /** Shell command by which you install packages once in the checkout. */
  readonly install?: string;
  /** Shell command by which you build in the checkout again and again. */
  readonly build: string;
  readonly gate: string;
  /** Matches a built unit in the tool's output. */
  readonly unit: RegExp;
  /** Paths of the build folder. */
  readonly keep: readonly string[];
  /** Path of a source file, with its text and a text with which the check fails. */
  readonly source: string;
  readonly right: string;
  readonly wrong: string;
  /** Path and text of a new file, and of a file that needs it. */
  readonly helper: readonly [path: string, text: string];
  readonly user: readonly [path: string, text: string];
  /** Set if all units are built each time, because the gate can't use earlier builds. */
  readonly buildsAll?: true;
};

const UNITS = [1, 2, 3, 4, 5, 6];
const all = (text: (unit: number) => string, by = '') => UNITS.map(text).join(by);
const filesOf = (path: (unit: number) => string, text: (unit: number) => string) =>
  Object.fromEntries(UNITS.map((unit) => [path(unit), text(unit)]));
const TSC = `${process.execPath} ${new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname}`;

const CARGO = `${pathToWorking('cargo')}cargo`;

const C_MAIN = (helper = '') =>
  `${all((unit) => `int u${unit}(void);\n`)}${helper === '' ? '' : 'int helper(void);\n'}int main(void) { return ${all((unit) => `u${unit}()`, ' + ')}${helper} == 6 ? 0 : 1; }\n`;
const C = {
  ...{ source: 'src/u3.c', right: 'int u3(void) { return 1; }\n', wrong: 'int u3(void) { return 2; }\n' },
  helper: ['src/helper.c', 'int helper(void) { return 0; }\n'],
} as const;
const C_FILES = {
  ...filesOf(
    (unit) => `src/u${unit}.c`,
    (unit) => `int u${unit}(void) { return 1; }\n`,
  ),
  'src/main.c': C_MAIN(),
  '.gitignore': 'build/\n',
};
const MAKEFILE = (more = '') =>
  `OBJECTS = build/main.o ${all((unit) => `build/u${unit}.o`, ' ')}${more}\ntest: build/app\n\t./build/app\nbuild/app: $(OBJECTS)\n\tcc -o $@ $^\nbuild/%.o: src/%.c\n\tmkdir -p build\n\tcc -c -o $@ $<\n`;
const CMAKE = (more = '') =>
  `cmake_minimum_required(VERSION 3.10)\nproject(app C)\nadd_executable(app src/main.c ${all((unit) => `src/u${unit}.c`, ' ')}${more})\n`;
const RUST_APP = (helper = '') =>
  `${helper === '' ? '' : 'mod helper;\n'}#[test]\nfn sum() { assert_eq!(${all((unit) => `u${unit}::one()`, ' + ')}${helper}, 6); }\n`;
const JAVA_MAIN = (helper = '') =>
  `class Main { public static void main(String[] a) { System.exit(${all((unit) => `U${unit}.one()`, ' + ')}${helper} == 6 ? 0 : 1); } }\n`;
const TS_OPTIONS = { lib: ['es5'], types: [], module: 'commonjs', skipLibCheck: true };
const TS_CONFIG = (references: readonly string[]) =>
  JSON.stringify({
    // The types of browsers would take most of the time, so they are left out.
    compilerOptions: { ...TS_OPTIONS, composite: true, outDir: 'dist', rootDir: '.' },
    include: ['*.ts'],
    exclude: ['dist'],
    references: references.map((path) => ({ path })),
  });
const TS_MAIN = (helper = '') =>
  `${all((unit) => `import { one as u${unit} } from '../u${unit}/index';\n`)}${helper === '' ? '' : "import { helper } from './helper';\n"}if (${all((unit) => `u${unit}`, ' + ')}${helper} !== 6) throw new Error('not 6');\n`;
const PY_TEST = (helper = '') =>
  `${all((unit) => `from u${unit} import one as u${unit}\n`)}${helper === '' ? '' : 'from helper import helper\n'}def test_sum():\n    assert ${all((unit) => `u${unit}()`, ' + ')}${helper} == 6\n`;
const GO_MAIN = (helper = '') =>
  `package app\nimport (\n"testing"\n${all((unit) => `"app/u${unit}"\n`)})\nfunc TestSum(t *testing.T) { if ${all((unit) => `u${unit}.One()`, ' + ')}${helper} != 6 { t.Fatal("not 6") } }\n`;
const NPM_BUILD = `const fs = require('fs');
const time = (path) => (fs.existsSync(path) ? fs.statSync(path).mtimeMs : 0);
fs.mkdirSync('dist', { recursive: true });
for (const name of fs.readdirSync('src')) {
  if (time('dist/' + name) >= time('src/' + name)) continue;
  console.log('built ' + name);
  fs.writeFileSync('dist/' + name, fs.readFileSync('src/' + name));
}
`;
const NPM_MAIN = (helper = '') =>
  `const sum = ${all((unit) => `require('@x/u${unit}')`, ' + ')}${helper};\nif (sum !== 6) throw new Error('not 6');\n`;

export const WARM_PROJECTS: Readonly<Record<string, WarmProject>> = {
  make: {
    needs: 'make --version && cc --version',
    files: { ...C_FILES, Makefile: MAKEFILE() },
    ...{ build: 'make', gate: 'make test', unit: /^cc -c/gm, keep: ['build'], ...C },
    user: ['Makefile', MAKEFILE(' build/helper.o')],
  },
  cmake: {
    needs: 'cmake --version && cc --version',
    files: { ...C_FILES, 'CMakeLists.txt': CMAKE() },
    build: 'cmake -S . -B build && cmake --build build',
    gate: 'cmake -S . -B build && cmake --build build && ./build/app',
    ...{ unit: /Building C object/g, keep: ['build'], ...C },
    user: ['CMakeLists.txt', CMAKE(' src/helper.c')],
  },
  cargo: {
    needs: `${CARGO} --version`,
    files: {
      '.gitignore': 'target/\nCargo.lock\n',
      'Cargo.toml': '[workspace]\nmembers = ["app", "u*"]\nresolver = "2"\n',
      'app/Cargo.toml': `[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${all((unit) => `u${unit} = { path = "../u${unit}" }\n`)}`,
      'app/src/lib.rs': RUST_APP(),
      ...filesOf(
        (unit) => `u${unit}/Cargo.toml`,
        (unit) => `[package]\nname = "u${unit}"\nversion = "0.1.0"\nedition = "2021"\n`,
      ),
      ...filesOf(
        (unit) => `u${unit}/src/lib.rs`,
        () => 'pub fn one() -> i32 { 1 }\n',
      ),
    },
    build: `${CARGO} test --offline -p app`,
    gate: `${CARGO} test --offline -p app 2>&1`,
    ...{ unit: /Compiling/g, keep: ['target'], source: 'u3/src/lib.rs' },
    right: 'pub fn one() -> i32 { 1 }\n',
    wrong: 'pub fn one() -> i32 { 2 }\n',
    helper: ['app/src/helper.rs', 'pub fn helper() -> i32 { 0 }\n'],
    user: ['app/src/lib.rs', RUST_APP(' + helper::helper()')],
  },
  javac: {
    needs: 'javac -version && java -version',
    files: {
      '.gitignore': 'target/\n',
      'src/Main.java': JAVA_MAIN(),
      ...filesOf(
        (unit) => `src/U${unit}.java`,
        (unit) => `class U${unit} { static int one() { return 1; } }\n`,
      ),
    },
    build: 'javac -cp target/classes -d target/classes src/*.java && java -cp target/classes Main',
    gate: 'javac -verbose -cp target/classes -d target/classes src/*.java 2>&1 && java -cp target/classes Main',
    ...{ unit: /\[wrote/g, keep: ['target'], buildsAll: true as const, source: 'src/U3.java' },
    right: 'class U3 { static int one() { return 1; } }\n',
    wrong: 'class U3 { static int one() { return 2; } }\n',
    helper: ['src/Helper.java', 'class Helper { static int helper() { return 0; } }\n'],
    user: ['src/Main.java', JAVA_MAIN(' + Helper.helper()')],
  },
  'tsc -b': {
    needs: `${TSC} --version`,
    files: {
      '.gitignore': 'dist/\n*.tsbuildinfo\n',
      'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'app' }] }),
      'app/tsconfig.json': TS_CONFIG(UNITS.map((unit) => `../u${unit}`)),
      'app/main.ts': TS_MAIN(),
      ...filesOf(
        (unit) => `u${unit}/tsconfig.json`,
        () => TS_CONFIG([]),
      ),
      ...filesOf(
        (unit) => `u${unit}/index.ts`,
        () => 'export const one: number = 1;\n',
      ),
      'run.cjs': `const Module = require('module');\nconst resolve = Module._resolveFilename;\nModule._resolveFilename = (name, ...rest) => resolve(/^\\.\\.\\/u\\d\\/index$/.test(name) ? __dirname + '/' + name.slice(3, 5) + '/dist/index.js' : name, ...rest);\nrequire('./app/dist/main.js');\n`,
    },
    build: `${TSC} -b`,
    gate: `${TSC} -b -v && node run.cjs`,
    ...{ unit: /Building project/g, keep: ['app/dist', 'u*/dist', '*.tsbuildinfo'], source: 'u3/index.ts' },
    right: 'export const one: number = 1;\n',
    wrong: 'export const one: number = 2;\n',
    helper: ['app/helper.ts', 'export const helper: number = 0;\n'],
    user: ['app/main.ts', TS_MAIN(' + helper')],
  },
  'npm workspaces': {
    needs: 'npm --version',
    files: {
      '.gitignore': 'node_modules/\ndist/\n',
      'package.json': JSON.stringify({
        ...{ name: 'x', private: true, workspaces: ['packages/*'] },
        scripts: { build: 'npm run build --workspaces' },
      }),
      ...filesOf(
        (unit) => `packages/u${unit}/package.json`,
        (unit) =>
          JSON.stringify({
            ...{ name: `@x/u${unit}`, version: '1.0.0', main: 'dist/index.js' },
            scripts: { build: 'node ../../build.cjs' },
          }),
      ),
      ...filesOf(
        (unit) => `packages/u${unit}/src/index.js`,
        () => 'module.exports = 1;\n',
      ),
      ...{ 'build.cjs': NPM_BUILD, 'test.cjs': NPM_MAIN() },
    },
    install: 'npm install --offline --no-audit --no-fund',
    build: 'npm run build',
    gate: 'npm run build && node test.cjs',
    ...{ unit: /^built/gm, keep: ['packages/*/dist'], source: 'packages/u3/src/index.js' },
    ...{ right: 'module.exports = 1;\n', wrong: 'module.exports = 2;\n' },
    helper: ['packages/u3/src/helper.js', 'module.exports = 0;\n'],
    user: ['test.cjs', NPM_MAIN(" + require('@x/u3/dist/helper.js')")],
  },
  pytest: {
    needs: 'python3 -m pytest --version',
    files: {
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
      'test_sum.py': PY_TEST(),
      ...filesOf(
        (unit) => `u${unit}.py`,
        () => 'def one():\n    return 1\n',
      ),
    },
    ...{ build: 'python3 -m pytest -q', gate: 'python3 -m pytest -q', unit: /^$^/g, keep: ['__pycache__'] },
    ...{ source: 'u3.py', right: 'def one():\n    return 1\n', wrong: 'def one():\n    return 2\n' },
    helper: ['helper.py', 'def helper():\n    return 0\n'],
    user: ['test_sum.py', PY_TEST(' + helper()')],
  },
  go: {
    needs: 'go version',
    files: {
      '.gitignore': 'bin/\n',
      'go.mod': 'module app\n\ngo 1.18\n',
      'app_test.go': GO_MAIN(),
      ...filesOf(
        (unit) => `u${unit}/one.go`,
        (unit) => `package u${unit}\nfunc One() int { return 1 }\n`,
      ),
    },
    ...{ build: 'go test ./...', gate: 'go test ./...', unit: /^$^/g, keep: ['bin'], source: 'u3/one.go' },
    right: 'package u3\nfunc One() int { return 1 }\n',
    wrong: 'package u3\nfunc One() int { return 2 }\n',
    helper: ['helper.go', 'package app\nfunc helper() int { return 0 }\n'],
    user: ['app_test.go', GO_MAIN(' + helper()')],
  },
};

/** Returns projects whose tools are installed, or those whose tools aren't. */
export function warmProjects(here: boolean): [string, WarmProject][] {
  return Object.entries(WARM_PROJECTS).filter(
    ([, { needs }]) => (spawnSync('sh', ['-c', needs]).status === 0) === here,
  );
}
