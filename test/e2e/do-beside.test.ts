/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { ANSWER, FOREIGN, foreignAt, hasHalf, makeForeign, settingsOfYours, TASKS } from '../helpers/do.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/repository.ts';

beforeAll(settingsOfYours);

const { Node } = FOREIGN;
const LIST = {
  '.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the first\n- [ ] **T-2** Write the second\n',
  '.ralph/ralph.toml':
    '[loop]\nagent = "scripted"\n\n[gates]\ncommands = [{ name = "test", run = "npm test" }]\n',
};

/** Runs `work` with these programs first on the PATH; with `alone`, followed only by the system's. */
function withPrograms<T>(names: readonly string[], work: () => T): T {
  const folder = temporaryFolder();
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, name), 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = `${folder}:/usr/bin:/bin`;
  try {
    return work();
  } finally {
    process.env.PATH = PATH;
  }
}

describe('beside a task list', () => {
  it('neither knows of the other', () => {
    const one = makeForeign(Node, LIST);
    expect(one.ralph('step').code).toBe(0);
    const asked = one.do(TASKS.asks);
    expect(asked).toMatchObject({ exit_code: 4, next: ['ralph answer DO-1 "…"'] });
    expect(one.json('tasks').tasks.map(({ id }: { id: string }) => id)).toEqual(['T-1', 'T-2']);
    const status = one.ralph('status');
    expect(status.stderr).toContain("DO-1 of ralph do isn't finished");
    expect(status.stdout).not.toContain('DO-1');
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 1 });
    expect(one.ralph('answer', 'DO-1', ANSWER)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Next: ralph do'),
    });
    expect(one.ralph('explain', 'DO-1').stdout).toContain('agent is blocked');
    const [run = ''] = readdirSync(join(one.folder, 'runs'));
    expect(one.json('replay', run)).toMatchObject({ exit_code: 0, run, differences: 0 });
    expect(one.json('do')).toMatchObject({ exit_code: 0, do: { landed: true } });
    expect(one.git('log', '--format=%s').split('\n')).toEqual(
      expect.arrayContaining([`${TASKS.asks} (DO-1)`, 'Write the first (T-1)', 'Write the second (T-2)']),
    );
    expect(one.json('tasks').tasks).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  it("leaves the list's records when it is forgotten", () => {
    const one = makeForeign(Node, LIST);
    expect(one.ralph('step').code).toBe(0);
    const before = one.traces();
    const journal = one.read('.ralph/journal.jsonl');
    expect(one.do(TASKS.liar, '--check', 'test -e fast')).toMatchObject({ exit_code: 4 });
    // Without arguments, `ralph do` continues its task with more attempts.
    expect(one.json('do')).toMatchObject({ exit_code: 4, iterations: 3, do: { task_id: 'DO-1' } });
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, work: true });
    expect(one.traces()).toEqual(before);
    expect(one.read('.ralph/journal.jsonl')).toBe(journal);
    expect(existsSync(join(one.home, 'do'))).toBe(false);
    expect(one.json('replay')).toMatchObject({ exit_code: 0, differences: 0 });
  });

  it('one of them runs at a time, and what is asked then is about that one', async () => {
    const one = makeForeign(Node, LIST);
    const { ended } = one.start('do', '--agent', 'scripted', TASKS.slow);
    await eventually(() => expect(hasHalf(one)).toBe(true));
    expect(one.json('run')).toMatchObject({ exit_code: 10 });
    expect(one.json('do', TASKS.slow)).toMatchObject({ exit_code: 10 });
    expect(one.json('status')).toMatchObject({ tracker: 'ralph do', current: { task_id: 'DO-1' } });
    expect(one.json('stop', '--now').exit_code).toBe(0);
    expect((await ended).code).toBe(130);
    expect(one.json('status')).toMatchObject({ tracker: '.ralph/PRD.md' });
  });
});

describe('wherever it is called', () => {
  it('in a subfolder of a linked work tree, with the text from a file', () => {
    const main = makeForeign(Node);
    const folder = join(temporaryFolder(), 'linked');
    main.git('worktree', 'add', '-q', '-b', 'side', folder);
    const before = main.traces();
    const one = foreignAt({ root: folder });
    const input = `${TASKS.honest}\n\nIt counts one page too many.\n`;
    const { status, stdout } = spawnSync(
      process.execPath,
      [BIN, '--json', 'do', '--agent', 'scripted', '--files', '*.js'],
      { cwd: join(folder, 'test'), input, env: { ...process.env, RALPH_TRUST: '1' }, encoding: 'utf8' },
    );
    expect(status, stdout).toBe(0);
    expect(one.git('log', '--format=%s')).toBe(`${TASKS.honest} (DO-1)\nstart`);
    expect(main.git('log', '--format=%s', 'main')).toBe('start');
    const [run = ''] = readdirSync(join(one.folder, 'runs'));
    const prompt = readFileSync(join(one.folder, 'runs', run, 'iterations', '0001', 'prompt.md'), 'utf8');
    expect(prompt).toContain('It counts one page too many.');
    expect(prompt).toContain('*.js');
    expect(main.traces()).toEqual(before);
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, forgotten: { id: 'DO-1' } });
    expect(existsSync(one.home)).toBe(false);
  });

  it('on your own edits: what you changed, too, waits for you', () => {
    const one = makeForeign(Node);
    const before = one.traces();
    one.write('pager.js', `${one.read('pager.js')}// mine\n`);
    const waits = one.do(TASKS.honest);
    expect(waits).toMatchObject({ exit_code: 5, do: { status: 'done', landed: false } });
    expect(one.do('Name the pages')).toMatchObject({ exit_code: 2 });
    one.git('checkout', '-q', '--', 'pager.js');
    expect(one.json('do')).toMatchObject({ exit_code: 0, iterations: 0, do: { landed: true } });
    expect(one.git('log', '--format=%s')).toBe(`${TASKS.honest} (DO-1)\nstart`);
    expect(one.traces()).toEqual(before);
    // Each task of `ralph do` has a number of its own.
    expect(one.do(TASKS.asks)).toMatchObject({ exit_code: 4, do: { task_id: 'DO-2' } });
  });

  it('by ralph land, too, nothing else is left', () => {
    const one = makeForeign(Node);
    const before = one.traces();
    one.write('pager.js', `${one.read('pager.js')}// mine\n`);
    expect(one.do(TASKS.honest).exit_code).toBe(5);
    one.git('checkout', '-q', '--', 'pager.js');
    expect(one.json('land', 'DO-1')).toMatchObject({ exit_code: 0 });
    expect(one.traces()).toEqual(before);
  });
});

describe('where it can not start, it says what to do and leaves nothing', () => {
  const states = () => {
    const folder = process.env.XDG_STATE_HOME ?? '';
    return existsSync(join(folder, 'ralph')) ? readdirSync(join(folder, 'ralph')) : [];
  };

  it('without an agent, and with several', () => {
    const one = makeForeign(Node);
    const before = states();
    mkdirSync(process.env.XDG_STATE_HOME ?? '', { recursive: true });
    const none = withPrograms([], () => one.json('do', TASKS.honest));
    expect(none).toMatchObject({ exit_code: 2 });
    expect(none.error.message).toContain('claude      npm i -g');
    const several = withPrograms(['claude', 'codex'], () => one.json('do', TASKS.honest, '--files', '*.js'));
    expect(several).toMatchObject({
      exit_code: 2,
      error: {
        message: 'Several agents are installed: claude, codex. Choose one.',
        next: `ralph --format json do --agent claude '${TASKS.honest}' --files '*.js'`,
      },
    });
    expect(states()).toEqual(before);
    expect(one.exists('.git/ralph')).toBe(false);
  });

  it('without your yes to the commands that it found', () => {
    const one = makeForeign(Node);
    const before = states();
    const env = { ...process.env, RALPH_TRUST: '' };
    const refused = spawnSync(process.execPath, [BIN, 'do', '--agent', 'scripted', TASKS.honest], {
      ...{ cwd: one.root, env, encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('gate      test: npm test');
    expect(refused.stderr).toContain(`Next: ralph do --trust --agent scripted '${TASKS.honest}'`);
    expect(states()).toEqual(before);
    expect(one.exists('.git/ralph')).toBe(false);
  });

  it('without words, without a commit, and with a limit that can not be kept', () => {
    const one = makeForeign(Node);
    expect(one.do()).toMatchObject({
      exit_code: 2,
      error: { message: expect.stringContaining('What is to be done?') },
    });
    one.git('update-ref', '-d', 'HEAD');
    expect(one.do(TASKS.honest)).toMatchObject({
      exit_code: 2,
      error: { next: 'git add -A && git commit -m Start' },
    });
    one.git('commit', '-q', '-m', 'start');
    expect(one.json('do', '--forget')).toMatchObject({ exit_code: 0, forgotten: null });
    expect(one.exists('.git/ralph')).toBe(false);
  });
});
