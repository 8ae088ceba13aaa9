import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../../src/domain/scenario.ts';
import { makeStage, runAgent, type Stage } from './build-scripted.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await makeStage();
});

const TASK = { RALPH_RUN: 'r-1', RALPH_ITERATION: '4', RALPH_TASK_ID: 'E1-02', RALPH_ATTEMPT: '2' };

function play(actions: readonly ScenarioAction[], cwd = stage.fresh()) {
  const file = stage.scenario({ steps: [{ do: actions }] });
  return runAgent({ argv: [process.execPath, stage.program, file], cwd, env: TASK });
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
}

describe('effects on files', () => {
  it('writes, appends, edits, renames, deletes, links and changes modes', async () => {
    const cwd = stage.fresh();
    const ran = await play(
      [
        { action: 'write', path: 'src/{task}.txt', content: 'one {attempt} {other}\n' },
        { action: 'append', path: 'src/E1-02.txt', content: 'two\ntwo\n' },
        { action: 'edit', path: 'src/E1-02.txt', find: 'two', replace: '$& three' },
        { action: 'write', path: 'old/a.txt', content: 'a' },
        { action: 'rename', from: 'old/a.txt', to: 'new/b.txt' },
        { action: 'delete', path: 'old' },
        { action: 'chmod', path: 'new/b.txt', mode: '755' },
        { action: 'symlink', path: 'link', target: '/etc/hosts' },
        { action: 'mkdir', path: 'empty/deep' },
      ],
      cwd,
    );
    expect(ran).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect(readFileSync(join(cwd, 'src/E1-02.txt'), 'utf8')).toBe('one 2 {other}\n$& three\ntwo\n');
    expect(existsSync(join(cwd, 'old'))).toBe(false);
    expect(statSync(join(cwd, 'new/b.txt')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(cwd, 'link'))).toBe('/etc/hosts');
    expect(lstatSync(join(cwd, 'empty/deep')).isDirectory()).toBe(true);
  });

  it('touches and rewrites without changing a byte', async () => {
    const cwd = stage.fresh();
    for (const name of ['a', 'b', 'c']) {
      writeFileSync(join(cwd, name), Buffer.from([0xff, 0, 10]));
      utimesSync(join(cwd, name), 1000, 1000);
    }
    await play(
      [
        { action: 'touch', path: 'a' },
        { action: 'rewrite_same', path: 'b' },
      ],
      cwd,
    );
    const times = ['a', 'b', 'c'].map((name) => statSync(join(cwd, name)).mtimeMs > 1_000_000);
    expect(times).toEqual([true, true, false]);
    expect(readFileSync(join(cwd, 'b'))).toEqual(Buffer.from([0xff, 0, 10]));
  });

  it('ticks the box of its task, a box by text, else the first open one', async () => {
    const cwd = stage.fresh();
    const file = join(cwd, 'PRD.md');
    writeFileSync(file, '# P\n- [x] E1-02: done\n- [ ] one\n- [~] E1-02: mine\n  * [ ] deep\n1. [-] last\n');
    await play(
      [
        { action: 'tick', path: 'PRD.md' },
        { action: 'tick', path: 'PRD.md', text: 'last' },
      ],
      cwd,
    );
    expect(readFileSync(file, 'utf8')).toBe(
      '# P\n- [x] E1-02: done\n- [ ] one\n- [x] E1-02: mine\n  * [ ] deep\n1. [x] last\n',
    );
    await play([{ action: 'tick', path: 'PRD.md' }], cwd);
    expect(readFileSync(file, 'utf8')).toContain('- [x] one\n');
  });

  it('commits everything, chosen paths, or nothing', async () => {
    const cwd = stage.fresh();
    git(cwd, 'init', '-q', '-b', 'main');
    const ran = await play(
      [
        { action: 'write', path: 'a.txt', content: 'a' },
        { action: 'commit', message: '{task}: all' },
        { action: 'write', path: 'b.txt', content: 'b' },
        { action: 'write', path: 'c.txt', content: 'c' },
        { action: 'commit', message: 'chosen', add: ['b.txt'] },
        { action: 'commit', message: 'empty', allow_empty: true },
      ],
      cwd,
    );
    expect(ran.stderr).toBe('');
    expect(git(cwd, 'log', '--format=%s', '--name-only').split(/\n+/)).toEqual([
      'empty',
      'chosen',
      'b.txt',
      'E1-02: all',
      'a.txt',
    ]);
    expect(git(cwd, 'status', '--porcelain')).toBe('?? c.txt');
  });

  it.each<[string, ScenarioAction]>([
    ['a path above', { action: 'write', path: '../out.txt', content: 'x' }],
    ['an absolute path', { action: 'write', path: '/out.txt', content: 'x' }],
    ['a folder that is a link', { action: 'write', path: 'away/out.txt', content: 'x' }],
    ['a file that is a link', { action: 'append', path: 'file-away', content: 'x' }],
    ['a link to nowhere', { action: 'write', path: 'dangling', content: 'x' }],
    ['a rename out', { action: 'rename', from: 'in.txt', to: 'away/x' }],
    ['a commit of paths above', { action: 'commit', message: 'x', add: ['../x'] }],
  ])('stays inside: %s', async (_, action) => {
    const cwd = stage.fresh();
    const away = stage.fresh();
    writeFileSync(join(away, 'kept'), 'kept');
    writeFileSync(join(cwd, 'in.txt'), 'in');
    symlinkSync(away, join(cwd, 'away'));
    symlinkSync(join(away, 'kept'), join(cwd, 'file-away'));
    symlinkSync(join(away, 'made'), join(cwd, 'dangling'));
    const ran = await play([action], cwd);
    expect(ran.code).toBe(70);
    expect(ran.stderr).toMatch(/^scripted agent: .* leaves the working directory/);
    expect(readFileSync(join(away, 'kept'), 'utf8')).toBe('kept');
    expect(existsSync(join(away, 'made')) || existsSync(join(away, 'out.txt'))).toBe(false);
  });

  it('takes relative paths alone', async () => {
    const cwd = stage.fresh();
    const ran = await play([{ action: 'write', path: join(cwd, 'a.txt'), content: 'x' }], cwd);
    expect(ran.code).toBe(70);
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false);
  });

  it('may delete a link that points outside', async () => {
    const cwd = stage.fresh();
    const away = stage.fresh();
    symlinkSync(away, join(cwd, 'away'));
    expect((await play([{ action: 'delete', path: 'away' }], cwd)).code).toBe(0);
    expect(existsSync(away)).toBe(true);
  });

  it.each<[ScenarioAction, RegExp]>([
    [{ action: 'edit', path: 'a.txt', find: 'zzz', replace: '' }, /a\.txt does not hold "zzz"/],
    [{ action: 'delete', path: 'nothing' }, /nothing does not exist/],
    [{ action: 'delete', path: '.' }, /working directory itself/],
    [{ action: 'tick', path: 'a.txt' }, /no open box/],
    [{ action: 'append', path: 'folder', content: 'x' }, /EISDIR/],
    [{ action: 'run', argv: ['no-such-program-here'] }, /cannot run no-such-program-here/],
    [{ action: 'commit', message: 'x' }, /git add failed/],
  ])('reports what it cannot do: %j', async (action, message) => {
    const cwd = stage.fresh();
    writeFileSync(join(cwd, 'a.txt'), 'a');
    mkdirSync(join(cwd, 'folder'));
    const ran = await play([action], cwd);
    expect(ran.code).toBe(70);
    expect(ran.stderr).toMatch(message);
  });
});

describe('words and ends', () => {
  it('prints text and a status block with the given task', async () => {
    const ran = await play([
      { action: 'print', text: 'Working on {task}, attempt {attempt}.' },
      { action: 'status', status: 'DONE', exit_signal: true, evidence: ['src/{task}.txt:1-2 made'] },
    ]);
    expect(ran.stdout).toBe(
      'Working on E1-02, attempt 2.\nRALPH_STATUS\nTASK: E1-02\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n- src/E1-02.txt:1-2 made\nEND_RALPH_STATUS\n',
    );
  });

  it('gives a reason, and lies about its task', async () => {
    const ran = await play([
      { action: 'status', status: 'BLOCKED', exit_signal: false, reason: 'no access', task: 'X' },
    ]);
    expect(ran.stdout).toBe(
      'RALPH_STATUS\nTASK: X\nSTATUS: BLOCKED\nEXIT_SIGNAL: false\nREASON: no access\nEND_RALPH_STATUS\n',
    );
  });

  it('exits and fails with a code, and does nothing after it', async () => {
    const rest: ScenarioAction = { action: 'print', text: 'never' };
    expect(await play([{ action: 'exit', code: 3 }, rest])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: '',
    });
    expect(await play([{ action: 'fail', stderr: 'boom {task}', code: 9 }, rest])).toMatchObject({
      code: 9,
      stdout: '',
      stderr: 'boom E1-02\n',
    });
  });

  it('hangs until it is killed, with its words already out', async () => {
    const file = stage.scenario({
      steps: [{ do: [{ action: 'print', text: 'waiting' }, { action: 'hang' }] }],
    });
    const ran = await runAgent({
      argv: [process.execPath, stage.program, file],
      cwd: stage.fresh(),
      onOutput: (_, kill) => kill('SIGTERM'),
    });
    expect(ran).toMatchObject({ code: null, signal: 'SIGTERM', stdout: 'waiting\n' });
  });

  it('runs a real program whose output is not its own words', async () => {
    const ran = await play([
      { action: 'run', argv: [process.execPath, '-e', 'console.log("tool"); process.exit(5)'] },
      { action: 'sleep', seconds: 0 },
      { action: 'tool', name: 'Bash', input: {} },
      { action: 'print', text: 'mine' },
    ]);
    expect(ran).toMatchObject({ code: 0, stdout: 'mine\n', stderr: 'tool\n' });
  });

  it('leaves a process behind that does not keep it', async () => {
    const ran = await runAgent({
      argv: [
        process.execPath,
        stage.program,
        stage.scenario({ steps: [{ do: [{ action: 'spawn_background', seconds: 600 }] }] }),
      ],
      cwd: stage.fresh(),
      env: { STAGE: stage.folder },
    });
    expect(ran.code).toBe(0);
    // Found as ralph finds it: by what stands in its environment.
    const left = processesWith(`STAGE=${stage.folder}`);
    const groups = left.map((pid) => Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)])));
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toHaveLength(1);
    expect(groups).toEqual(left);
  });
});

function processesWith(marker: string): number[] {
  const listing = execFileSync('ps', ['axeww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return listing
    .split('\n')
    .filter((line) => line.includes(marker) && line.includes('setTimeout'))
    .map((line) => Number.parseInt(line, 10));
}
