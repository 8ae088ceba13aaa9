/** @module-tag slow */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { always, claim, makeProject } from '../helpers/cli.ts';
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

/** Packages in a folder of the home, one of which is developed beside; links to secrets lie among them. */
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
    expect(project.iteration(1).facts.gates.map(({ outcome }) => outcome.kind)).toEqual(['passed']);
    expect(project.exists('seen.txt'), stdout).toBe(true);
  },
);
