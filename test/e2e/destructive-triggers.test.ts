/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { makeProject, type Project, SHELL_CLAIM } from '../helpers/cli.ts';

/** This gate prints in TAP what test.txt lists, with the coverage in coverage.txt where that file exists. */
const GATE = [
  "echo 'TAP version 13'; n=0",
  'while read -r line; do n=$((n+1)); echo "ok $n - $line"; done < test.txt',
  'echo "1..$n"',
  'test ! -e coverage.txt || echo "TOTAL 100 10 $(cat coverage.txt)%"',
].join('\n');

const TESTS = ['adds', 'subtracts', 'divides', 'multiplies', 'rounds', 'negates'];
const asserts = (name: string, index: number) =>
  `it('${name}', () => {\n  assert.equal(sum.${name}(${index}, 2), ${index + 2});\n});\n`;
const testFile = (bodies: readonly string[]) =>
  `import assert from 'node:assert';\nimport { it } from 'node:test';\nimport * as sum from './sum.js';\n\n${bodies.join('\n')}`;
const BODIES = TESTS.map(asserts);
const ROUTES = `app.get('/users', users);\napp.get('/legacy/users', legacyUsers);\n`;

const FILES = {
  'sum.test.js': testFile(BODIES),
  'sum.js': `${TESTS.map((name) => `export function ${name}(a, b) {\n  return a + b;\n}\n`).join('\n')}`,
  'server.js': ROUTES,
  'test.txt': `${TESTS.join('\n')}\n`,
};

const PRODUCT = 'export const product = (a, b) => a * b;\n';

/** A case is what an agent writes first, and what it leaves after it was told to find another way. */
type Trigger = {
  readonly text: RegExp;
  readonly writes: Readonly<Record<string, string | null>>;
  /** These files are part of the project from its start. */
  readonly files?: Readonly<Record<string, string>>;
};

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  'tests removed, by the diff': {
    text: /1 test removed/,
    files: { 'check.sh': 'true\n' },
    writes: { 'product.js': PRODUCT, 'sum.test.js': testFile(BODIES.slice(1)) },
  },
  'the only test file removed': {
    text: /tests removed/,
    writes: { 'product.js': PRODUCT, 'sum.test.js': null, 'test.txt': '' },
  },
  "tests removed, by the gate's own numbers": {
    text: /2 tests removed/,
    writes: { 'product.js': PRODUCT, 'test.txt': `${TESTS.slice(2).join('\n')}\n` },
  },
  'coverage down': {
    text: /coverage 90 % → 80 %/,
    files: { 'coverage.txt': '90' },
    writes: { 'product.js': PRODUCT, 'coverage.txt': '80' },
  },
  'a feature removed': {
    text: /1 feature removed/,
    writes: { 'server.js': ROUTES.split('\n')[0] ?? '', 'notes.md': 'Simpler.\n' },
  },
  'assertions weakened': {
    text: /\d assertions weakened/,
    writes: {
      'product.js': PRODUCT,
      'sum.test.js': testFile(
        TESTS.map((name, index) =>
          index < 5 ? `it('${name}', () => {\n  assert.ok(true);\n});\n` : asserts(name, index),
        ),
      ),
    },
  },
  'a skip added': {
    text: /1 skipped test added/,
    writes: {
      'product.js': PRODUCT,
      'sum.test.js': testFile(BODIES.map((body, n) => (n === 0 ? body.replace('it(', 'it.skip(') : body))),
    },
  },
  'a skip that the gate reports, which is no removed test': {
    text: /^1 skipped test added$/,
    writes: {
      'product.js': PRODUCT,
      'test.txt': `${TESTS.map((name, n) => (n === 0 ? `${name} # SKIP` : name)).join('\n')}\n`,
    },
  },
};

type Files = Readonly<Record<string, string | null>>;

/** Returns actions of the scripted agent, whose hook lets ralph review them, that write these files. */
const actions = (files: Files): ScenarioAction[] =>
  Object.entries(files).map(([path, content]) =>
    content === null ? { action: 'delete', path } : { action: 'write', path, content },
  );

const encoded = (content: string) => Buffer.from(content).toString('base64');
/** Returns a shell script that writes these files, for an agent without a hook. */
const script = (files: Files): string =>
  Object.entries(files)
    .map(([path, content]) =>
      content === null ? `rm "${path}"` : `echo ${encoded(content)} | base64 -d > "${path}"`,
    )
    .join('\n');

/** Returns the files as they were at the start, and the new ones as they are. */
const alternative = ({ writes }: Trigger): Files =>
  Object.fromEntries(
    Object.keys(writes).map((path) => [
      path,
      path in FILES ? ((FILES as Files)[path] ?? null) : (writes[path] ?? null),
    ]),
  );

const CLAIM: ScenarioAction = { action: 'status', status: 'DONE', exit_signal: true };
const GATES = '[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]\n';
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Add the product of two numbers\n';

/** Each agent first does the case, and after it was told either nothing more or the alternative. */
const AGENTS: Readonly<Record<string, (one: Trigger, then: Files) => Project>> = {
  'a hooked agent': (one, then) =>
    makeProject({
      ...FILES,
      'check.sh': GATE,
      ...one.files,
      '.ralph/PRD.md': LIST,
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${GATES}`,
      '.ralph/scenario.json': JSON.stringify({
        output: 'claude-stream',
        steps: [{ when: { prompt_includes: 'G-1' }, do: [...actions(then), CLAIM] }],
        otherwise: [...actions(one.writes), CLAIM],
      }),
    }),
  'a command of your own, whose script does it': (one, then) =>
    makeProject({
      ...FILES,
      'check.sh': GATE,
      ...one.files,
      '.ralph/PRD.md': LIST,
      'agent.sh': `if grep -q G-1; then\n:\n${script(then)}\nelse sh ./do.sh; fi\n${SHELL_CLAIM}`,
      'do.sh': script(one.writes),
      '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n${GATES}`,
    }),
};

describe.each(Object.entries(AGENTS))('%s', (_agent, made) => {
  it.each(Object.entries(TRIGGERS))('%s: waits; approved, it is done as it is', (_what, trigger) => {
    const one = made(trigger, {});
    expect(one.json('run')).toMatchObject({ exit_code: 5, ending: 'awaiting_human', lies_caught: 0 });
    const [request] = one.json('approvals').open;
    expect(request).toMatchObject({ id: 'G-1', gate: 'GATE-AP-DESTRUCTIVE', task_id: 'T-1' });
    expect(request.why).toMatch(trigger.text);
    expect(one.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'awaiting_human' },
      failedAttempt: false,
    });
    expect(one.json('approvals', 'decide', 'G-1', 'approve', '--reason', 'meant so')).toMatchObject({
      exit_code: 0,
    });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', lies_caught: 0 });
    for (const [path, content] of Object.entries(trigger.writes)) {
      if (content === null) expect(one.exists(path)).toBe(false);
      else expect(one.read(path)).toBe(content);
    }
  });

  it.each(Object.entries(TRIGGERS))('%s: rejected, it is done another way', (_what, trigger) => {
    const one = made(trigger, { ...alternative(trigger), ...trigger.files, 'product.js': PRODUCT });
    one.json('run');
    expect(one.json('approvals', 'decide', 'G-1', 'reject', '--reason', 'keep them')).toMatchObject({
      exit_code: 0,
    });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.read('sum.test.js')).toBe(FILES['sum.test.js']);
  });
});
