/** @module-tag slow */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { displayWidth } from 'ralph-kit/columns';
import { stripControl } from 'ralph-kit/text';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/store/lock/lock.ts';
import { BIN, makeProject, ONE_TASK, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { finishedOf } from '../helpers/finished.ts';

const IGNORES = { '.gitignore': 'ready\nleft\ngo\n' };
/** Names of the copies in which a gate may run. */
const SLOTS = ['1', 'c1', 'c2'];
/** The script says that it runs, and leaves a file when SIGTERM ends it. */
const HANGS = 'trap "echo left > left; exit 1" TERM; echo $$ > ready; while :; do sleep 0.05; done\n';
const DEAF = 'trap "" TERM; echo $$ > ready; while :; do sleep 0.05; done\n';
const WORKS = `cat >/dev/null; echo "export {};" >> parser.js\n${SHELL_CLAIM}`;

/**
 * Returns a project with an agent that works, and a gate that hangs where the file `hang` says so, or where the work is
 * there.
 */
function gated(gate: string): Project {
  return makeProject({
    ...IGNORES,
    '.ralph/ralph.toml': `${shellAgent('grace = 3600\n')}[gates]\ncommands = [{ name = "test", run = "sh gate.sh" }]\n`,
    'agent.sh': WORKS,
    'gate.sh': `[ -e hang ] || grep -q export parser.js || exit 0\n${gate}`,
  });
}

/** Checks that nothing is done or left to put back, and that the next run does the work. */
function continues(project: Project): void {
  expect(project.read('.ralph/PRD.md')).toBe(ONE_TASK);
  project.program('gate.sh', 'test -e parser.js\n');
  const next = project.ralph('run');
  expect([next.code, next.stdout]).toEqual([0, expect.stringMatching(/(\d+) of \1 tasks? done\./)]);
  expect(next.stdout).not.toContain('put back');
  expect(project.iterations()).toHaveLength(2);
}

describe.runIf(process.platform === 'linux')('a signal', () => {
  it('while a gate runs, of the baseline too, ends the gate and the run in order', async () => {
    const project = gated(HANGS);
    // The gate hangs for the baseline.
    project.program('hang', '');
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const { child, ended } = project.start('run');
      await project.appears('ready');
      child.kill(signal);
      expect(await ended).toMatchObject({ code, stderr: '' });
      expect(SLOTS.some((slot) => existsSync(project.inCopy('left', slot)))).toBe(true);
      for (const slot of SLOTS)
        for (const name of ['ready', 'left']) rmSync(project.inCopy(name, slot), { force: true });
      if (project.exists('hang')) project.git('rm', '-q', 'hang');
      project.git('commit', '-q', '--allow-empty', '-m', 'nothing hangs');
    }
    expect(project.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'interrupted' },
      failedAttempt: false,
    });
    continues(project);
  });

  it('two of them end a gate that heeds none', async () => {
    const project = gated(DEAF);
    const run = project.start('run');
    await project.appears('ready');
    const polite = run.says('Stopping');
    run.child.kill('SIGHUP');
    await polite;
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 129 });
    continues(project);
  });
});

/**
 * Takes the lock of the state like another ralph, once the run lets go of it. Returns the function that releases it.
 */
function hold({ root }: Project): () => void {
  const lock = acquireLock(join(root, '.ralph/state.lock'), { waitMs: 10_000 });
  if (!lock.ok) throw new Error('The run keeps the lock of the state.');
  return lock.release;
}

describe('while another process holds the lock of the state', () => {
  const project = () => {
    const made = makeProject({
      ...IGNORES,
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': `touch ready; while [ ! -e .ralph/go ]; do sleep 0.02; done\n${WORKS}`,
    });
    return made;
  };

  it('one signal is heard, and the attempt is recorded once the lock is free', async () => {
    const one = project();
    const run = one.start('run');
    await one.appears('ready');
    const release = hold(one);
    const polite = run.says('Stopping');
    one.write('.ralph/go', '');
    await one.appears('parser.js');
    run.child.kill('SIGTERM');
    await polite;
    release();
    expect(await run.ended).toMatchObject({ code: 143, stderr: '' });
    expect(one.iterations()).toEqual([1]);
    expect(one.ralph('run').code).toBe(0);
  });

  it('two end the run, and the next one puts right what it left', async () => {
    const one = project();
    const run = one.start('run');
    await one.appears('ready');
    const release = hold(one);
    one.write('.ralph/go', '');
    await one.appears('parser.js');
    const polite = run.says('Stopping');
    run.child.kill('SIGINT');
    await polite;
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    release();
    const next = one.ralph('run');
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining('was cut off')]);
  });
});

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** Starts ralph on a terminal of its own; `type` presses keys, `pid` is its process. */
async function atTerminal(project: Project, command: string, env: NodeJS.ProcessEnv = {}, columns = 80) {
  const line = `stty cols ${columns} rows 40; echo $$ > .git/pid; exec "${process.execPath}" "${BIN}" ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: project.root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
  });
  const ended = finishedOf(child);
  const shows = (text: string) => eventually(() => expect(shown).toContain(text));
  return {
    ended,
    shows,
    type: (keys: string) => child.stdin.write(keys),
    pid: () => Number(project.read('.git/pid')),
  };
}

describe.runIf(hasTerminal)('the live line', () => {
  it('says which task, the attempt, the time and its limit, and what the agent printed', async () => {
    const one = makeProject({
      ...IGNORES,
      '.ralph/PRD.md': `${ONE_TASK}  - Timeout: 90s\n`,
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': `echo reading the parser; until [ -e .ralph/go ]; do sleep 0.05; done\n${WORKS}`,
    });
    const { ended, shows } = await atTerminal(
      one,
      'run',
      { RALPH_TRUST: '1', TERM: 'xterm', CI: undefined },
      60,
    );
    await shows('[1/1] T-1 Write the parser');
    await shows('of 1:30 · reading the');
    one.write('.ralph/go', '');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    // The line is redrawn from its first column.
    const lines = stripControl(stdout.replaceAll('\u001b[1G', '\n')).split('\n');
    expect(lines.filter((line) => displayWidth(line) > 60)).toEqual([]);
  });
});

describe.runIf(hasTerminal)('a question on a terminal', () => {
  const ticked = () => {
    const one = makeProject({
      ...IGNORES,
      '.ralph/PRD.md': `${ONE_TASK}- [ ] **T-2** Write more\n`,
      '.ralph/ralph.toml': shellAgent(),
      'agent.sh': WORKS,
    });
    expect(one.json('run', '--task', 'T-1').exit_code).toBe(0);
    one.write('.ralph/PRD.md', one.read('.ralph/PRD.md').replaceAll('[ ]', '[x]'));
    return one;
  };

  it('about ticked tasks ends with a signal, and so does the run; a yes takes them', async () => {
    const one = ticked();
    for (const [how, code] of [
      ['Ctrl-C', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      const { ended, shows, type, pid } = await atTerminal(one, 'run', { RALPH_TRUST: '1' });
      await shows('Are they done?');
      if (how === 'Ctrl-C') type('\u0003');
      else process.kill(pid(), how);
      expect((await ended).code).toBe(code);
    }
    expect(one.json('tasks').tasks).toMatchObject([{ status: 'done' }, { status: 'unverified' }]);
    const { ended, shows, type } = await atTerminal(one, 'run', { RALPH_TRUST: '1' });
    await shows('Are they done?');
    type('y');
    expect((await ended).code).toBe(0);
    expect(one.json('tasks').tasks).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  it('about what runs: a no and signals end it, and what was shown is not shown again', async () => {
    const one = makeProject({ '.ralph/ralph.toml': shellAgent(), 'agent.sh': WORKS });
    for (const [how, code] of [
      ['Ctrl-C', 130],
      ['n', 2],
      ['SIGTERM', 143],
    ] as const) {
      const { ended, shows, type, pid } = await atTerminal(one, 'run', { RALPH_TRUST: '' });
      await shows('Accept exactly this, and run?');
      if (how === 'SIGTERM') process.kill(pid(), how);
      else type(how === 'n' ? 'n' : '\u0003');
      const { code: exitCode, stdout } = await ended;
      expect(exitCode).toBe(code);
      expect(stdout.match(/sh \.\/agent\.sh/g)).toHaveLength(1);
      if (how === 'n') expect(stdout).toContain('Next: ralph trust');
    }
    expect(readdirSync(one.root)).not.toContain('parser.js');
  });
});
