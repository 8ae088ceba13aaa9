/** @module-tag slow */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { openGate } from '../helpers/open-gate.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

const FALSE_POSITIVES = 'detectors.false_positives';
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n';

/**
 * Returns a project in which T-1 writes something and says that it isn't done, until it gets guidance; T-2 gets done.
 */
function project(settings = ''): Project {
  return makeProject({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': `[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\n${settings}`,
    '.ralph/scenario.json': JSON.stringify({
      output: 'claude-stream',
      steps: [
        {
          when: { task: 'T-1', prompt_includes: 'G-1' },
          do: [{ action: 'append', path: 'one.txt', content: 'more\n' }, claim('one.txt:1 work')],
        },
        {
          when: { task: 'T-1' },
          do: [{ action: 'write', path: 'one.txt', content: 'work\n' }, claim('two.txt:1 no')],
        },
      ],
      otherwise: [{ action: 'write', path: '{task}.txt', content: 'work\n' }, claim('{task}.txt:1 work')],
    }),
  });
}

function makeKey(): { readonly file: string; readonly key: string } {
  const folder = join(temporaryFolder(), 'keys');
  mkdirSync(folder);
  const file = join(folder, 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
  return { file, key: readFileSync(`${file}.pub`, 'utf8').trim() };
}

const person = (role: string, key: string) =>
  `[human.people."person@example.com"]\nrole = "${role}"\nkeys = ["${key}"]\n`;

const iAm = (one: Project) => one.git('config', 'user.email', 'person@example.com');

describe('a task at a human gate', () => {
  it('waits, the others are done, exit 5; after a decision the run continues where it was', async () => {
    const one = project();
    expect(one.json('run')).toMatchObject({ exit_code: 4, tasks: { done: 1, blocked: 1 } });
    expect(existsSync(one.path('one.txt'))).toBe(false);
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1', title: 'One', recoveryAttempts: 3 });

    const waiting = one.json('run');
    expect(waiting).toMatchObject({ exit_code: 5, ending: 'awaiting_human' });
    expect(JSON.stringify(waiting.next)).toContain('ralph approvals');
    expect(one.json('approvals').open).toMatchObject([
      { id: 'G-1', gate: 'GATE-AP-RECOVERY', task_id: 'T-1' },
    ]);
    expect(one.json('approvals', 'show').panel).toContain('HUMAN INTERVENTION REQUIRED');
    expect(JSON.parse(one.read('.ralph/gates/G-1.json'))).toMatchObject({ id: 'G-1', decision: null });

    const passed = one.ralph('unblock', 'T-1');
    expect(passed).toMatchObject({ code: 2, stderr: expect.stringContaining('ralph approvals decide G-1') });
    expect(one.ralph('approvals', 'decide', 'G-1', 'legitimate')).toMatchObject({ code: 2 });

    const decided = one.json('approvals', 'decide', '1', 'approve', '--guidance', 'Keep G-1 in mind');
    expect(decided).toMatchObject({ exit_code: 0, id: 'G-1', option: 'approve', signed: false });
    expect(one.json('approvals', 'decide', 'G-1', 'approve')).toMatchObject({ exit_code: 2 });

    const run = one.json('run');
    expect(run).toMatchObject({ exit_code: 0, tasks: { done: 2 } });
    expect(
      one
        .iterations()
        .map((number) => one.promptOf(number))
        .at(-1),
    ).toContain('Keep G-1 in mind');
    // The kept work was in the copy again when the attempt began.
    expect(one.read('one.txt')).toBe('work\nmore\n');
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0, lines: 1, problems: [] });
    expect(JSON.parse(one.read('.ralph/gates/decisions.log'))).toMatchObject({
      gate_id: 'GATE-AP-RECOVERY',
      decision: 'approve',
      human_feedback: 'Keep G-1 in mind',
      context: { task: 'T-1', diff_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('is blocked by an abort, in the task list, too', async () => {
    const one = makeProject({ '.ralph/PRD.md': LIST });
    await openGate(one.root, 'GATE-AP-DESTRUCTIVE', { taskId: 'T-1', testsRemoved: 2 });
    expect(one.json('approvals', 'decide', 'G-1', 'abort')).toMatchObject({ exit_code: 0 });
    expect(one.json('tasks').tasks[0]).toMatchObject({ id: 'T-1', status: 'blocked' });
  });

  it('a timeout blocks the task or asks again, and lets nothing pass', async () => {
    const late = 'timeout = 0.001';
    const one = project(
      `[human.gates.GATE-AP-RECOVERY]\n${late}\n[human.gates.GATE-AP-DESTRUCTIVE]\n${late}\non_timeout = "escalate"\n`,
    );
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    await openGate(one.root, 'GATE-AP-DESTRUCTIVE', { taskId: 'T-2' });
    expect(one.json('run')).toMatchObject({ exit_code: 5, tasks: { done: 0, blocked: 1 } });
    expect(one.json('approvals')).toMatchObject({
      open: [{ id: 'G-2' }],
      decided: [{ id: 'G-1', option: 'timeout' }],
    });
  });
});

describe('signatures', () => {
  it('what needs one says how to make a key, and takes none of another user', async () => {
    const key = makeKey();
    const one = project();
    iAm(one);
    one.json('run');
    const event = one.events().find(({ details }) => details.task_id === 'T-1');
    expect(one.json('approvals', 'report', event?.id ?? '', '--reason', 'It is there')).toMatchObject({
      id: 'G-1',
    });
    const decide = (...args: string[]) =>
      one.ralph('approvals', 'decide', 'G-1', 'legitimate', '--reason', 'fine', ...args);
    expect(decide().stderr).toContain('ssh-keygen -t ed25519');
    const settings = one.read('.ralph/ralph.toml');
    one.write('.ralph/ralph.toml', `${settings}${person('developer', makeKey().key)}`);
    expect(decide('--key', key.file).stderr).toContain('needs the signature of person@example.com');
    one.write('.ralph/ralph.toml', `${settings}${person('developer', key.key)}`);
    expect(decide('--key', key.file)).toMatchObject({ code: 0, stderr: '' });
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0, problems: [] });
    expect(JSON.parse(one.read('.ralph/whitelists/examples/G-1.json'))).toMatchObject({ reason: 'fine' });
    // The recorded signature isn't one of the key that the settings name now.
    one.write('.ralph/ralph.toml', `${settings}${person('developer', makeKey().key)}`);
    expect(one.json('approvals', 'verify')).toMatchObject({
      exit_code: 1,
      problems: [{ kind: 'signature' }],
    });
  });

  it('a role that is too low decides nothing, with a signature either', async () => {
    const key = makeKey();
    const one = makeProject({
      '.ralph/PRD.md': LIST,
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${person('developer', key.key)}`,
    });
    iAm(one);
    await openGate(one.root, 'GATE-AP-DESTRUCTIVE', { taskId: 'T-1', severity: 'critical' });
    const refused = one.ralph('approvals', 'decide', 'G-1', 'approve', '--key', key.file);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('tech lead') });
    one.write('.ralph/ralph.toml', `[loop]\nagent = "scripted"\n${person('tech_lead', key.key)}`);
    expect(one.json('approvals', 'decide', 'G-1', 'approve', '--key', key.file)).toMatchObject({
      signed: true,
    });
  });
});

it('a kind of finding that is often wrong is shown by doctor, and by one run', async () => {
  const one = project(
    '[notify]\ncommand = "cat >> told.json"\n[human.gates.GATE-AP-FALSE-POSITIVE]\nsignature = false\n',
  );
  await openGate(one.root, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-2', patterns: ['test_skip'] });
  expect(one.json('doctor').findings.map(({ id }: { id: string }) => id)).not.toContain(FALSE_POSITIVES);
  one.json('approvals', 'decide', 'G-1', 'legitimate', '--reason', 'It was moved');
  const title = 'test_skip: 1 of 1 finding was a false positive (100 %)';
  expect(one.json('doctor').findings).toContainEqual(expect.objectContaining({ id: FALSE_POSITIVES, title }));
  const shown = [one.ralph('run'), one.ralph('run')].map(({ stdout, stderr }) =>
    `${stdout}${stderr}`.replace(/\s+/g, ' ').includes(`${title}. ralph whitelist add`),
  );
  expect(shown).toEqual([true, false]);
  // Nothing in that line waits for you, so it isn't sent as a notification.
  expect(one.read('told.json')).not.toContain(title);
});

describe('from inside of an attempt', () => {
  it('a decision is refused and recorded as critical', async () => {
    const one = project();
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
    await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1' });
    one.json('whitelist', 'add', 'test_skip', '--reason', 'a line in the log');
    const log = one.read('.ralph/gates/decisions.log');
    one.write(
      '.ralph/scenario.json',
      JSON.stringify({
        output: 'claude-stream',
        steps: [],
        otherwise: [
          { action: 'run', argv: [process.execPath, bin, 'approvals', 'decide', 'G-1', 'approve'] },
          { action: 'write', path: 'two.txt', content: 'work\n' },
          claim('two.txt:1 work'),
        ],
      }),
    );
    one.json('run');
    expect(one.json('approvals').open).toMatchObject([{ id: 'G-1' }]);
    expect(one.events().filter(({ event_type }) => event_type === 'command_refused')).toMatchObject([
      { severity: 'critical' },
    ]);
    const now = one.read('.ralph/gates/decisions.log');
    expect(now.startsWith(log)).toBe(true);
    expect(now.slice(log.length)).toContain('"kind":"refused"');
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0 });
  });
});

describe('ralph whitelist add', () => {
  it('knows the kinds, and names the nearest', () => {
    const one = makeProject({ '.ralph/PRD.md': LIST });
    const { code, stderr } = one.ralph('whitelist', 'add', 'test_skp', '--reason', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean test_skip?');
  });
});

describe('ralph approvals verify', () => {
  it('names what was changed since', async () => {
    const one = makeProject({ '.ralph/PRD.md': LIST });
    for (const pattern of ['test_skip', 'test_focus', 'gate_weakening'])
      one.json('whitelist', 'add', pattern, '--reason', 'because');
    const log = one.read('.ralph/gates/decisions.log').trimEnd().split('\n');
    const seen = (lines: readonly string[]) => {
      one.write('.ralph/gates/decisions.log', lines.map((line) => `${line}\n`).join(''));
      const { exit_code, problems } = one.json('approvals', 'verify');
      return [exit_code, ...problems.map(({ kind }: { kind: string }) => kind)];
    };
    const [first = '', second = '', third = ''] = log;
    expect(seen(log)).toEqual([0]);
    expect(seen([first, second.replace('because', 'because!'), third])).toEqual([1, 'changed']);
    expect(seen([first, third])).toEqual([1, 'deleted']);
    expect(seen([first, second])).toEqual([1, 'truncated']);
    expect(seen([first, third, second])).toEqual([1, 'reordered']);
    expect(seen([first, second, second, third])).toEqual([1, 'inserted']);
    // The next decision repairs the file, and keeps the other entry.
    one.json('whitelist', 'remove', 'W-1', '--reason', 'no more');
    expect(one.json('approvals', 'verify')).toMatchObject({ exit_code: 0, lines: 4 });
  });
});
