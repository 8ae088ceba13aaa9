/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { BIN, claim, makeProject } from '../helpers/cli.ts';
import { runTestGit, temporaryFolder } from '../helpers/repository.ts';

const WRITE: ScenarioAction = { action: 'write', path: 'src/parser.ts', content: 'export {};\n' };
const shell = (command: string): ScenarioAction => ({ action: 'shell', command, ask: true });
const scenario = (...actions: ScenarioAction[]) => ({
  '.ralph/scenario.json': JSON.stringify({ output: 'claude-stream', otherwise: actions, steps: [] }),
});

/** Runs `ralph review` outside of any repository, unless a folder is given. */
function review(args: readonly string[], input = '', cwd = temporaryFolder()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'review', ...args], {
    ...{ cwd, input, encoding: 'utf8' },
    env: { ...process.env, HOME: cwd },
  });
  return { status, stdout, stderr, cwd };
}

describe('ralph review explain', () => {
  it.each([
    ['allow', 0, ['npm test']],
    ['warn', 1, ['if (']],
    ['block', 3, ['rm -rf ~']],
    ['block', 3, ['--action', '{"tool": "Write", "input": {"file_path": ".claude/settings.json"}}']],
    ['allow', 0, ['--action', '{"kind": "file_read", "path": "README.md"}']],
    // A step reviewer's document has calls in this form.
    ['block', 3, ['--action', '{"tool": "Bash", "parameters": {"command": "rm -rf ~"}}']],
  ])('%s ends with %i: %j', (decision, code, args) => {
    const { status, stdout } = review(['explain', ...args, '--json']);
    expect(status).toBe(code);
    expect(JSON.parse(stdout)).toMatchObject({ cmd: 'review', exit_code: code, decision });
  });

  it.each([
    [[]],
    [['ls', '--batch', 'x']],
    [['--action', '{']],
    [['--action', '{"a": 1}']],
    [['--batch', 'gone']],
  ])('what it cannot explain ends with 4: %j', (args) => {
    const { status, stderr } = review(['explain', ...args]);
    expect(status).toBe(4);
    expect(stderr).not.toBe('');
  });

  it('a batch prints one analysis a line, and ends with the strictest', () => {
    const { status, stdout } = review(
      ['explain', '--batch', '-'],
      '{"command": "ls"}\n\n{"command": "rm -rf ~"}\n',
    );
    expect(status).toBe(3);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ decision }) => decision)).toEqual(['allow', 'block']);
    for (const line of lines)
      expect(Object.keys(line)).toEqual(expect.arrayContaining(['risk', 'rules', 'reason']));
    expect(review(['explain', '--batch', '-'], '{"command": "ls"}\nnothing\n').status).toBe(4);
  });
});

describe('ralph review hook', () => {
  const asked = (command: string) =>
    JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });

  it.each(['claude', 'codex', 'qwen'])('answers %s', (agent) => {
    const denied = review(['hook', agent], asked('rm -rf ~'));
    expect(denied.status).toBe(0);
    expect(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    expect(review(['hook', agent], asked('ls'))).toMatchObject({ status: 0, stdout: '' });
  });

  it('keeps what it reviewed, without secrets', () => {
    const cwd = temporaryFolder();
    runTestGit(cwd, ['init', '--quiet']);
    const log = (...args: string[]) => review(['log', '--interactive', ...args], '', cwd).stdout;
    review(
      ['hook', 'claude'],
      asked('curl -H "Authorization: Bearer abcdefghijklmnop1234567890" https://example.org'),
      cwd,
    );
    review(['hook', 'qwen'], asked('rm -rf /srv/photos'), cwd);
    const { reviews } = JSON.parse(log('--json'));
    expect(reviews).toMatchObject([
      { agent: 'claude', iteration: 0, task_id: '', mode: 'hook' },
      { agent: 'qwen', decision: 'block', answer: 'block', rule: 'deletion_outside' },
    ]);
    expect(JSON.stringify(reviews)).not.toContain('abcdefghijklmnop');
    expect(log('--decision', 'block')).toContain('rm -rf /srv/photos');
  });

  it.each([
    ['claude', 'nonsense'],
    ['pi', asked('ls')],
  ])('denies whatever it cannot answer: %s', (agent, input) => {
    expect(review(['hook', agent], input)).toMatchObject({ status: 2, stdout: '' });
  });
});

describe('the reviews of a run', () => {
  it('are in its log, its records, its result and the metrics', () => {
    const project = makeProject(
      scenario(shell('ls'), shell('mkdir -p .claude'), WRITE, claim('src/parser.ts:1 it')),
    );
    const result = project.json('run');
    expect(result).toMatchObject({
      review_summary: { blocked: 1, modified: 0 },
      blocked_actions: [{ rule: 'protected_write', severity: 'critical' }],
    });
    const { reviews } = project.json('review', 'log', '--decision', 'block');
    expect(reviews).toMatchObject([
      { id: 'R-1-2', decision: 'block', agent: 'scripted', mode: 'hook', task_id: 'T-1' },
    ]);
    expect(project.ralph('review', 'log').stdout).toContain('R-1-1');
    const record = project.iteration(1) as unknown as Record<string, unknown>;
    expect(record).toMatchObject({
      review_summary: result.review_summary,
      blocked_actions: result.blocked_actions,
    });
    expect(project.iteration(1).facts.review.log.lines).toBe(2);
    expect(project.json('metrics').reviews).toMatchObject({ blocked: 1 });
  });

  it('with mode = "async", a block of what did not wait ends the attempt', () => {
    const project = makeProject(scenario(shell('mkdir -p .claude'), { action: 'hang' }));
    const config = project.read('.ralph/ralph.toml');
    project.write('.ralph/ralph.toml', `${config}\n[review]\nmode = "async"\nasync_threshold = 1\n`);
    const result = project.json('run', '--max-iterations', '1');
    expect(result).toMatchObject({ exit_code: 3, review_summary: { blocked: 1 } });
    expect(project.iteration(1).decisions.verdict).toMatchObject({ why: 'denied_action' });
    expect(project.json('review', 'log').reviews).toMatchObject([{ mode: 'async', decision: 'block' }]);
  });
});

describe('ralph review diff', () => {
  const diff = (path: string, ...lines: string[]) =>
    [
      `diff --git a/${path} b/${path}`,
      `--- a/${path}`,
      `+++ b/${path}`,
      '@@ -1,3 +1,3 @@',
      ...lines,
      '',
    ].join('\n');
  const CLEAN = diff(
    'src/sum.js',
    ' const a = 1;',
    '-const sum = a - b;',
    '+const sum = a + b;',
    ' const c = 1;',
  );
  const SKIP = diff(
    'test/sum.test.js',
    " const { it } = require('vitest');",
    "-it('adds', () => {",
    "+it.skip('adds', () => {",
    '   expect(sum(1, 2)).toBe(3);',
  );

  it.each([
    ['clean', 0, CLEAN],
    ['clean', 0, ''],
    ['warn', 1, `${CLEAN}${SKIP}`],
    ['act', 3, SKIP],
  ])('%s ends with %i', (verdict, code, text) => {
    const { status, stdout } = review(['diff', '-', '--format', 'json'], text);
    expect(JSON.parse(stdout)).toMatchObject({ cmd: 'review', exit_code: code, verdict });
    expect(status).toBe(code);
    expect(review(['diff'], text).status).toBe(code);
  });

  it('shows each finding with its place, its lines and what it was judged by', () => {
    const { stdout } = review(['diff'], SKIP);
    for (const part of ['test/sum.test.js:2', "+ it.skip('adds'", 'because no production code changed'])
      expect(stdout).toContain(part);
  });

  it.each([
    [['diff', 'gone.patch'], "gone.patch can't be read: it doesn't exist"],
    [['diff', '-'], "isn't a unified diff: hello"],
  ])('what it cannot read ends with 4: %j', (args, message) => {
    const { status, stderr } = review(args, 'hello');
    expect(stderr).toContain(message);
    expect(status).toBe(4);
  });
});
