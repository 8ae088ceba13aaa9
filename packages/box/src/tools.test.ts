/** @module-tag installs */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxesOf, isWholeBox } from '../../../test/helpers/boxed.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../../../test/helpers/repository.ts';

/** What a project does with a tool: fetch what it depends on, build, test. Nothing of it goes to the network. */
type Tool = {
  readonly name: string;
  /** Programs that have to be installed; without them the case is skipped. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Runs outside before, as what is fetched has to be there. */
  readonly before?: string;
  readonly run: string;
};

const DEPENDENCY = { 'dep/package.json': '{"name":"dep","version":"1.0.0"}' };
const PACKED = 'npm pack --silent ./dep';
const PACKAGE = '{"name":"a","scripts":{"test":"node -e 1"},"dependencies":{"dep":"file:dep-1.0.0.tgz"}}';
/** A wheel of Python is an archive that contains a list of its own files. */
const WHEEL = {
  'src/dep.py': '',
  'src/dep-1.0.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: dep\nVersion: 1.0.0\n',
  'src/dep-1.0.0.dist-info/WHEEL':
    'Wheel-Version: 1.0\nGenerator: a\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  'src/dep-1.0.0.dist-info/RECORD': 'dep.py,,\ndep-1.0.0.dist-info/RECORD,,\n',
};
const PACK_WHEEL =
  'mkdir wheels && cd src && python3 -m zipfile -c ../wheels/dep-1.0.0-py3-none-any.whl dep.py dep-1.0.0.dist-info';
/** Java takes the home folder from the list of users. */
const OF_JAVA = 'export JAVA_TOOL_OPTIONS="-Duser.home=$HOME"';

const TOOLS: readonly Tool[] = [
  {
    name: 'npm',
    needs: ['npm'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE },
    before: PACKED,
    run: 'npm install && npm ci && npm test',
  },
  {
    name: 'npx, and a package that is built with node-gyp',
    needs: ['npx'],
    files: {
      'dep/package.json': '{"name":"dep","version":"1.0.0","bin":"b.js"}',
      'dep/b.js': '#!/usr/bin/env node\n',
    },
    before: PACKED,
    run: 'npx --yes ./dep-1.0.0.tgz',
  },
  {
    name: 'pnpm',
    needs: ['npm', 'pnpm'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE },
    before: PACKED,
    run: 'pnpm install --offline && pnpm test',
  },
  {
    name: 'yarn',
    needs: ['npm', 'yarn'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE, 'yarn.lock': '' },
    before: PACKED,
    run: 'yarn install && yarn test',
  },
  {
    name: 'pip',
    needs: ['/usr/bin/python3'],
    files: WHEEL,
    before: PACK_WHEEL,
    run: '[ -d .venv ] || /usr/bin/python3 -m venv .venv; .venv/bin/pip install --no-index --find-links wheels dep && .venv/bin/python -c "import dep"',
  },
  { name: 'uv', needs: ['uv'], files: {}, run: 'uv venv && touch "$(uv cache dir)/x"' },
  {
    name: 'cargo',
    needs: ['cargo'],
    files: {
      'dep/Cargo.toml': '[package]\nname = "dep"\nversion = "1.0.0"\n',
      'dep/src/lib.rs': '',
      'Cargo.toml':
        '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\ndep = { git = "file://REPOSITORY/dep" }\n',
      'src/main.rs': 'fn main() {}\n#[test]\nfn t() {}\n',
    },
    before: 'git -C dep init -q && git -C dep add . && git -C dep commit -qm dep',
    run: 'cargo build && cargo test',
  },
  {
    name: 'go',
    needs: ['go'],
    files: { 'go.mod': 'module a\n', 'a.go': 'package main\nfunc main() {}\n' },
    run: 'go build -o a . && go vet . && go test ./... && mkdir -p "$(go env GOMODCACHE)/cache"',
  },
  {
    name: 'maven, with its wrapper',
    needs: ['java', 'mvn'],
    files: {
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><packaging>pom</packaging></project>',
    },
    run: `${OF_JAVA}; mvn -o -q validate`,
  },
  {
    name: 'gradle, with its wrapper',
    needs: ['java', 'gradle'],
    files: { 'build.gradle': 'task hello { doLast { println "hi" } }\n' },
    run: `${OF_JAVA}; gradle --offline hello`,
  },
  {
    name: 'pre-commit',
    needs: ['pre-commit'],
    files: {
      '.pre-commit-config.yaml':
        'repos: [{repo: local, hooks: [{id: a, name: a, entry: "true", language: system}]}]\n',
    },
    run: 'pre-commit run --all-files',
  },
];

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** The environment of a user who starts here for the first time. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(npm|pnpm|yarn|cargo|go|xdg)_/i.test(name),
  );
  // On this machine rustup installed its toolchains in your home folder, which the test's own hides.
  return { RUSTUP_HOME: join(userInfo().homedir, '.rustup'), ...Object.fromEntries(others), HOME: home };
}

/** Returns all files in a folder, by their paths in it. */
function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(relative(folder, entry.parentPath), entry.name))
    .sort();
}

describe.skipIf(!isWholeBox).each([
  ['who never used it', false],
  ['who has used it here', true],
] as const)('a tool in the box of a gate and of an agent of a user %s', (_, isWarm) => {
  for (const { name, needs, files, before, run } of TOOLS) {
    const missing = needs.filter((program) => !isThere(program));
    const title = missing.length === 0 ? name : `${name} (not installed: ${missing.join(', ')})`;
    it.skipIf(missing.length > 0)(title, () => {
      const home = temporaryFolder();
      const { root } = makeRepository(files);
      const fill = (text: string) => text.replaceAll('REPOSITORY', root);
      for (const [file, content] of Object.entries(files)) repositoryAt(root).write(file, fill(content));
      const env = environmentOf(home);
      const outside = (command: string) =>
        spawnSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' });
      if (before !== undefined) outside(before);
      if (isWarm) expect(outside(run)).toMatchObject({ status: 0 });
      const there = contents(home);
      const inBox = boxesOf(root, { home, env });
      // The gates run before any agent does, so they are tried first.
      for (const role of ['gate', 'agent'] as const) {
        const { code, output } = inBox(role, run);
        expect(code, `${role}: ${output}`).toBe(0);
      }
      expect(contents(home)).toEqual(there);
    });
  }
});
