/** @module-tag slow */

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { gatesIn } from '../../src/domain/command-runs.ts';
import { always, claim, makeProject } from '../helpers/cli.ts';
import { asOrdinaryUser, canBeOrdinary } from '../helpers/ordinary-user.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const TEST = `const test = require('node:test');
const assert = require('node:assert');
const { existsSync, writeFileSync } = require('node:fs');
const { clamp } = require('../clamp.cjs');
test('low', () => assert.equal(clamp(require('dep').one, 2, 3), 2));
test('what is secret is hidden', () => {
  for (const name of ['ssh/id', 'backup/.ssh/id', 'home/.ssh/id', 'state'])
    assert.equal(existsSync('node_modules/' + name), false, name);
});
test('nothing is written there', () => assert.throws(() => writeFileSync('node_modules/dep/x', '')));
`;

/** Returns a home folder with packages, one of which links to a folder beside it, and with links to secrets. */
function homeWithPackages(): string {
  const home = join(temporaryFolder(), 'home');
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  write('.ssh/id', 'key\n');
  write('backup/.ssh/id', 'key\n');
  write('.local/state/x', 'state\n');
  write('lib/index.js', 'exports.two = 2;\n');
  write('shared/node_modules/dep/index.js', "exports.one = require('lib').two - 1;\n");
  const link = (name: string, to: string) =>
    symlinkSync(join(home, to), join(home, 'shared/node_modules', name));
  link('lib', 'lib');
  link('ssh', '.ssh');
  link('backup', 'backup');
  link('home', '.');
  link('state', '.local/state');
  return home;
}

it.each(['on', 'off'])(
  'packages behind a link out of the repository are seen by gates and agents, and no secret is (layers %s)',
  (layers) => {
    const home = homeWithPackages();
    vi.stubEnv('HOME', home);
    vi.stubEnv('RALPH_LAYERS', layers);
    const project = makeProject({
      'package.json': '{"scripts":{"test":"node --test"}}\n',
      '.gitignore': 'node_modules\n',
      'clamp.cjs': 'exports.clamp = (x, low) => (x < low ? low : x);\n',
      'test/clamp.test.cjs': TEST,
      '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n[gates]\ncommands = ["npm test"]\n',
      '.ralph/scenario.json': always(
        {
          action: 'shell',
          command:
            'test -e node_modules/dep/index.js && ! test -e node_modules/ssh/id && cp node_modules/dep/index.js seen.txt',
        },
        {
          action: 'write',
          path: 'clamp.cjs',
          content: 'exports.clamp = (x, low, high) => (x < low ? low : x > high ? high : x);\n',
        },
        claim('clamp.cjs:1 has an upper bound'),
      ),
    });
    symlinkSync(join(home, 'shared/node_modules'), project.path('node_modules'));
    const { code, stdout } = project.ralph('run', '--max-iterations', '1');
    vi.unstubAllEnvs();
    expect(code, stdout).toBe(0);
    expect(gatesIn(project.iteration(1).facts).map(({ outcome }) => outcome.kind)).toEqual(['passed']);
    expect(project.exists('seen.txt'), stdout).toBe(true);
  },
);

/** Returns a project whose gate needs what a link leads to. */
function linking(link: string, to: string, gate: string, ignored: string, agent: string) {
  const project = makeProject({
    '.gitignore': ignored,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_iterations = 1\n[git]\ncommit = "on_done"\n[gates]\ncommands = [${JSON.stringify(gate)}]\n`,
    '.ralph/scenario.json': always(
      { action: 'shell', command: agent },
      { action: 'write', path: 'parser.txt', content: 'parser\n' },
      claim('parser.txt:1 is there'),
    ),
  });
  symlinkSync(to, project.path(link));
  return project;
}

const NOT_WRITTEN = '! touch node_modules/dep/x 2>/dev/null';

it('a link where git ignores folders alone is in copies, read-only, and in no commit', () => {
  const home = homeWithPackages();
  vi.stubEnv('HOME', home);
  const gate = `test -e node_modules/dep/index.js && ${NOT_WRITTEN} && test -z "$(git status --porcelain)"`;
  const agent = `test -e node_modules/dep/index.js && ${NOT_WRITTEN} && git add -A && git commit -qm mine --allow-empty`;
  const shared = join(home, 'shared/node_modules');
  const project = linking('node_modules', shared, gate, 'node_modules/\n', agent);
  const { code, stdout, stderr } = project.ralph('run');
  vi.unstubAllEnvs();
  expect(code, stdout + stderr).toBe(0);
  expect(gatesIn(project.iteration(1).facts).map(({ outcome }) => outcome.kind)).toEqual(['passed']);
  expect(stdout).not.toContain('uncommitted');
  expect(project.git('ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('node_modules');
  expect(project.git('status', '--porcelain', '--', 'node_modules')).toBe('?? node_modules');
});

it.each(['.venv', 'env'])('an environment elsewhere in the place of %s is used', (name) => {
  const home = homeWithPackages();
  vi.stubEnv('HOME', home);
  const bin = join(home, 'envs/p/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(home, 'envs/p/pyvenv.cfg'), 'home = /usr/bin\n');
  writeFileSync(join(bin, 'check'), '#!/bin/sh\necho checked\n', { mode: 0o755 });
  const project = linking(name, join(home, 'envs/p'), `${name}/bin/check`, `${name}/\n`, `${name}/bin/check`);
  const { code, stdout, stderr } = project.ralph('run');
  vi.unstubAllEnvs();
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('All checks pass');
});

it('a link that is tracked is not followed', () => {
  const home = homeWithPackages();
  vi.stubEnv('HOME', home);
  const shared = join(home, 'shared/node_modules');
  const project = linking(
    'node_modules',
    shared,
    '! test -e node_modules/dep',
    '',
    '! test -e node_modules/dep',
  );
  project.git('add', 'node_modules');
  project.git('commit', '-qm', 'a link');
  const { code, stdout, stderr } = project.ralph('run');
  vi.unstubAllEnvs();
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('All checks pass');
});

it('what the box does not show is named with the line that shows it', () => {
  const home = homeWithPackages();
  vi.stubEnv('HOME', home);
  const store = join(home, '.pnpm-store/packages');
  mkdirSync(join(store, 'dep'), { recursive: true });
  writeFileSync(join(store, 'dep/index.js'), 'exports.one = 1;\n');
  const gate = 'test -e node_modules/dep/index.js';
  const project = linking('node_modules', store, gate, 'node_modules\n', 'true');
  const line = 'readable = ["~/.pnpm-store/packages"]';
  const { code, stderr } = project.ralph('run');
  const shown = project.ralph('gates');
  project.write('.ralph/ralph.toml', `${project.read('.ralph/ralph.toml')}[box]\n${line}\n`);
  project.git('commit', '-qam', 'readable');
  const after = project.ralph('run');
  // After an agent has worked nothing runs outside of the box any more, but the line is still printed.
  project.write('.ralph/ralph.toml', project.read('.ralph/ralph.toml').replace(line, ''));
  project.write('more.txt', 'more\n');
  project.write('.ralph/PRD.md', `${project.read('.ralph/PRD.md')}- [ ] **T-2** Write more\n`);
  project.git('add', 'more.txt', '.ralph');
  project.git('commit', '-qm', 'not readable');
  const later = project.ralph('run');
  vi.unstubAllEnvs();
  expect([code, stderr]).toEqual([2, expect.stringContaining(`[box] ${line}`)]);
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(`[box] ${line}`);
  expect(after.code, after.stdout + after.stderr).toBe(0);
  expect(later.stdout.replaceAll(/\s+/g, ' ')).toContain(`[box] ${line}`);
});

it.skipIf(!canBeOrdinary)('packages behind a link are seen by gates of an ordinary user', () => {
  const shared = temporaryFolder();
  chmodSync(shared, 0o755);
  mkdirSync(join(shared, 'node_modules/dep'), { recursive: true });
  writeFileSync(join(shared, 'node_modules/dep/index.js'), 'exports.one = 1;\n');
  const gate = `test -e node_modules/dep/index.js && ${NOT_WRITTEN}`;
  const project = linking('node_modules', join(shared, 'node_modules'), gate, 'node_modules/\n', 'true');
  const user = asOrdinaryUser(project.root);
  user.give();
  const { status, stdout, stderr } = user.ralph('run');
  user.takeBack();
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain('All checks pass');
});
