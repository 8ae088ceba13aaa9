/** @module-tag rest */

import { mkdirSync, readFileSync } from 'node:fs';
import { stripControl } from 'ralph-kit/text';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { always, blocked, makeProject, projectAt } from '../helpers/cli.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { temporaryFolder } from '../helpers/repository.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const config = (text: string) => makeProject({ '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n${text}` });

it('init writes nothing beside a configuration that cannot be read', () => {
  const project = makeProject({ '.ralph/ralph.toml': '[loop\n' });
  const { code, stderr } = project.ralph('init', '--yes');
  expect(code).toBe(2);
  expect(stderr).toContain(".ralph/ralph.toml:1: column 6: isn't valid TOML");
  expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe('');
});

it('names a min_timeout that the timeout of the mode is below', () => {
  const stderrOf = (text: string) => config(text).ralph('status').stderr;
  expect(stderrOf('[adaptive_timeout]\nmin_timeout = 600\n')).toContain(
    '[adaptive_timeout] min_timeout (600 s) is above the timeout of mode speed (120 s)',
  );
  expect(stderrOf('[adaptive_timeout]\nmin_timeout = 120\n')).toBe('');
});

it('names a .ralph that lies below the top of the repository', () => {
  const project = config('');
  mkdirSync(project.path('packages/api/.ralph'), { recursive: true });
  const { code, stderr } = project.ralph('--cwd', 'packages/api', 'status');
  expect(stderr).toContain("packages/api/.ralph isn't read: ralph works from the top of the repository");
  expect(code).toBe(0);
  expect(project.ralph('status').stderr).toBe('');
});

it("ends with a message where XDG_STATE_HOME isn't a folder", () => {
  const project = config('');
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = '/dev/null/state';
  try {
    expect(project.ralph('status')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`XDG_STATE_HOME is "/dev/null/state", and /dev/null isn't a folder.`),
    });
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  }
});

describe('ralph notify test', () => {
  it('sends on every channel, and says which took it', () => {
    const project = config('[notify]\ncommand = "cat > got.json"\n');
    expect(project.ralph('notify', 'test', '--trust')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('command took it'),
    });
    expect(JSON.parse(project.read('got.json'))).toMatchObject({ kind: 'test', title: 'ralph: a test' });
  });

  it('ends with exit 1 where one does not take it, with 2 where there is none', () => {
    const project = config('[notify]\ncommand = "echo no route >&2; exit 3"\ntries = 1\n');
    expect(project.ralph('notify', 'test', '--trust')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✖ command: '),
    });
    expect(config('').ralph('notify', 'test', '--trust').code).toBe(2);
  });
});

it('demo --keep makes its repository in a new folder alone', () => {
  const place = projectAt(temporaryFolder());
  expect(place.ralph('demo', '--keep', 'first-night').code).toBe(0);
  expect(readFileSync(place.path('first-night/.ralph/PRD.md'), 'utf8')).toContain('**T-5**');
  expect(place.ralph('demo', '--keep', 'first-night')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("isn't empty. Nothing was written."),
  });
});

describe('ralph help', () => {
  it.each([
    [['nosuch'], "Unknown command 'nosuch'.", 'ralph --help'],
    [['statuss'], "Unknown command 'statuss'. Did you mean status?", 'ralph help status'],
    [['tasks', 'ad'], "Unknown command 'tasks ad'. Did you mean tasks add?", 'ralph help tasks add'],
  ])('%j: says that there is no such command, and exits with 2', (words, message, next) => {
    const { code, stdout, stderr } = config('').ralph('help', ...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`ralph: ${message}\n  Next: ${next}`);
    expect(stderr).not.toContain('Usage:');
  });

  it.each([
    [[], 'Usage: ralph [options] [command]'],
    [['run'], 'Usage: ralph run [options]'],
    [['tasks', 'add'], 'Usage: ralph tasks add [options] <title...>'],
  ])('%j: prints the options', (words, usage) => {
    const { code, stdout } = config('').ralph('help', ...words);
    expect(code).toBe(0);
    expect(stdout).toContain(usage);
  });
});

it('an agent that nothing is known of is named with the key that says how it starts', () => {
  const project = makeProject({ '.ralph/ralph.toml': '[loop]\nagent = "fake"\n' });
  const { code, stderr } = project.ralph('run');
  expect(code).toBe(2);
  expect(stderr).toMatch(/ralph\.toml:2: \[loop\] agent: .*found "fake".*\[runners\.fake\] argv/);
});

it('the first task of your own takes the place of the example of ralph init', () => {
  const project = makeProject({ '.ralph/PRD.md': '' });
  project.remove('.ralph');
  expect(project.ralph('init', '--yes', '--agent', 'scripted').code).toBe(0);
  expect(project.read('.ralph/PRD.md')).toContain('Replace this line');
  expect(project.ralph('tasks', 'add', 'Write the parser').code).toBe(0);
  const list = project.read('.ralph/PRD.md');
  expect(list).toContain('## Tasks\n\n- [ ] **T-1** Write the parser\n');
  expect(list).not.toMatch(/Replace this line|how you will know/);
  expect(project.json('tasks')).toMatchObject({ problems: [], tasks: [{ id: 'T-1' }] });
});

it('what hook install would write can be copied', () => {
  const { code, stdout } = config('').ralph('hook', 'install', 'claude', '--dry-run');
  expect(code).toBe(0);
  const [, json = ''] = /^\.claude\/settings\.json is made:\n([\s\S]*?\n})$/m.exec(stdout) ?? [];
  expect(JSON.parse(json)).toMatchObject({ hooks: { Stop: [{}] } });
  expect(json).toContain('| cat",\n');
});

it.runIf(HAS_TERMINAL)('what hook install would write is not broken at the width of a terminal', async () => {
  const at = onTerminal(config('').root, ['hook', 'install', 'claude', '--dry-run'], {
    columns: 40,
    rows: 50,
  });
  const { stdout } = await at.ended;
  expect(stripControl(stdout)).toContain(
    '"command": "ralph hook run claude --max-asks 3 --max-time 300 | cat",',
  );
});

describe('signs', () => {
  const project = () =>
    makeProject({
      '.ralph/PRD.md': '## Tasks\n\n- [ ] **T-1** Écrire · one\n',
      '.ralph/scenario.json': always(blocked('Which language?')),
    });

  it.each([
    ['C', ''],
    ['POSIX', ''],
    ['en_US.ISO-8859-1', ''],
    ['C.UTF-8', 'C'],
  ])('are plain where the locale has no others: LANG=%s LC_ALL=%s', (lang, all) => {
    vi.stubEnv('LANG', lang);
    vi.stubEnv('LC_ALL', all);
    const one = project();
    const shown = [['run'], ['report'], ['interventions']].map((args) => one.ralph(...args).stdout);
    expect(shown.join('\n')).not.toMatch(/[✔✖●·…→–]/u);
    // Your own text is printed as you wrote it, but with plain signs; where a program reads it, nothing is replaced.
    expect(shown[1]).toContain('  x T-1 Écrire - one\n');
    expect(one.json('tasks').tasks).toMatchObject([{ title: 'Écrire · one' }]);
  });

  it.each(['C.UTF-8', 'en_US.utf8', ''])("are ralph's own elsewhere: LANG=%s", (lang) => {
    vi.stubEnv('LANG', lang);
    vi.stubEnv('LC_ALL', '');
    const one = project();
    one.ralph('run');
    expect(one.ralph('report').stdout).toContain('  ✖ T-1 Écrire · one\n');
  });
});

it('the queue says why a task is blocked, and that it is once', () => {
  const project = makeProject({
    '.ralph/PRD.md': '## Tasks\n\n- [-] **T-1** One\n- [ ] **T-2** Two\n',
    '.ralph/scenario.json': always(blocked('Which language?')),
  });
  project.ralph('run');
  const { stdout } = project.ralph('queue');
  expect(stdout).toMatch(/^T-1 +blocked +marked as blocked in the task list$/m);
  expect(stdout).toMatch(/^T-2 +blocked +.*Which language\?/m);
  expect(stdout).not.toMatch(/blocked +blocked/);
});
