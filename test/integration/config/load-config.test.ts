import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatProblems, loadConfigFiles } from '../../../src/app/setup/load-config.ts';
import type { LoadedConfig } from '../../../src/config/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let top: string;
let root: string;

beforeEach(() => {
  top = temporaryFolder();
  root = join(top, 'repo');
  mkdirSync(root);
});

function write(path: string, content: string | Buffer): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
}

function load(env: Record<string, string> = {}, flags: Record<string, unknown> = {}): Promise<LoadedConfig> {
  return loadConfigFiles({ root, env: { HOME: join(top, 'home'), ...env }, flags });
}

function messages(result: LoadedConfig): string {
  return formatProblems(result.ok ? result.warnings : result.problems);
}

const project = (): string => join(root, '.ralph', 'ralph.toml');

describe('loadConfigFiles', () => {
  it('needs no file', async () => {
    const result = await load();
    expect(result.ok && result.config.loop.agent).toBe('auto');
    expect(messages(result)).toBe('');
  });

  it('merges the files of the user and the project, the environment and flags', async () => {
    write(
      join(top, 'home', '.config', 'ralph', 'config.toml'),
      '[loop]\nagent = "codex"\nmax_iterations = 1\n',
    );
    write(project(), '\ufeff[loop]\nmax_iterations = 2\nno_progress_limit = 2\nmax_attempts_per_task = 2\n');
    const result = await load(
      { RALPH_LOOP_NO_PROGRESS_LIMIT: '3', RALPH_LOOP_MAX_ATTEMPTS_PER_TASK: '3' },
      { 'loop.max_attempts_per_task': 4 },
    );
    if (!result.ok) throw new Error(messages(result));
    expect(result.config.loop).toMatchObject({
      agent: 'codex',
      max_iterations: 2,
      no_progress_limit: 3,
      max_attempts_per_task: 4,
    });
    expect(result.provenance('loop.agent')).toEqual({
      layer: 'user',
      source: '~/.config/ralph/config.toml',
      line: 2,
    });
    expect(result.provenance('loop.max_iterations')).toEqual({
      layer: 'project',
      source: '.ralph/ralph.toml',
      line: 2,
    });
  });

  it('looks under XDG_CONFIG_HOME where it is absolute', async () => {
    const xdg = join(top, 'xdg');
    write(join(xdg, 'ralph', 'config.toml'), '[loop]\nagent = "gemini"\n');
    const result = await load({ XDG_CONFIG_HOME: xdg });
    expect(result.ok && result.config.loop.agent).toBe('gemini');
    const relative = await load({ XDG_CONFIG_HOME: 'xdg' });
    expect(relative.ok && relative.config.loop.agent).toBe('auto');
  });

  it.each<[what: string, make: () => void, message: RegExp]>([
    [
      'a directory',
      () => mkdirSync(project(), { recursive: true }),
      /^\.ralph\/ralph\.toml: .*it is a folder/,
    ],
    [
      'a file that is not UTF-8',
      () => write(project(), Buffer.from([0x61, 0xff, 0x62])),
      /^\.ralph\/ralph\.toml: .*not valid UTF-8/,
    ],
    [
      'a file where the directory should be',
      () => writeFileSync(join(root, '.ralph'), ''),
      /^\.ralph\/ralph\.toml: .*a part of its path isn't a folder/,
    ],
    [
      'a link to itself',
      () => {
        mkdirSync(join(root, '.ralph'));
        symlinkSync('ralph.toml', project());
      },
      /^\.ralph\/ralph\.toml: cannot be read: its links lead in a circle/,
    ],
  ])('%s is a problem, not a missing file', async (_, make, message) => {
    make();
    const result = await load();
    expect(result.ok).toBe(false);
    expect(messages(result)).toMatch(message);
  });

  it('reports all mistakes of all files, each with its line', async () => {
    write(join(top, 'home', '.config', 'ralph', 'config.toml'), '[loop]\nagent = codex\n');
    write(project(), '[loop]\n\nagnet = "x"\n');
    expect(messages(await load({}, { 'loop.max_iterations': 'many' })).split('\n')).toEqual([
      expect.stringMatching(/^~\/\.config\/ralph\/config\.toml:2: column 9: isn't valid TOML/),
      '.ralph/ralph.toml:3: unknown key "agnet" in [loop]; did you mean "agent"?',
      '--max-iterations: expected a number, found "many"',
    ]);
  });

  it('warns of a file in the root that ralph-gold would have read', async () => {
    write(join(root, 'ralph.toml'), '[loop]\n');
    expect(messages(await load())).toBe('ralph.toml: is not read; move it to .ralph/ralph.toml');
    write(project(), '');
    expect(messages(await load())).toBe('');
  });
});
