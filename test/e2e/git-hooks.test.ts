/** @module-tag rest */

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { bareRemote } from '../helpers/code-host.ts';
import { repositoryAt, type TestRepository, temporaryFolder } from '../helpers/repository.ts';

afterEach(() => vi.unstubAllEnvs());

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-push',
  'post-index-change',
  'reference-transaction',
] as const;
/** ralph runs no command for which git starts these hooks. */
const OTHERS = [
  'post-checkout',
  'post-merge',
  'pre-merge-commit',
  'post-rewrite',
  'pre-rebase',
  'pre-auto-gc',
];
/** Git runs these hooks often, and gives them no index to read. */
const OFTEN: ReadonlySet<string> = new Set(['post-index-change', 'reference-transaction']);

/** This hook notes what it gets, one fact a line, below a folder that git ignores. */
const NOTE = `#!/bin/sh
stdin=$(cat | tr '\\n' ' ')
name=\${0##*/}
mkdir -p seen
{
echo "run $0 with [$*], stdin [$stdin] in $(pwd)"
env | grep ^GIT_ | sort
case $PATH in *git-core*) echo PATH has git-core ;; esac
case $name in post-index-change | reference-transaction) ;; *)
for spec in . '*.js' ':(top)src' ':(glob)src/**' ':!src'; do echo "staged $spec [$(git diff --cached --name-only -- "$spec" | tr '\\n' ' ')]"; done
echo "staged [$(git diff --cached --name-status | tr '\\t\\n' '  ')]"
echo "status [$(git status --porcelain -uno -- src work.js | tr '\\n' ' ')]"
echo "folder $(git rev-parse --git-dir), common $(git rev-parse --git-common-dir), top $(git rev-parse --show-toplevel), prefix [$(git rev-parse --show-prefix)]"
echo "branch $(git symbolic-ref HEAD), author $(git log -1 --format=%an), bare $(git config core.bare)"
test -w "$(git rev-parse --git-path index)" && echo the index is writable
git update-index -q --refresh && echo and refreshed
;; esac
echo end
} >> seen/$name 2>&1
`;

/** Returns by hook the different sets of facts that its runs noted. */
function notesIn(folder: string, root: string): Record<string, string[]> {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return Object.fromEntries(
    names.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
        .replaceAll(root, 'ROOT')
        .replace(/\[origin \S+\]/g, '[origin REMOTE]')
        .replace(/\b[0-9a-f]{40}\b/g, 'ID')
        .replace(/^GIT_AUTHOR_DATE=.*/gm, 'GIT_AUTHOR_DATE=NOW');
      return [name, [...new Set(text.split('end\n'))].toSorted()];
    }),
  );
}

const WORK = 'mkdir -p src; echo two > src/in.js; echo two > work.js; rm old.js';

function projectWith(hooks: Readonly<Record<string, string>>, agent = WORK, more = ''): Project {
  const project = makeProject({
    '.ralph/ralph.toml': `${shellAgent()}[git]\ncommit = "on_done"\n${more}`,
    'agent.sh': `cat > /dev/null\n${agent}\n${SHELL_CLAIM}`,
    '.gitignore': 'seen/\n',
    'work.js': 'one\n',
    'old.js': 'one\n',
  });
  for (const [name, text] of Object.entries(hooks)) project.write(`.git/hooks/${name}`, text, 0o755);
  return project;
}

/** Makes the same change in a copy of the repository and commits it by hand; returns what hooks noted there. */
function atPrompt(
  { root }: Project,
  push: { readonly path: string } | null = null,
): Record<string, string[]> {
  const there = repositoryAt(join(temporaryFolder(), 'prompt'));
  cpSync(root, there.root, { recursive: true, verbatimSymlinks: true });
  sh(there, WORK);
  there.git('add', '-A');
  there.git('commit', '-q', '-m', 'Write the parser (T-1)');
  if (push) {
    const bare = join(temporaryFolder(), 'bare');
    cpSync(push.path, bare, { recursive: true });
    there.git('remote', 'set-url', 'origin', bare);
    there.git('push', '-q', 'origin', 'main');
  }
  return notesIn(there.path('seen'), there.root);
}

function sh({ git }: TestRepository, text: string): string {
  return git('-c', `alias.run=!${text}`, 'run');
}

/** These differences from a commit at a prompt are meant, each with its reason. */
const DIFFERENCES = [
  {
    line: /^GIT_CONFIG_GLOBAL=.*\n/m,
    why: 'In the box there are no settings of yours but those in the git folder of the copy, which has them without credentials.',
    boxes: ['auto'],
  },
  {
    line: /(?<=post-index-change with )\[0 [01]\]/,
    why: "What is shown from the checkout is marked in the copy's index, and git says that such marks were there.",
    boxes: ['auto', 'off'],
  },
];

describe('your hooks get what git gives them at a prompt', () => {
  it.each(['auto', 'off'])('whatever kind they are: box %s', (mode) => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const isBoxed = mode !== 'off';
    const all = [...HOOKS, ...OTHERS];
    const project = projectWith(
      Object.fromEntries(all.map((name) => [name, NOTE])),
      WORK,
      'push = "checkpoints"\n',
    );
    const remote = bareRemote(project);
    project.remove('seen');
    const prompt = atPrompt(project, remote);
    expect(Object.keys(prompt)).toEqual(HOOKS.toSorted());
    expect(project.json('run')).toMatchObject({ exit_code: 0, not_committed: [], push: { problem: null } });
    const copy = project.inCopy('');
    const own = isBoxed ? project.root : copy.replace(/\/$/, '');
    const ralph = { ...notesIn(project.inCopy('seen'), own), ...notesIn(project.path('seen'), project.root) };
    expect(Object.keys(ralph).toSorted()).toEqual(HOOKS.toSorted());
    const known = DIFFERENCES.filter(({ boxes }) => boxes.includes(mode));
    const cut = (text: string) => known.reduce((left, { line }) => left.replace(line, ''), text);
    for (const name of HOOKS) {
      const wanted = prompt[name]?.map(cut) ?? [];
      // How often git runs these hooks may differ.
      if (OFTEN.has(name)) expect(wanted).toEqual(expect.arrayContaining(ralph[name]?.map(cut) ?? []));
      else expect(ralph[name]?.map(cut)).toEqual(wanted);
    }
  });
});

/** Runs a project with these hooks once; returns the result, and the files that landed. */
function ran(hooks: Readonly<Record<string, string>>, agent?: string, prepare?: (project: Project) => void) {
  const project = projectWith(hooks, agent);
  prepare?.(project);
  const run = project.json('run');
  return {
    ...{ project, run },
    landed: () => {
      const range = ['-r', '--name-status', 'main~2', 'main', '--', ':!.ralph'];
      return project
        .git('diff-tree', ...range)
        .replaceAll('\t', ' ')
        .split('\n');
    },
  };
}

describe.each(['auto', 'off'])('what lands is what hooks left in the commit: box %s', (mode) => {
  const LANDED = ['D old.js', 'A src/in.js', 'M work.js'];

  it('a formatter of what is staged, as lint-staged does it', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const format = `#!/bin/sh
set -e
backup=$(git stash create)
git stash store -q -m "lint-staged automatic backup" "$backup"
git diff --cached --name-only -z --diff-filter=ACMR -- '*.js' | xargs -0 -I{} sh -c 'echo formatted >> "{}" && git add -- "{}"'
git stash drop -q
`;
    const { project, run, landed } = ran({ 'pre-commit': format });
    expect(run).toMatchObject({ exit_code: 0, not_committed: [] });
    expect(landed()).toEqual(LANDED);
    expect(project.read('src/in.js')).toBe('two\nformatted\n');
    expect(project.read('work.js')).toBe('two\nformatted\n');
    expect(project.git('stash', 'list')).toBe('');
  });

  it('what is unstaged is put aside and comes back, as pre-commit does it', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const check = `#!/bin/sh
set -e
tree=$(git write-tree)
git diff-index --ignore-submodules --binary --exit-code --no-color --no-ext-diff "$tree" -- > "$TMPDIR/patch" || { git checkout -q -- . ; put=1; }
git diff --staged --name-only --no-ext-diff -z --diff-filter=ACMRTUXB | xargs -0 grep -L two | grep . && exit 1
[ -z "$put" ] || git apply --whitespace=nowarn "$TMPDIR/patch"
exit 0
`;
    const { run, landed } = ran({ 'pre-commit': check });
    expect(run).toMatchObject({ exit_code: 0, not_committed: [] });
    expect(landed()).toEqual(LANDED);
  });

  it('what they write and do not stage, or take out, stays out; what they stage alone is in', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const hook = `#!/bin/sh
echo left > left.txt
echo changed >> README.md
mkdir made && echo made > made/in.txt && git add made
echo staged | git hash-object -w --stdin | xargs -I{} git update-index --add --cacheinfo 100644,{},only.txt
git update-index --chmod=+x work.js
git reset -q -- src/in.js
`;
    const { project, run, landed } = ran({ 'pre-commit': hook });
    expect(run).toMatchObject({ exit_code: 0, not_committed: [] });
    expect(landed()).toEqual(['A made/in.txt', 'D old.js', 'A only.txt', 'M work.js']);
    expect(project.git('ls-tree', 'main', 'work.js')).toContain('100755');
    expect(project.git('status', '--porcelain', '-uno')).toBe('');
  });

  it('work that a hook refuses by a pattern waits', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const hook = `#!/bin/sh\nfor file in $(git diff --cached --name-only --diff-filter=AM -- '*.js'); do grep -q two $file && echo "$file has two" && exit 1; done\nexit 0\n`;
    const { project, run } = ran({ 'pre-commit': hook });
    expect(run.not_committed).toMatchObject([{ why: expect.stringContaining('src/in.js has two') }]);
    expect(project.exists('src/in.js')).toBe(false);
  });

  it('a hook that names the file of the task keeps nothing from landing', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const { run, landed } = ran({ 'pre-commit': '#!/bin/sh\n! grep -q FIXME work.js\n' });
    expect(run).toMatchObject({ exit_code: 0, not_committed: [] });
    expect(landed()).toEqual(LANDED);
  });

  it('where git overlooks modes, one that is set in the index is taken over', () => {
    vi.stubEnv('RALPH_BOX_MODE', mode);
    const agent = `${WORK}; printf x > tool; git add tool; git update-index --chmod=+x work.js tool`;
    for (const hooks of [{}, { 'pre-commit': '#!/bin/sh\nexit 0\n' }]) {
      const { project, run } = ran(hooks, agent, ({ git }) => git('config', 'core.fileMode', 'false'));
      expect(run).toMatchObject({ exit_code: 0, not_committed: [] });
      for (const name of ['work.js', 'tool'])
        expect(project.git('ls-tree', 'main', name)).toContain('100755');
      expect(project.git('ls-tree', 'main', 'src/in.js')).toContain('100644');
    }
  });
});
