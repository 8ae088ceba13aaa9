/** @module-tag slow */

import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project, projectAt } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

const WORK = always(
  { action: 'write', path: 'src/{task}.ts', content: 'export const time = {attempt};\n' },
  claim('src/{task}.ts:1 it'),
);
const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write part 1\n- [ ] **T-2** Write part 2\n';
const NOT_VERIFIED = "isn't verified: its key isn't here: another machine, home or copy of this repository";

const home = process.env.XDG_STATE_HOME;
afterEach(() => {
  process.env.XDG_STATE_HOME = home;
});

/** Returns a project whose first task was done by a run and not committed, so that only the journal says so. */
function begun(): Project {
  const project = makeProject({ '.ralph/PRD.md': LIST, '.ralph/scenario.json': WORK });
  expect(project.json('run', '--task', 'T-1')).toMatchObject({ tasks: { done: 1, open: 1 } });
  return project;
}

function statuses({ json }: Project): string {
  return json('tasks')
    .tasks.map(({ status }: { status: string }) => status)
    .join(' ');
}

/** Returns the only state home that exists at the moment. */
function stateFolder(): string {
  const base = join(process.env.XDG_STATE_HOME ?? '', 'ralph');
  const [id = ''] = readdirSync(base);
  return join(base, id);
}

/** Checks that ralph says once what is wrong and what to do; the done task waits, and the open one is worked on. */
function waitsUntilAccepted(project: Project): void {
  const { code, stdout, stderr } = project.ralph('status');
  expect([code, stderr]).toEqual([0, expect.stringContaining(NOT_VERIFIED)]);
  expect(stderr).toContain(
    "1 done task don't count yet. If you know where it comes from: ralph trust --journal\n",
  );
  expect(stderr.split('verified:')).toHaveLength(2);
  expect(stdout).toContain('0 of 2 tasks done, 1 needs you, 1 open.');
  const accepted = project.ralph('trust', '--journal');
  expect(accepted.stdout).toMatch(/^Accepted: \d+ records, 1 done task\. Next: ralph status\n$/);
  expect(project.ralph('status')).toMatchObject({
    stdout: expect.stringContaining('1 of 2 tasks done'),
    stderr: '',
  });
}

describe('a repository that is', () => {
  it('moved is the same one, and nothing is said of it', () => {
    const folder = join(temporaryFolder(), 'moved');
    renameSync(begun().root, folder);
    const project = projectAt(folder);
    expect(project.ralph('status')).toMatchObject({
      stdout: expect.stringContaining('1 of 2 tasks done'),
      stderr: '',
    });
    expect(project.ralph('run').stdout).toMatch(
      /^[^!]*\n1 open task, [^!]*: 1 of 2 done\n[^!]*2 of 2 tasks done\./,
    );
  });

  it.each([
    ['all of it', ['.git', '.ralph', 'src'], 0],
    // Files of the old project block a result.
    ['its history alone', ['.git'], 5],
  ])('made anew at an old path knows nothing of the old one: %s', (_what, gone, exit) => {
    const old = begun();
    for (const name of gone) old.remove(name);
    old.git('init', '-q', '-b', 'main', '--template=');
    for (const [name, text] of [
      ['.ralph/PRD.md', LIST],
      ['.ralph/scenario.json', WORK],
      ['.ralph/ralph.toml', '[loop]\nagent = "scripted"\n'],
      ['other.md', 'another one\n'],
    ] as const)
      old.write(name, text);
    old.git('add', '-Af', '.ralph/PRD.md', '.ralph/scenario.json', '.ralph/ralph.toml', 'other.md');
    old.git('commit', '-qm', 'another beginning');
    const before = old.ralph('status');
    expect(before.stderr).toContain('This is another repository than the one that was here before');
    expect(before.stdout).toContain('0 of 2 tasks done');
    const run = old.json('run');
    // Both tasks are worked on.
    expect(run).toMatchObject({ exit_code: exit, tasks: { done: 2 } });
    expect(run.iterations).toBeGreaterThanOrEqual(2);
    expect(old.ralph('status').stderr).not.toContain('another repository');
  });

  it('cloned again at its path keeps its records', () => {
    const project = begun();
    const elsewhere = join(temporaryFolder(), 'clone');
    project.git('clone', '-q', '--no-local', '.', elsewhere);
    project.remove('.git');
    renameSync(join(elsewhere, '.git'), project.path('.git'));
    expect(statuses(project)).toBe('done open');
  });

  it('copied gets records of its own, and neither harms the other', () => {
    const one = begun();
    const folder = join(temporaryFolder(), 'copy');
    cpSync(one.root, folder, { recursive: true });
    const copy = projectAt(folder);
    copy.replaysDifferently('its first run was recorded in the other journal');
    const { stderr } = copy.ralph('status');
    expect(stderr).toContain(`This repository is a copy of ${one.root}, which keeps its records`);
    expect(stderr).toContain(NOT_VERIFIED);
    const run = copy.ralph('run');
    expect([run.code, run.stdout]).toEqual([5, expect.stringContaining('ralph tasks accept T-1')]);
    expect(copy.ralph('status').stderr).toBe('');
    expect(one.ralph('status').stderr).toBe('');
    expect(statuses(one)).toBe('done open');
    // The journal that was put aside is still there to accept.
    expect(copy.ralph('trust', '--journal').code).toBe(0);
    expect(statuses(copy)).toBe('done done');
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 1 });
  });
});

describe('records that nothing here vouches for', () => {
  it('on a second machine, or with another home: shown, and accepted by ralph trust --journal', () => {
    const project = begun();
    process.env.XDG_STATE_HOME = temporaryFolder();
    waitsUntilAccepted(project);
    rmSync(process.env.XDG_STATE_HOME, { recursive: true });
    waitsUntilAccepted(project);
  });

  it('without their key; doctor counts as the next run will', () => {
    const project = begun();
    process.env.XDG_STATE_HOME = temporaryFolder();
    project.ralph('trust', '--journal');
    rmSync(join(stateFolder(), 'key'));
    expect(project.json('doctor').findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'state.journal', detail: expect.stringContaining("key isn't here") }),
        expect.objectContaining({ id: 'tasks.unverified', detail: 'T-1' }),
      ]),
    );
    waitsUntilAccepted(project);
  });

  it('carried to another machine and back: its work waits, and nothing of it is lost', () => {
    const project = begun();
    process.env.XDG_STATE_HOME = temporaryFolder();
    project.ralph('trust', '--journal');
    expect(project.json('run')).toMatchObject({ exit_code: 0 });
    process.env.XDG_STATE_HOME = home;
    const { stderr } = project.ralph('status');
    expect(stderr).toContain("isn't from here (it was written with another key, as by another machine");
    expect(stderr).toMatch(/The file as it was found is kept as \.ralph\/journal\.jsonl\.damaged-/);
    expect(statuses(project)).toBe('done unverified');
  });
});

describe('what is deleted', () => {
  it('the journal comes back, and that is said by whatever command finds it', () => {
    const project = begun();
    project.remove('.ralph/journal.jsonl');
    const found = project.ralph('tasks');
    expect(found.stderr).toBe(
      '! .ralph/journal.jsonl was missing. 8 records that ralph wrote here were put back.\n',
    );
    expect(found.stdout).toContain('T-1  done');
    expect(project.ralph('tasks').stderr).toBe('');
  });

  it('the folder .ralph: the records come back, and the way to the rest is named', () => {
    const project = begun();
    project.remove('.ralph');
    const { code, stderr } = project.ralph('status');
    expect(code).toBe(2);
    expect(stderr).toContain('! The folder .ralph was missing.');
    expect(stderr).toContain('bring it back (git checkout -- .ralph/PRD.md)');
    project.git('checkout', '--', '.ralph');
    // The tick wasn't committed, so the list went back to what HEAD has, which decides nothing.
    const { stdout } = project.ralph('status');
    expect(stdout).toContain('! T-1 is still done: its mark was taken back. ralph tasks reopen T-1');
    expect(stdout).toContain('1 of 2 tasks done');
  });
});

it('a task whose line is wrong: the others are done, and the report names it with its reason', () => {
  const list = LIST.replace('**T-2**', '**T-1**');
  const project = makeProject({ '.ralph/PRD.md': list, '.ralph/scenario.json': WORK });
  const { code, stdout } = project.ralph('run');
  expect(code).toBe(5);
  const output = stdout.replace(/\s+/g, ' ');
  expect(output).toMatch(
    /Needs you ! t-\w+ Write part 2 It can't start until the list is fixed: the id T-1 is used/,
  );
  expect(output).toContain('Next: ralph tasks');
  expect(project.json('report').unfinished).toMatchObject([{ group: 'you', next: 'ralph tasks' }]);
});
