import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeProject, projectAt } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/repository.ts';

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

it('ends with a message where XDG_STATE_HOME is no folder', () => {
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
