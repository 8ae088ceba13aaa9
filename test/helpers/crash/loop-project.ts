import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHELL_CLAIM, shellAgent } from '../project-files.ts';
import { makeRepository, type TestRepository } from '../repository.ts';

/** Kinds of projects. `gates`: two gates run; `commit`: done work is committed. */
export const LOOP_KINDS = ['plain', 'gates', 'commit'] as const;
export type LoopKind = (typeof LOOP_KINDS)[number];

/** An agent that writes one file for its task, claims to be done, and leaves a process behind. */
const AGENT = `#!/bin/sh
cat > /dev/null
[ -z "$AGENT_FILLS" ] || head -c 256M /dev/zero > "$AGENT_FILLS"
[ -z "$AGENT_RAN" ] || echo ran >> "$AGENT_RAN"
sleep 60 &
mkdir -p work
echo "$RALPH_TASK_ID $RALPH_ITERATION" > "work/$RALPH_TASK_ID.txt"
${SHELL_CLAIM}`;

const SETTINGS: Readonly<Record<LoopKind, string>> = {
  plain: '',
  gates: '[gates]\ncommands = ["true", "test -d work"]\n',
  commit: '[git]\ncommit = "on_done"\n',
};

export type LoopProject = {
  readonly repository: TestRepository;
  readonly tasks: readonly string[];
  /** Returns what isn't as the user left it: files, staged entries, stash, task list, configuration. */
  readonly personsLosses: () => string[];
};

/** Makes a repository with a number of tasks, and with dirty, staged, untracked and stashed work of the user's. */
export function makeLoopProject(kind: LoopKind, taskCount: number): LoopProject {
  const tasks = Array.from({ length: taskCount }, (_, index) => `T-${index + 1}`);
  const list = `# Plan\n\n## Tasks\n\n${tasks.map((id) => `- [ ] **${id}** Write the file of ${id}\n`).join('')}`;
  const config = `${shellAgent('max_iterations = 100000')}${SETTINGS[kind]}`;
  const repository = makeRepository({
    'agent.sh': AGENT,
    'README.md': 'hello\n',
    'staged.txt': 'one\n',
    'dirty.txt': 'one\n',
    '.ralph/PRD.md': list,
    '.ralph/ralph.toml': config,
  });
  const { git, write, read, exists } = repository;
  write('README.md', 'stashed\n');
  git('stash', '-q');
  write('staged.txt', 'staged\n');
  git('add', 'staged.txt');
  write('staged.txt', 'staged and edited\n');
  write('dirty.txt', 'dirty\n');
  write('untracked.txt', 'untracked\n');
  const files = ['agent.sh', 'README.md', 'staged.txt', 'dirty.txt', 'untracked.txt', '.ralph/ralph.toml'];
  const before = new Map(files.map((name) => [name, read(name)]));
  const stash = read('.git/refs/stash');
  const index = readFileSync(repository.path('.git/index'));
  const staged = git('ls-files', '-s', 'staged.txt');

  function personsLosses(): string[] {
    const lost = files.filter((name) => !exists(name) || read(name) !== before.get(name));
    if (read('.git/refs/stash') !== stash) lost.push('the stash');
    if (read('.ralph/PRD.md').replaceAll('- [x]', '- [ ]') !== list) {
      const now = read('.ralph/PRD.md').split('\n');
      const other = now.find((line, index) => line.replace('- [x]', '- [ ]') !== list.split('\n')[index]);
      lost.push(`the task list (${other ?? 'lines are missing'})`);
    }
    if (kind !== 'commit' && !readFileSync(repository.path('.git/index')).equals(index))
      lost.push('the index');
    if (kind === 'commit') {
      if (git('ls-files', '-s', 'staged.txt') !== staged) lost.push('the staged entry');
      const other = git('diff', '--cached', '--name-status')
        .split('\n')
        .filter((line) => line !== 'M\tstaged.txt');
      lost.push(...other.filter((line) => line !== '').map((line) => `the index, which now holds ${line},`));
    }
    return lost.map((name) => `${name} changed`);
  }
  return { repository, tasks, personsLosses };
}

/** Returns the complete lines of the journal, sealed segments first. */
export function journalLines(root: string, unzip: (bytes: Buffer) => Buffer): string[] {
  const folder = join(root, '.ralph', 'journal');
  const sealed = existsSync(folder) ? readdirSync(folder).sort() : [];
  const journal = join(root, '.ralph', 'journal.jsonl');
  const texts = [
    ...sealed.filter((name) => name.endsWith('.gz')).map((name) => unzip(readFileSync(join(folder, name)))),
    existsSync(journal) ? readFileSync(journal) : Buffer.alloc(0),
  ];
  return texts.flatMap((text) => text.toString('utf8').split('\n').slice(0, -1));
}
