/** @module-tag slow */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { displayWidth } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import type { GateDraft } from '../../src/domain/human/gate.ts';
import { BIN, claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { finishedOf } from '../helpers/finished.ts';
import { openGate } from '../helpers/open-gate.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n';

function makeKey(): { readonly file: string; readonly key: string } {
  const folder = join(temporaryFolder(), 'keys');
  mkdirSync(folder);
  const file = join(folder, 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
  return { file, key: readFileSync(`${file}.pub`, 'utf8').trim() };
}

function project(settings = ''): Project {
  const one = makeProject({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nfallback = ["codex"]\nmax_attempts_per_task = 1\n${settings}`,
    '.ralph/scenario.json': JSON.stringify({
      steps: [],
      otherwise: [{ action: 'write', path: 'one.txt', content: 'work\n' }, claim('one.txt:1 work')],
    }),
  });
  one.git('config', 'user.email', 'person@example.com');
  return one;
}

/** Starts a command of ralph on a terminal of 80 columns. */
function atTerminal(one: Project, args: string) {
  const line = `stty cols 80 rows 40; exec "${process.execPath}" "${BIN}" ${args}`;
  const { CI: _, NO_COLOR: __, ...env } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: one.root,
    env: { RALPH_TRUST: '1', ...env, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
  });
  const shows = (text: string) => eventually(() => expect(stripControl(shown)).toContain(text));
  return {
    ended: finishedOf(child),
    shows,
    type: (keys: string) => child.stdin.write(keys),
    shown: () => stripControl(shown),
  };
}

describe.runIf(hasTerminal)('the panel at a terminal', () => {
  it('passes over other keys, shows what it can, fits the terminal, and takes a decision', async () => {
    const one = project();
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1', title: 'One', recoveryAttempts: 3 });
    const terminal = atTerminal(one, 'approvals decide');
    await terminal.shows('Decide G-1');
    expect(terminal.shown()).toContain('HUMAN INTERVENTION REQUIRED');
    terminal.type('x');
    terminal.type('v');
    await terminal.shows('ralph approvals decide G-1 delegate --agent AGENT');
    const box = terminal
      .shown()
      .split('\n')
      .filter((row) => /^[╭╰]─|^│.*│$/.test(row.trimEnd()));
    expect(new Set(box.map((row) => displayWidth(row.trimEnd())))).toEqual(new Set([80]));
    terminal.type('d');
    await terminal.shows('To which agent?');
    terminal.type('codex\r');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(one.json('approvals').decided).toMatchObject([{ id: 'G-1', option: 'delegate' }]);
  });

  it('Ctrl-C and Enter decide nothing', async () => {
    const one = project();
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    for (const key of ['\u0003', '\r']) {
      const terminal = atTerminal(one, 'approvals decide G-1');
      await terminal.shows('Decide G-1');
      terminal.type(key);
      expect(await terminal.ended).toMatchObject({ code: 2 });
    }
    expect(one.json('approvals').open).toMatchObject([{ id: 'G-1' }]);
  });

  it.each<[GateDraft['gate'], string, string]>([
    ['GATE-AP-RECOVERY', 'a', 'approve'],
    ['GATE-AP-RECOVERY', 'r', 'reject'],
    ['GATE-AP-RECOVERY', 't', 'retry'],
    ['GATE-AP-RECOVERY', 'q', 'abort'],
    ['GATE-AP-FALSE-POSITIVE', 'l', 'legitimate'],
    ['GATE-AP-FALSE-POSITIVE', 'v', 'violation'],
    ['GATE-AP-FALSE-POSITIVE', 'w', 'whitelist'],
    ['GATE-AP-DESTRUCTIVE', 'a', 'approve'],
    ['GATE-AP-DESTRUCTIVE', 'r', 'reject'],
    ['GATE-AP-DESTRUCTIVE', 's', 'suggest'],
    ['GATE-AP-DESTRUCTIVE', 'q', 'abort'],
  ])('%s: %s is %s', async (gate, key, option) => {
    const { file, key: publicKey } = makeKey();
    const one = project(`[human.people."person@example.com"]\nrole = "tech_lead"\nkeys = ["${publicKey}"]\n`);
    await openGate(one.root, gate, { taskId: 'T-1', patterns: ['test_skip'], files: ['a.test.ts'] });
    const terminal = atTerminal(one, `approvals decide G-1 --key '${file}'`);
    await terminal.shows('Decide G-1');
    terminal.type(key);
    await terminal.shows('?');
    terminal.type('because\r');
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(one.json('approvals').decided).toMatchObject([{ id: 'G-1', option }]);
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0 });
  });

  it('a run asks, and continues with a decision from another terminal', async () => {
    const one = project();
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    const terminal = atTerminal(one, 'run');
    await terminal.shows('Decide G-1');
    expect(one.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ running: true });
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(one.read('one.txt')).toBe('work\n');
  });

  it('a run asks, and continues with the answer; not about a task that is gone from the list', async () => {
    const one = project();
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-9' });
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    const terminal = atTerminal(one, 'run');
    await terminal.shows('Decide G-2');
    expect(terminal.shown()).not.toContain('Decide G-1');
    terminal.type('t');
    await terminal.shows('Guidance');
    terminal.type('\r');
    expect(await terminal.ended).toMatchObject({ code: 0 });
  });

  it.each([
    ['Ctrl-C', '\u0003', 130],
    ['Enter', '\r', 5],
  ])('a run ends at %s, and the request stays open', async (_name, key, code) => {
    const one = project();
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    const terminal = atTerminal(one, 'run');
    await terminal.shows('Decide G-1');
    terminal.type(key);
    expect(await terminal.ended).toMatchObject({ code });
    expect(one.json('approvals').open).toMatchObject([{ id: 'G-1' }]);
  });
});
