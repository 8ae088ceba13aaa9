/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { detectBox } from 'ralph-box';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { always, attempts, claim, makeProject, type ProjectFiles, withoutBox } from '../helpers/cli.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';
const TSC = `${process.execPath} ${new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname}`;
const has = (command: string) => spawnSync('sh', ['-c', command]).status === 0;

type SetUp = {
  /** Shell text that succeeds where its tools are installed. */
  readonly needs?: string;
  readonly files: ProjectFiles;
  /** Shell text: what you did in the checkout. Nothing of it is committed. */
  readonly prepare: string;
  /** The gate passes where the copy can use it, and nothing is built anew. */
  readonly gate: string;
};

const SET_UPS: Readonly<Record<string, SetUp>> = {
  make: {
    needs: 'make --version',
    files: { '.gitignore': 'out\n', 'in.txt': 'in\n', Makefile: 'out: in.txt\n\tcp in.txt out\n' },
    prepare: 'make',
    gate: 'make -q out && cmp in.txt out',
  },
  'CMake, whose cache holds the path': {
    needs: 'cmake --version',
    files: {
      '.gitignore': 'build/\n',
      'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.10)\nproject(app C)\nadd_executable(app main.c)\n',
      'main.c': 'int main(void) { return 0; }\n',
    },
    prepare: 'cmake -S . -B build && cmake --build build',
    gate: 'cmake --build build > said 2>&1; s=$?; cat said; ! grep -q Building said && test $s -eq 0 && ./build/app',
  },
  'a virtual environment, with a package of the project': {
    needs: 'python3 --version',
    files: { '.gitignore': '.venv/\n__pycache__/\n', 'src/mine/__init__.py': 'VALUE = 1\n' },
    prepare:
      'python3 -m venv --without-pip .venv && for one in .venv/lib/python*/site-packages; do echo "$PWD/src" > "$one/mine.pth"; done',
    gate: 'test "$(.venv/bin/python -c "import sys; print(sys.prefix)")" = "$PWD/.venv" && test "$(.venv/bin/python -c "import mine; print(mine.__file__)")" = "$PWD/src/mine/__init__.py"',
  },
  'pip install -e': {
    needs: 'python3 -c "import ensurepip, setuptools, venv, wheel"',
    files: {
      '.gitignore': '.venv/\n__pycache__/\n*.egg-info/\n',
      'pyproject.toml':
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "mine"\nversion = "1"\n[project.scripts]\nmine = "mine:main"\n[tool.setuptools.packages.find]\nwhere = ["src"]\n',
      'src/mine/__init__.py': 'def main():\n    print(__file__)\n',
    },
    prepare:
      'python3 -m venv --system-site-packages .venv && .venv/bin/pip install --quiet --no-index --no-build-isolation -e .',
    gate: 'test "$(.venv/bin/mine)" = "$PWD/src/mine/__init__.py" && .venv/bin/pip install --quiet --no-index --no-build-isolation -e . && test "$(.venv/bin/mine)" = "$PWD/src/mine/__init__.py"',
  },
  'tsc -b': {
    files: {
      '.gitignore': 'dist/\n*.tsbuildinfo\n',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { composite: true, outDir: 'dist', rootDir: 'lib', types: [] },
        include: ['lib'],
      }),
      'lib/a.ts': 'export const a = 1;\n',
    },
    prepare: `${TSC} -b`,
    gate: `${TSC} -b --dry | grep -q 'is up to date' && node -e "import('$PWD/dist/a.js')"`,
  },
  'npm, with a package of a folder and a program of it': {
    files: {
      '.gitignore': 'node_modules/\n',
      'package.json': JSON.stringify({ name: 'x', private: true, dependencies: { left: 'file:./left' } }),
      'left/package.json': JSON.stringify({ name: 'left', version: '1.0.0', bin: 'bin.js', main: 'bin.js' }),
      'left/bin.js': '#!/usr/bin/env node\nmodule.exports = 1;\n',
    },
    prepare: 'npm install --offline --no-audit --no-fund && git add -A . && git commit -qm lock',
    gate: 'node -e "require(\'left\')" && node_modules/.bin/left',
  },
  'npm workspaces': {
    files: {
      '.gitignore': 'node_modules/\n',
      'package.json': JSON.stringify({ name: 'x', private: true, workspaces: ['packages/*'] }),
      'packages/a/package.json': JSON.stringify({ name: '@x/a', version: '1.0.0', main: 'index.js' }),
      'packages/a/index.js': 'module.exports = 1;\n',
    },
    prepare: 'npm install --offline --no-audit --no-fund && git add -A . && git commit -qm lock',
    gate: 'node -e "require(\'@x/a\')"',
  },
  pnpm: {
    needs: 'pnpm --version',
    files: {
      '.gitignore': 'node_modules/\n',
      'package.json': JSON.stringify({ name: 'x', private: true, dependencies: { left: 'file:./left' } }),
      'left/package.json': JSON.stringify({ name: 'left', version: '1.0.0', bin: 'bin.js', main: 'bin.js' }),
      'left/bin.js': '#!/usr/bin/env node\nmodule.exports = 1;\n',
    },
    prepare: 'pnpm install --offline && git add -A . && git commit -qm lock',
    gate: 'node -e "require(\'left\')" && node_modules/.bin/left && pnpm install --offline --frozen-lockfile && pnpm exec left',
  },
  'vite, whose cache lies in node_modules': {
    needs: 'vite --version',
    files: {
      '.gitignore': 'node_modules/\ndist/\n',
      'package.json': JSON.stringify({ name: 'x', private: true, dependencies: { left: '1.0.0' } }),
      'index.html': '<script type="module" src="/main.js"></script>\n',
      'rename.cjs':
        "const { existsSync, renameSync } = require('fs');\nconst deps = 'node_modules/.vite/deps';\nif (existsSync(deps)) renameSync(deps, deps + '_old');\n",
      'main.js': "import one from 'left';\nconsole.log(one);\n",
    },
    prepare:
      'mkdir -p node_modules/left && cd node_modules/left && echo \'{ "name": "left", "version": "1.0.0" }\' > package.json && echo "module.exports = 1;" > index.js && cd ../.. && vite optimize && vite build && test -d node_modules/.vite/deps',
    // vite renames its folder when it finds one more package, which fails below a layer.
    gate: 'node rename.cjs && vite optimize --force && test -e node_modules/.vite/deps/left.js && vite build && grep -rq console dist/assets',
  },
  cargo: {
    needs: 'cargo --version',
    files: {
      '.gitignore': 'target/\n',
      'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "app"\nversion = "0.1.0"\n',
      'src/main.rs': 'fn main() {}\n',
    },
    prepare: 'cargo build --offline',
    gate: 'cargo build --offline > said 2>&1; s=$?; cat said; ! grep -q Compiling said && test $s -eq 0',
  },
  'a local database and settings': {
    needs: 'python3 --version',
    files: { '.gitignore': '.env\ndata.sqlite\n' },
    prepare:
      "echo KEY=1 > .env && python3 -c \"import sqlite3; c = sqlite3.connect('data.sqlite'); c.execute('create table t (x)'); c.commit()\"",
    gate: 'test "$(cat .env)" = KEY=1 && python3 -c "import sqlite3; c = sqlite3.connect(\'data.sqlite\'); c.execute(\'insert into t values (1)\'); c.commit()"',
  },
};

/** Returns the ignored files with their content. */
const ignoredIn = (root: string) =>
  spawnSync(
    'sh',
    ['-c', "git ls-files -z -oi --exclude-standard -- . ':!.ralph' | sort -z | xargs -0 sha256sum"],
    {
      cwd: root,
      encoding: 'utf8',
    },
  ).stdout;

afterEach(() => vi.unstubAllEnvs());

describe.skipIf(!isWhole).each(['on', 'off'])('with layers %s', (layers) => {
  const [here, missing] = [true, false].map((wanted) =>
    Object.entries(SET_UPS).filter(([, { needs }]) => (needs === undefined || has(needs)) === wanted),
  );
  it.skip.each(missing ?? [])('%s: its program is not installed', () => undefined);
  it.each(here ?? [])('%s works in a copy, and nothing is built anew', (_name, setUp) => {
    vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');
    const project = makeProject({
      ...setUp.files,
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = [{ name = "works", run = "sh works.sh" }]\n`,
      'works.sh': `set -e\n${setUp.gate}\n`,
      '.ralph/scenario.json': always(
        { action: 'write', path: 'new.txt', content: 'x\n' },
        claim('new.txt:1'),
      ),
    });
    const { root } = project;
    const prepared = spawnSync('sh', ['-ec', setUp.prepare], { cwd: root, encoding: 'utf8' });
    expect(prepared.status, prepared.stdout + prepared.stderr).toBe(0);
    const before = ignoredIn(root);
    const { code, stdout, stderr } = project.ralph('run');
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('All checks pass: works');
    expect(ignoredIn(root)).toBe(before);
    expect(project.exists('new.txt')).toBe(true);
  });

  const ADDING = Object.entries({
    npm: ['npm install --offline --no-audit --no-fund', 'npm install --offline --no-audit --no-fund ./right'],
    pnpm: ['pnpm install --offline', 'pnpm add --offline ./right'],
  } as const);
  it.each(ADDING.filter(([name]) => has(`${name} --version`)))(
    '%s: what a task adds is installed for the ones after it, in the next run, too',
    (_name, [install, add]) => {
      vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');
      const bin = '#!/usr/bin/env node\nmodule.exports = 1;\n';
      const manifest = (name: string) =>
        JSON.stringify({ name, version: '1.0.0', bin: 'bin.js', main: 'bin.js' });
      const done = [{ action: 'write', path: '{task}.txt', content: 'x\n' }, claim('{task}.txt:1')];
      const project = makeProject({
        '.gitignore': 'node_modules/\n',
        '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n- [ ] **T-3** Three\n',
        '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = ["sh works.sh"]\n`,
        '.ralph/scenario.json': JSON.stringify({
          steps: [{ when: { task: 'T-1' }, do: [{ action: 'shell', command: add }, ...done] }],
          otherwise: done,
        }),
        'package.json': JSON.stringify({ name: 'x', private: true, dependencies: { left: 'file:./left' } }),
        'left/package.json': manifest('left'),
        'left/bin.js': bin,
        'right/package.json': manifest('right'),
        'right/bin.js': bin,
        'works.sh':
          'set -e\nnode_modules/.bin/left\nif grep -q right package.json; then node -e "require(\'right\')"; fi\n',
      });
      const made = spawnSync('sh', ['-ec', `${install} && git add -A . && git commit -qm lock`], {
        cwd: project.root,
        encoding: 'utf8',
      });
      expect(made.status, made.stdout + made.stderr).toBe(0);
      const first = project.ralph('run', '--max-iterations', '2');
      expect(first.stdout + first.stderr).toContain('2 of 3 tasks done');
      const { code, stdout, stderr } = project.ralph('run');
      expect(code, stdout + stderr).toBe(0);
      // The agent's installation didn't reach the checkout.
      expect(project.exists('node_modules/right')).toBe(false);
    },
  );

  it('what you built from an edit that is not committed is built anew in a copy of an earlier run', () => {
    vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');
    const project = makeProject({
      '.gitignore': 'out\n',
      'in.txt': 'in\n',
      '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n',
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = ["cmp in.txt out || test in.txt -nt out"]\n`,
      '.ralph/scenario.json': always(
        { action: 'write', path: '{task}.txt', content: 'x\n' },
        claim('{task}.txt:1'),
      ),
    });
    const write = (name: string, text: string, year: string) => {
      project.write(name, text);
      utimesSync(project.path(name), new Date(year), new Date(year));
    };
    write('in.txt', 'in\n', '2020');
    write('out', 'in\n', '2021');
    expect(project.ralph('run', '--task', 'T-1').code).toBe(0);
    write('in.txt', 'mine\n', '2022');
    write('out', 'mine\n', '2023');
    const { code, stdout, stderr } = project.ralph('run', '--task', 'T-2');
    expect(code, stdout + stderr).toBe(0);
    expect(project.read('in.txt')).toBe('mine\n');
  });

  it.skipIf(!has('cargo --version'))(
    'cargo builds in a second attempt what the first one left unbuilt',
    () => {
      vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');
      const build = 'cargo build --offline 2>> target/said';
      const setUp = SET_UPS.cargo as SetUp;
      const project = makeProject({
        ...setUp.files,
        '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = ["sh works.sh"]\n`,
        'works.sh': `${build} && test "$(grep -c Compiling target/said)" -le 1\n`,
        '.ralph/scenario.json': attempts(
          [
            { action: 'write', path: 'src/main.rs', content: 'fn main() { println!("1"); }\n' },
            { action: 'shell', command: build },
          ],
          [
            { action: 'write', path: 'new.txt', content: 'x\n' },
            { action: 'shell', command: build },
            claim('new.txt:1'),
          ],
        ),
      });
      const { root } = project;
      expect(spawnSync('sh', ['-ec', setUp.prepare], { cwd: root }).status).toBe(0);
      const { code, stdout, stderr } = project.ralph('run');
      expect(code, stdout + stderr).toBe(0);
      expect(project.iterations()).toEqual([1, 2]);
      expect(project.git('status', '--porcelain', '--', 'src', 'new.txt')).toBe('');
    },
  );

  it('a server that runs on your checkout is reached from the copy', async () => {
    vi.stubEnv('RALPH_LAYERS', layers === 'off' ? 'off' : '');
    const server = createServer((_, response) => response.end('served'));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const project = makeProject({
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[gates]\ncommands = [{ name = "works", run = "node get.mjs" }]\n`,
      'get.mjs': `const got = await fetch('http://127.0.0.1:${port}/');\nprocess.exit((await got.text()) === 'served' ? 0 : 1);\n`,
      '.ralph/scenario.json': always(
        { action: 'write', path: 'new.txt', content: 'x\n' },
        claim('new.txt:1'),
      ),
    });
    const { code, stdout, stderr } = await project.start('run').ended;
    server.close();
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('All checks pass: works');
  });
});

it('an installation that fails takes nothing from the copy, so that gates run with what the checkout has', () => {
  const project = makeProject({
    '.ralph/ralph.toml':
      '[gates]\nsetup = "rm -rf node_modules && false"\n[[gates.commands]]\nname = "test"\nrun = "node test.cjs"\n',
    '.gitignore': 'node_modules/\n',
    'package-lock.json': '{ "lockfileVersion": 3 }\n',
    'test.cjs': "require('one');\n",
  });
  project.write('package-lock.json', '{ "lockfileVersion": 3, "packages": {} }\n');
  project.write('test.cjs', "require('one');\nconsole.log('more');\n");
  project.commitAll('more');
  project.write('node_modules/one/index.js', '');
  const { gates } = project.json('verify', 'HEAD~1..HEAD');
  expect(gates).toMatchObject([{ name: 'test', before: 'passed', after: 'passed' }]);
});

describe('without a box', () => {
  withoutBox();

  it('what git ignores is in the copy, and names the copy where it names your checkout', () => {
    const project = makeProject({
      '.gitignore': 'node_modules/\n.env\n.venv/\n',
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\n[git]\ncommit = "on_done"\n[gates]\ncommands = [{ name = "works", run = "sh works.sh" }]\n',
      'works.sh':
        'test "$(cat .env)" = KEY=1 && node -e "require(\'left\')" && grep -qF "venv $PWD/.venv" .venv/pyvenv.cfg\n',
      '.ralph/scenario.json': always(
        { action: 'write', path: 'new.txt', content: 'x\n' },
        { action: 'shell', command: 'echo // >> node_modules/left/index.js' },
        claim('new.txt:1'),
      ),
    });
    project.write('.env', 'KEY=1\n');
    project.write('node_modules/left/index.js', 'module.exports = 1;\n');
    project.write('.venv/pyvenv.cfg', `command = python3 -m venv ${project.root}/.venv\n`);
    const { code, stdout, stderr } = project.ralph('run');
    expect(project.read('.venv/pyvenv.cfg')).toContain(`venv ${project.root}/.venv`);
    expect(project.read('node_modules/left/index.js')).toBe('module.exports = 1;\n');
    expect(code, stdout + stderr).toBe(0);
  });
});
