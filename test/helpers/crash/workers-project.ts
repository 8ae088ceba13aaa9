import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SHELL_CLAIM, shellAgent } from '../project-files.ts';
import { makeRepository, type TestRepository } from '../repository.ts';

/**
 * The agent of the workers' torture. Each task writes a file of its own; every third one changes a line of a shared
 * file, every fifth one appends to a shared list. A task that needs the one before checks that its file exists, and
 * otherwise says that it isn't done.
 */
const AGENT = `#!/bin/sh
cat > /dev/null
id="$RALPH_TASK_ID" number="\${RALPH_TASK_ID#T-}"
sleep 60 &
mkdir -p work
case $((number % 7)) in 0) test -e "work/T-$((number - 1)).txt" || exit 0 ;; esac
case $((number % 3)) in
  0) now="$(cat shared.txt)"; case " $now " in *" $id "*) ;; *) echo "$now $id" > shared.txt ;; esac ;;
esac
case $((number % 5)) in 0) grep -qx "$id" list.txt || echo "$id" >> list.txt ;; esac
sleep "0.$((number % 4))"
echo "$id" > "work/$id.txt"
${SHELL_CLAIM}`;

/** A gate that fails if a task's file exists without that of a task which it needs, and one time in ten by chance. */
const GATE = `#!/bin/sh
for file in work/T-*.txt; do
  number="\${file#work/T-}" number="\${number%.txt}"
  case $((number % 7)) in 0) test -e "work/T-$((number - 1)).txt" || exit 1 ;; esac
done
! grep -q '<<<<' shared.txt list.txt || exit 1
test "$(od -An -N1 -tu1 /dev/urandom)" -ge 26
`;

/** Files of the user, which tasks don't change. */
const MINE = ['a', 'b', 'c'].map((name) => `mine/${name}.txt`);

export const WORKERS = 4;

export type WorkersProject = {
  readonly repository: TestRepository;
  readonly tasks: readonly string[];
  /** Each task that needs another one, with that one. */
  readonly needs: ReadonlyMap<string, string>;
};

export function makeWorkersProject(count: number): WorkersProject {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const needs = new Map(numbers.filter((at) => at % 7 === 0).map((at) => [`T-${at}`, `T-${at - 1}`]));
  const tasks = numbers.map((at) => `T-${at}`);
  const lines = tasks.map((id) => {
    const needed = needs.get(id);
    return `- [ ] **${id}** Write the file of ${id}\n${needed === undefined ? '' : `  - Depends on: ${needed}\n`}`;
  });
  const repository = makeRepository({
    'agent.sh': AGENT,
    'check.sh': GATE,
    'shared.txt': 'start\n',
    'list.txt': 'start\n',
    ...Object.fromEntries(MINE.map((path) => [path, 'mine\n'])),
    '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${lines.join('')}`,
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 100000')}[git]\ncommit = "on_done"\n[parallel]\nworkers = ${WORKERS}\n[gates]\ncommands = ["sh check.sh"]\n`,
  });
  repository.git('commit', '-q', '--allow-empty', '-m', 'second');
  return { repository, tasks, needs };
}

type Act = readonly [name: string, does: (one: TestRepository, round: number) => void];

/** Acts of the user in the checkout while workers are active. */
export const MEANWHILE: readonly Act[] = [
  ['nothing', () => undefined],
  ['edits', (one, round) => one.write('mine/a.txt', `edited ${round}\n`)],
  [
    'stages',
    (one, round) => {
      one.write('mine/b.txt', `staged ${round}\n`);
      one.git('add', 'mine/b.txt');
    },
  ],
  [
    'commits',
    (one, round) => {
      one.write('mine/c.txt', `committed ${round}\n`);
      one.git('commit', '-qm', `own ${round}`, '--', 'mine/c.txt');
    },
  ],
  ['makes a file', (one, round) => one.write(`mine/new-${round}.txt`, 'new\n')],
];

/** Acts of the user on the history between two runs. */
export const BETWEEN: readonly Act[] = [
  ['nothing', () => undefined],
  [
    'amends',
    (one, round) =>
      one.git(
        ...['commit', '-q', '--amend', '--only', '-m'],
        `amended ${round}\n\n${one.git('log', '-1', '--format=%(trailers)')}`,
      ),
  ],
  ['gc', (one) => one.git('gc', '-q', '--prune=now')],
  [
    'switches',
    (one) => {
      one.git('checkout', '-q', '-B', 'side');
      one.git('checkout', '-q', 'main');
    },
  ],
  [
    'stashes',
    (one) => {
      if (one.git('stash', 'push', '-q').includes('No local changes')) return;
      one.git('stash', 'pop', '-q', '--index');
    },
  ],
  ['rebases', (one) => one.git('-c', 'rebase.autoStash=true', 'rebase', '-q', '-f', 'HEAD~1')],
];

/** Returns the user's own files, byte for byte, and their staged versions. */
export function ownOf({ git }: TestRepository): string {
  return JSON.stringify([
    git('status', '--porcelain', '-uall', '--', 'mine'),
    git('diff', '--', 'mine'),
    git('diff', '--cached', '--', 'mine'),
  ]);
}

/** Returns tasks by the commits of a history, the oldest first. */
export function landedIn({ git }: TestRepository): string[] {
  return git('log', '--reverse', '--format=%(trailers:key=Ralph-Task,valueonly)', 'HEAD')
    .split('\n')
    .filter(Boolean);
}

/** Returns commits of the branch on which the gate would fail for a reason, not by chance. */
export function redCommits({ repository: { git }, needs }: WorkersProject): string[] {
  return git('log', '--format=%H', 'HEAD')
    .split('\n')
    .flatMap((commit) => {
      const files = new Set(git('ls-tree', '-r', '--name-only', commit).split('\n'));
      const isRed =
        [...needs].some(([id, needed]) => files.has(`work/${id}.txt`) && !files.has(`work/${needed}.txt`)) ||
        /<<<</.test(git('show', `${commit}:shared.txt`));
      return isRed ? [commit] : [];
    });
}

/** Returns problems with the files that the tasks had to make. */
export function workProblems({ repository: { read, exists, path }, tasks }: WorkersProject): string[] {
  const [shared, list] = [read('shared.txt').trim().split(' '), read('list.txt').trim().split('\n')];
  const times = (all: readonly string[], id: string) => all.filter((one) => one === id).length;
  const wrong = tasks.flatMap((id) => {
    const number = Number(id.slice(2));
    return [
      ...(exists(`work/${id}.txt`) && read(`work/${id}.txt`) === `${id}\n`
        ? []
        : [`the work of ${id} is lost`]),
      ...(times(shared, id) === (number % 3 === 0 ? 1 : 0)
        ? []
        : [`shared.txt has ${id} ${times(shared, id)} times`]),
      ...(times(list, id) === (number % 5 === 0 ? 1 : 0)
        ? []
        : [`list.txt has ${id} ${times(list, id)} times`]),
    ];
  });
  const strange = readdirSync(path('work')).filter((name) => !tasks.includes(name.replace(/\.txt$/, '')));
  return [...wrong, ...strange.map((name) => `work/${name} belongs to no task`)];
}

/** Returns the folders of copies in the state home or beside the git folder. */
export function copiesIn(home: string): string[] {
  const places = readdirSync(home, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isDirectory() && one.name === 'slots',
  );
  return places.flatMap(({ parentPath, name }) =>
    readdirSync(join(parentPath, name, 'main')).filter((slot) =>
      existsSync(join(parentPath, name, 'main', slot, 'files')),
    ),
  );
}
