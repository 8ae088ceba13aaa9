/** @module-tag slow */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, type ProjectFiles, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';

// These tools of others are real: installed by `npm ci`, by .ci/run, or by the system.

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write part 1\n- [ ] **T-2** Write part 2\n';
/** The hook notes in the work tree, because in the box it can write nowhere else. */
const NOTE = 'echo ran >> ran.log\n';

/** Returns why a tool isn't tried here; `null` when it is installed. */
const without = (name: string) =>
  spawnSync('sh', ['-c', `command -v ${name}`]).status === 0 ? null : `${name} isn't installed`;

const packageFolder = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

/**
 * Returns a project with commits on `done`. The agent writes a file for its task and runs `attempts.sh` with the task's
 * id.
 */
function projectOf(files: ProjectFiles): Project {
  return makeProject({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n`,
    'agent.sh': `cat > /dev/null\necho "$RALPH_TASK_ID" > "$RALPH_TASK_ID.txt"\n. ./attempts.sh\n${SHELL_CLAIM}`,
    '.gitignore': 'ran.log\nnode_modules/\n',
    ...files,
  });
}

/** Runs a tool in the project, as a user does. */
function set(project: Project, command: string): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: project.root,
    encoding: 'utf8',
  });
  expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
}

type HookTool = {
  readonly name: string;
  readonly problem: string | null;
  readonly files: ProjectFiles;
  readonly setUp: (project: Project) => void;
  /** The agent changes this file. */
  readonly changed: string;
};

const HOOK_TOOLS: readonly HookTool[] = [
  {
    name: 'husky',
    problem: null,
    files: { '.husky/pre-commit': NOTE },
    setUp: (project) => set(project, `node '${packageFolder('husky')}/bin.js'`),
    changed: '.husky/pre-commit',
  },
  {
    name: 'lefthook',
    problem: without('lefthook'),
    files: {
      'lefthook.yml': 'pre-commit:\n  commands:\n    note:\n      run: sh ./tools/note.sh\n',
      'tools/note.sh': NOTE,
    },
    setUp: (project) => set(project, 'lefthook install'),
    changed: 'tools/note.sh',
  },
  {
    name: 'pre-commit',
    problem: without('pre-commit'),
    files: {
      '.pre-commit-config.yaml':
        'repos:\n  - repo: local\n    hooks:\n      - {id: note, name: note, entry: sh tools/note.sh, language: system}\n',
      'tools/note.sh': NOTE,
    },
    setUp: (project) => set(project, 'pre-commit install'),
    changed: 'tools/note.sh',
  },
];

describe('a commit of ralph with', () => {
  for (const { name, problem, files, setUp, changed } of HOOK_TOOLS) {
    it.skipIf(problem !== null)(
      `${name} runs its hook, and neither it nor the commit once an agent changed what it runs${problem === null ? '' : ` (${problem})`}`,
      () => {
        const project = projectOf({
          ...files,
          'attempts.sh': `[ "$RALPH_TASK_ID" = T-1 ] || echo 'echo changed >> ran.log' >> ${changed}\n`,
        });
        setUp(project);
        // This edit is yours, so it must not be in a commit of ralph.
        project.write('README.md', 'yours\n');
        const { code, stdout, stderr } = project.ralph('run');
        const text = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
        expect(code, text).toBe(0);
        expect(project.git('log', '--format=%s', '--', 'T-1.txt'), text).not.toBe('');
        expect(text).toContain(
          `T-2 is verified and waits: your commit hooks run ${changed}, and the task changed it`,
        );
        expect([project.exists('T-2.txt'), project.read('README.md')]).toEqual([false, 'yours\n']);
        expect(project.git('status', '--porcelain', 'README.md')).toBe(' M README.md');
      },
    );
  }

  it.skipIf(without('git-lfs') !== null)(
    `Git LFS holds pointers, and the files keep their content${without('git-lfs') === null ? '' : " (git-lfs isn't installed)"}`,
    () => {
      const project = projectOf({
        'attempts.sh':
          'printf "work of $RALPH_TASK_ID" > a.bin; printf "$RALPH_TASK_ID" > "$RALPH_TASK_ID.bin"\n',
      });
      set(project, 'git lfs install --local && git lfs track "*.bin" && printf yours > a.bin');
      // Copies need neither a server nor content that isn't stored here.
      project.git('config', 'lfs.url', 'http://127.0.0.1:1/');
      set(project, 'printf kept > b.bin && git add -A && git commit -qm LFS && rm -r .git/lfs/objects');
      const { code, stdout, stderr } = project.ralph('run');
      expect(code, `${stdout}${stderr}`).toBe(0);
      expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('5');
      for (const file of ['a.bin', 'T-1.bin', 'T-2.bin'])
        expect(project.git('show', `HEAD:${file}`)).toContain('https://git-lfs.github.com/spec/v1');
      expect([project.read('a.bin'), project.read('T-1.bin')]).toEqual(['work of T-2', 'T-1']);
      // A rollback writes content back, not the pointers of git-lfs.
      expect(project.ralph('rollback').code).toBe(0);
      expect(project.read('a.bin')).toBe('work of T-1');
      expect(project.git('status', '--porcelain', '--', '*.bin')).toBe('');
      expect(project.exists('T-2.bin')).toBe(false);
    },
  );

  it.skipIf(without('ssh-keygen') !== null)('a signature, whose key the box hides, is signed', () => {
    const project = projectOf({ 'attempts.sh': '[ ! -e ~/.ssh/key ] || echo seen > seen.txt\n' });
    const key = join(homedir(), '.ssh', 'key');
    mkdirSync(dirname(key), { recursive: true, mode: 0o700 });
    set(project, `ssh-keygen -q -t ed25519 -N '' -f '${key}'`);
    for (const [name, value] of Object.entries({
      'commit.gpgSign': 'true',
      'gpg.format': 'ssh',
      'user.signingKey': key,
    }))
      project.git('config', name, value);
    expect(project.ralph('run', '--task', 'T-1').code).toBe(0);
    expect(project.git('cat-file', 'commit', 'HEAD')).toContain('BEGIN SSH SIGNATURE');
    expect(existsSync(key)).toBe(true);
  });
});
