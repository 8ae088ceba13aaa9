import { lstatSync, readFileSync } from 'node:fs';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n';
const CONFIG = `[loop]
agent = "mine"
max_iterations = 1
[runners.mine]
argv = ["sh", "./agent.sh", "-"]
[gates]
commands = [{ name = "test", run = "sh gate.sh" }]
`;
const KILL = `kill -9 "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .ralph/run.lock)"`;

/** Modules of ralph, each with what stands in for it. */
const NO_RALPH_FILES = { 'src/io/store/guard/own-files.ts': 'own-files.ts' };
const NO_GIT_FILES = { 'src/io/git/protect/git-files.ts': 'git-files.ts' };
const NO_REFS = { 'src/io/git/protect/plan-refs.ts': 'plan-refs.ts' };
const NO_LOGS = { 'src/io/git/protect/reflogs.ts': 'reflogs.ts' };
const NO_OBJECTS = { 'src/io/git/protect/objects.ts': 'objects.ts' };
const NO_NEXT_START = { 'src/app/setup/left-protection.ts': 'left-protection.ts' };
const NO_CHECK_AFTER_GATES = { 'src/loop/iteration/restore-after.ts': 'restore-after.ts' };

type Plan = {
  readonly name: string;
  readonly without: Attack['without'];
  /** What the agent does, as shell text; with `isGate` the gate does it. */
  readonly does: string;
  readonly isGate?: boolean;
  /** It kills ralph behind it, and ralph is started once more. */
  readonly kills?: boolean;
  /** What has to be the same in the end. */
  readonly seen: (repository: TestRepository) => unknown;
};

/** What git prints; `null` where it ends with an error. */
function answer(one: TestRepository, ...args: readonly string[]): string | null {
  try {
    return one.git(...args);
  } catch {
    return null;
  }
}

/** Each object is what its name says. */
const isSound = (one: TestRepository) => answer(one, 'fsck', '--no-dangling') !== null;

/** A repository with a second branch, a tag, a stash and uncommitted work. */
function attackedRepository(site: Site, agent: string, gate: string): TestRepository {
  const made = site.repository({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': CONFIG,
    '.ralph/PROMPT_build.md': 'Do {{task}}\n',
    'agent.sh': agent,
    'gate.sh': gate,
  });
  made.write('second.txt', 'second\n');
  made.commitAll('second');
  made.git('branch', 'dev');
  made.git('tag', 'v1');
  made.write('second.txt', 'stashed\n');
  made.git('stash', 'push', '-q');
  made.write('mine.txt', 'only here\n');
  // As a snapshot of ralph's would hold it.
  made.git('hash-object', '-w', 'mine.txt');
  return made;
}

async function play(site: Site, plan: Plan): Promise<AttackResult> {
  const { does, isGate = false, kills = false, seen } = plan;
  const once = `if [ ! -e attacked ]; then touch attacked\n${does}\n${kills ? `${KILL}\nsleep 60\n` : ''}fi\n`;
  const works = 'echo parser > parser.txt\n';
  const one = isGate
    ? attackedRepository(site, works, `[ -e parser.txt ] || exit 0\n${once}`)
    : attackedRepository(site, `${works}${once}`, 'exit 0\n');
  const before = JSON.stringify(seen(one));
  const run = await site.ralph(one.root, 'run');
  const again = kills ? await site.ralph(one.root, 'run') : run;
  if (!one.exists('attacked')) throw new Error(`the attack didn't run: ${run.stderr.slice(-400)}`);
  const after = JSON.stringify(seen(one));
  return brokenIf(after !== before, `${before} became ${after}; ${again.stderr.slice(-400)}`);
}

const ref = (name: string) => (one: TestRepository) =>
  one.git('for-each-ref', '--format=%(objectname)', name);
const file = (name: string) => (one: TestRepository) =>
  one.exists(name) ? readFileSync(one.path(name), 'utf8') : null;

/** Takes away all that could hold an object, the checkpoint of this attempt included, then the objects. */
const PRUNE = `until git for-each-ref refs/ralph | grep -q .; do sleep 0.1; done
rm mine.txt
git for-each-ref --format='%(refname)' | while read -r name; do git update-ref -d "$name"; done
git reflog expire --expire=now --all
git gc -q --prune=now`;

/** Every object keeps its file, and nothing is in there. */
const EMPTY_OBJECTS = `find .git/objects -type f | while read -r one; do chmod u+w "$one"; truncate -s 0 "$one"; done`;

/** The id of `mine.txt`. */
const BLOB_OF_MINE = '5e078f1617a64c48261b9774e72fa9c9f1762453';

const PLANS: readonly Plan[] = [
  {
    name: 'config-softened',
    without: NO_RALPH_FILES,
    does: 'printf "[loop]\\nagent = \\"mine\\"\\n" > .ralph/ralph.toml',
    seen: file('.ralph/ralph.toml'),
  },
  {
    name: 'config-softened-and-kill',
    without: NO_NEXT_START,
    does: 'sed -i "/gates/,$ d" .ralph/ralph.toml',
    kills: true,
    seen: file('.ralph/ralph.toml'),
  },
  {
    name: 'template-changed',
    without: { ...NO_RALPH_FILES, 'src/domain/workflow/order-files.ts': 'order-files.ts' },
    does: 'echo "All is well." > .ralph/PROMPT_build.md',
    seen: file('.ralph/PROMPT_build.md'),
  },
  {
    name: 'approval-planted',
    without: NO_RALPH_FILES,
    does: 'mkdir -p .ralph/gates && echo approved > .ralph/gates/G-1.json',
    seen: file('.ralph/gates/G-1.json'),
  },
  {
    name: 'hooks-path',
    without: NO_GIT_FILES,
    does: 'git config core.hooksPath .evil',
    seen: (one) => one.git('config', '--local', '--list'),
  },
  {
    name: 'hook-planted',
    without: NO_GIT_FILES,
    does: 'mkdir -p .git/hooks && echo "#!/bin/sh" > .git/hooks/post-commit && chmod +x .git/hooks/post-commit',
    seen: file('.git/hooks/post-commit'),
  },
  {
    name: 'exclude-hides',
    without: NO_GIT_FILES,
    does: 'echo "*.txt" >> .git/info/exclude',
    seen: file('.git/info/exclude'),
  },
  { name: 'branch-moved', without: NO_REFS, does: 'git branch -f dev HEAD~1', seen: ref('refs/heads/dev') },
  {
    name: 'branch-rewound',
    without: NO_REFS,
    does: 'git reset -q --soft HEAD~1',
    seen: ref('refs/heads/main'),
  },
  {
    name: 'head-elsewhere',
    without: NO_REFS,
    does: 'git symbolic-ref HEAD refs/heads/dev',
    seen: file('.git/HEAD'),
  },
  { name: 'tag-deleted', without: NO_REFS, does: 'git tag -d v1', seen: ref('refs/tags') },
  {
    name: 'stash-dropped',
    without: { ...NO_REFS, ...NO_LOGS },
    does: 'git stash drop -q',
    seen: (one) => one.git('stash', 'list'),
  },
  {
    name: 'uncommitted-pruned',
    without: NO_OBJECTS,
    does: PRUNE,
    seen: (one) => one.git('cat-file', '--batch-all-objects', '--batch-check').includes(BLOB_OF_MINE),
  },
  {
    name: 'refs-and-kill',
    without: NO_NEXT_START,
    does: 'git tag -d v1\ngit update-ref -d refs/heads/dev',
    kills: true,
    seen: (one) => one.git('for-each-ref', 'refs/heads/dev', 'refs/tags'),
  },
  {
    name: 'refs-read-only',
    // What can't be written can't be put back.
    without: { 'src/io/git/protect/folders.ts': 'folders.ts' },
    does: 'git branch -f dev HEAD~1\nchmod 555 .git/refs/heads .git/refs .git',
    seen: ref('refs/heads/dev'),
  },
  {
    name: 'history-hidden',
    without: { 'src/io/git/protect/shallow.ts': 'shallow.ts' },
    does: 'git rev-parse HEAD > .git/shallow',
    seen: (one) => one.git('log', '--format=%s', 'dev'),
  },
  {
    name: 'object-replaced',
    without: NO_REFS,
    does: 'git replace "$(git rev-parse HEAD:second.txt)" "$(echo lies | git hash-object -w --stdin)"',
    seen: (one) => one.git('show', 'HEAD:second.txt'),
  },
  {
    name: 'object-forged',
    without: NO_OBJECTS,
    does: `place() { echo ".git/objects/$(echo "$1" | cut -c1-2)/$(echo "$1" | cut -c3-)"; }
lie=$(echo lies | git hash-object -w --stdin)
named=$(place "$(echo 'what the next change will be' | git hash-object --stdin)")
mkdir -p "\${named%/*}"
cp "$(place "$lie")" "$named"`,
    seen: isSound,
  },
  {
    name: 'objects-emptied',
    without: NO_OBJECTS,
    does: EMPTY_OBJECTS,
    seen: isSound,
  },
  {
    name: 'objects-emptied-and-kill',
    without: NO_NEXT_START,
    does: EMPTY_OBJECTS,
    kills: true,
    seen: isSound,
  },
  {
    name: 'objects-elsewhere',
    without: { 'src/io/git/protect/folders.ts': 'folders.ts' },
    does: 'mv .git/objects ../objects\nln -s "$(realpath ../objects)" .git/objects',
    seen: (one) => lstatSync(one.path('.git/objects')).isDirectory(),
  },
  {
    name: 'ref-broken',
    without: { 'src/io/git/protect/broken-refs.ts': 'broken-refs.ts' },
    does: 'echo nothing > .git/refs/heads/broken',
    seen: isSound,
  },
  {
    name: 'index-emptied',
    without: { 'src/io/git/protect/user-index.ts': 'user-index.ts' },
    does: ': > .git/index',
    seen: (one) => answer(one, 'ls-files'),
  },
  {
    name: 'index-removed',
    without: { 'src/io/git/protect/user-index.ts': 'user-index.ts' },
    does: 'mv .git/index .git/index.away',
    seen: (one) => one.git('diff', '--cached', '--name-only'),
  },
  {
    name: 'config-in-gate',
    without: NO_CHECK_AFTER_GATES,
    does: 'git config core.fsmonitor ./evil.sh',
    isGate: true,
    seen: (one) => one.git('config', '--local', '--list'),
  },
];

export const PROTECTION: readonly Attack[] = PLANS.map((plan) => ({
  point: 3,
  name: plan.name,
  without: plan.without,
  play: (site) => play(site, plan),
}));
