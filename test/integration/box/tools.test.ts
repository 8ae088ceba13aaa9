import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namesIn } from '../../../src/io/names-in.ts';
import { boxesOf, isWholeBox } from '../../helpers/boxed.ts';
import { makeRepository, repositoryAt, temporaryFolder } from '../../helpers/repository.ts';

/** What a project does with a tool: fetch what it depends on, build, test. Nothing of it goes to the network. */
type Tool = {
  readonly name: string;
  /** Programs without which there is nothing to try. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Runs outside before, as what is fetched has to be there. */
  readonly before?: string;
  readonly run: string;
  /** Below the home folder: not empty afterwards, outside, so that the next start finds it. */
  readonly fills: readonly string[];
  /** So are these, and empty: what was written there inside would run outside. */
  readonly keepsOut?: readonly string[];
};

const DEPENDENCY = { 'dep/package.json': '{"name":"dep","version":"1.0.0"}' };
const PACKED = 'npm pack --silent ./dep';
const PACKAGE = '{"name":"a","scripts":{"test":"node -e 1"},"dependencies":{"dep":"file:dep-1.0.0.tgz"}}';
/** Java takes the home folder from the list of users. */
const OF_JAVA = 'export JAVA_TOOL_OPTIONS="-Duser.home=$HOME"';

const TOOLS: readonly Tool[] = [
  {
    name: 'npm',
    needs: ['npm'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE },
    before: PACKED,
    run: 'npm install && npm ci && npm test',
    fills: ['.npm/_cacache'],
  },
  {
    name: 'npx, and a package that is built with node-gyp',
    needs: ['npx'],
    files: {
      'dep/package.json': '{"name":"dep","version":"1.0.0","bin":"b.js"}',
      'dep/b.js': '#!/usr/bin/env node\n',
    },
    before: PACKED,
    run: 'npx --yes ./dep-1.0.0.tgz && ls ~/.npm/_npx && touch ~/.cache/node-gyp/x',
    fills: [],
    keepsOut: ['.npm/_npx', '.cache/node-gyp'],
  },
  {
    name: 'pnpm',
    needs: ['npm', 'pnpm'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE },
    before: PACKED,
    run: 'pnpm install --offline && pnpm test && touch ~/.cache/pnpm/x ~/.cache/pnpm/dlx/x',
    fills: ['.local/share/pnpm/store'],
    keepsOut: ['.cache/pnpm/dlx'],
  },
  {
    name: 'yarn',
    needs: ['npm', 'yarn'],
    files: { ...DEPENDENCY, 'package.json': PACKAGE, 'yarn.lock': '' },
    before: PACKED,
    run: 'yarn install && yarn test',
    fills: ['.yarn/berry'],
  },
  {
    name: 'pip',
    needs: ['/usr/bin/python3'],
    files: {},
    run: '[ -d .venv ] || /usr/bin/python3 -m venv .venv; .venv/bin/pip list && touch "$(.venv/bin/pip cache dir)/x"',
    fills: ['.cache/pip'],
  },
  { name: 'uv', needs: ['uv'], files: {}, run: 'uv venv && touch "$(uv cache dir)/x"', fills: ['.cache/uv'] },
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
    fills: ['.cargo/git'],
  },
  {
    name: 'go',
    needs: ['go'],
    files: { 'go.mod': 'module a\n', 'a.go': 'package main\nfunc main() {}\n' },
    run: 'go build -o a . && go vet . && go test ./... && mkdir -p "$(go env GOMODCACHE)/cache"',
    fills: ['.cache/go-build', 'go/pkg'],
  },
  {
    name: 'maven, with its wrapper',
    needs: ['java', 'mvn'],
    files: {
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><packaging>pom</packaging></project>',
    },
    run: `${OF_JAVA}; mvn -o -q validate && touch ~/.m2/repository/x ~/.m2/wrapper/x`,
    fills: ['.m2/repository'],
    keepsOut: ['.m2/wrapper'],
  },
  {
    name: 'gradle, with its wrapper',
    needs: ['java', 'gradle'],
    files: { 'build.gradle': 'task hello { doLast { println "hi" } }\n' },
    run: `${OF_JAVA}; gradle --offline hello && mkdir -p ~/.gradle/wrapper/dists`,
    fills: ['.gradle/caches'],
    keepsOut: ['.gradle/wrapper'],
  },
  {
    name: 'pre-commit',
    needs: ['pre-commit'],
    files: {
      '.pre-commit-config.yaml':
        'repos: [{repo: local, hooks: [{id: a, name: a, entry: "true", language: system}]}]\n',
    },
    run: 'pre-commit run --all-files',
    fills: [],
  },
];

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** The environment of a user who starts here for the first time. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(npm|pnpm|yarn|cargo|go|xdg)_/i.test(name),
  );
  // What rustup installed is the machine's.
  return { RUSTUP_HOME: join(userInfo().homedir, '.rustup'), ...Object.fromEntries(others), HOME: home };
}

describe.skipIf(!isWholeBox)(
  'a tool in the box of a gate of a user who never used it, and then in that of an agent',
  () => {
    for (const { name, needs, files, before, run, fills, keepsOut = [] } of TOOLS) {
      const missing = needs.filter((program) => !isThere(program));
      const title = missing.length === 0 ? name : `${name} (not installed: ${missing.join(', ')})`;
      it.skipIf(missing.length > 0)(title, () => {
        const home = temporaryFolder();
        const { root } = makeRepository(files);
        const fill = (text: string) => text.replaceAll('REPOSITORY', root);
        for (const [file, content] of Object.entries(files)) repositoryAt(root).write(file, fill(content));
        if (before !== undefined) spawnSync('sh', ['-c', before], { cwd: root });
        const inBox = boxesOf(root, { home, env: environmentOf(home) });
        // The gates run before any agent does.
        for (const role of ['gate', 'agent'] as const) {
          const { code, output } = inBox(role, run);
          expect(code, `${role}: ${output}`).toBe(0);
        }
        const isFilled = (folder: string) => namesIn(join(home, folder)).length > 0;
        expect([fills.filter(isFilled), keepsOut.filter(isFilled)]).toEqual([fills, []]);
      });
    }
  },
);
