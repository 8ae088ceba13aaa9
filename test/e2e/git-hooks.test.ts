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
/** Git starts these for other commands than ralph runs. */
const OTHERS = [
  'post-checkout',
  'post-merge',
  'pre-merge-commit',
  'post-rewrite',
  'pre-rebase',
  'pre-auto-gc',
];
/** They run often, and git gives them no index to look at. */
const OFTEN: ReadonlySet<string> = new Set(['post-index-change', 'reference-transaction']);

/** Notes what a hook gets, one fact a line, below a folder that git ignores. */
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

/** What hooks noted in a folder, by hook: each run once. */
function notesIn(folder: string, root: string): Record<string, string[]> {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return Object.fromEntries(
    names.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
        .replaceAll(root, 'ROOT')
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

/** The same repository, and the same change committed there by hand. */
function atPrompt({ root, git }: Project, push = false): Record<string, string[]> {
  const there = repositoryAt(join(temporaryFolder(), 'prompt'));
  cpSync(root, there.root, { recursive: true, verbatimSymlinks: true });
  sh(there, WORK);
  there.git('add', '-A');
  there.git('commit', '-q', '-m', git('log', '-1', '--format=%s'));
  if (push) there.git('push', '-q', 'origin', 'main');
  return notesIn(there.path('seen'), there.root);
}

function sh({ git }: TestRepository, text: string): string {
  return git('-c', `alias.run=!${text}`, 'run');
}

/** How a hook in the box sees less than at a prompt, and why. */
const DIFFERENCES: readonly (readonly [line: RegExp, why: string])[] = [
  [
    /^GIT_CONFIG_GLOBAL=.*\n/m,
    'The box has no settings of yours but those that the git folder of the copy holds, without credentials.',
  ],
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
    bareRemote(project);
    const prompt = atPrompt(project, true);
    expect(Object.keys(prompt)).toEqual(HOOKS.toSorted());
    const run = project.json('run'); if (process.env.V) console.log(JSON.stringify(run, null, 1));
    expect(run.exit_code).toBe(0);
    const copy = project.inCopy('');
    const own = isBoxed ? project.root : copy.replace(/\/$/, '');
    const ralph = { ...notesIn(project.inCopy('seen'), own), ...notesIn(project.path('seen'), project.root) };
    expect(Object.keys(ralph)).toEqual(HOOKS.toSorted());
    const cut = (text: string) =>
      DIFFERENCES.reduce((left, [line]) => (isBoxed ? left.replace(line, '') : left), text);
    for (const name of HOOKS) {
      const wanted = prompt[name]?.map(cut) ?? [];
      // What they were started for on a remote that isn't the same differs, and how often.
      if (OFTEN.has(name)) expect(wanted).toEqual(expect.arrayContaining(ralph[name]?.map(cut) ?? []));
      else expect(ralph[name]?.map(cut)).toEqual(wanted);
    }
  });
});
