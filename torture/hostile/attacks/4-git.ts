import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestRepository } from '../../../test/helpers/repository.ts';
import { type Attack, brokenIf } from '../attack.ts';
import { FORGE_INDEX } from './forge-index.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n';
const CONFIG = `[loop]
agent = "mine"
max_iterations = 2
[runners.mine]
argv = ["sh", "./agent.sh", "-"]
[git]
commit = "on_done"
`;
const CLAIM = 'RALPH_STATUS\\nTASK: T-1\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS\\n';

const NO_VIEW = {
  'src/io/git/view/pin-view.ts': 'pin-view.ts',
};

type Plan = {
  readonly name: string;
  readonly without: Attack['without'];
  /** What the agent does, as shell text; `$EVIL` is a program whose start is what the attacker wants. */
  readonly does: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Git settings of yours before the run. */
  readonly settings?: readonly (readonly [name: string, value: string])[];
  /** One of the files that is a hook of yours. */
  readonly hook?: string;
  /** A folder of the repository that is first in PATH. */
  readonly inPath?: string;
  /** What you call when the run is over. */
  readonly after?: readonly string[];
  /** Another thing that the attacker wants than its program started. */
  readonly won?: (repository: TestRepository, outside: string, printed: string) => boolean;
};

/** The program of the agent starts in the middle of ralph's own git, or ralph never ends. */
function attack({ name, without, does, files = {}, settings = [], ...plan }: Plan): Attack {
  const { hook, inPath, after } = plan;
  return {
    point: 4,
    name,
    without,
    play: async (site) => {
      const ran = join(site.outside, 'ran');
      const evil = `EVIL='sh -c "touch ${ran}; cat"'\nOUTSIDE='${site.outside}'\n`;
      const agent = `${evil}echo parser > parser.txt\n${does}\nprintf '${CLAIM}'\n`;
      const start = { '.ralph/PRD.md': LIST, '.ralph/ralph.toml': CONFIG, 'agent.sh': agent, ...files };
      const repository = site.repository(start);
      const { root, git } = repository;
      // Git runs no other hook.
      if (hook !== undefined) {
        chmodSync(join(root, hook), 0o755);
        git('commit', '-qam', 'hook');
      }
      for (const [key, value] of settings) git('config', key, value);
      if (inPath !== undefined) process.env.PATH = [join(root, inPath), process.env.PATH].join(delimiter);
      const run = await site.ralph(root, 'run');
      const last = after === undefined ? run : await site.ralph(root, ...after);
      const printed = `${last.stdout.slice(-600)} ${last.stderr.slice(-300)}`;
      const won = plan.won ?? (() => existsSync(ran));
      const hangs = run.code === null || last.code === null;
      return brokenIf(hangs || won(repository, site.outside, printed), `exit ${last.code}: ${printed}`);
    },
  };
}

export const GIT: readonly Attack[] = [
  attack({
    name: 'clean-filter',
    without: NO_VIEW,
    does: `git config filter.x.clean "$EVIL"; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'filter-by-info-attributes',
    without: NO_VIEW,
    does: `git config filter.x.process "$EVIL"; mkdir -p .git/info; echo '*.txt filter=x' > .git/info/attributes`,
  }),
  attack({
    name: 'filter-script',
    without: { 'src/io/git/view/kept-filters.ts': 'kept-filters.ts' },
    files: { '.gitattributes': '*.txt filter=x\n', 'tools/clean.sh': 'cat\n' },
    settings: [['filter.x.clean', 'sh tools/clean.sh %f']],
    does: 'echo "$EVIL" > tools/clean.sh',
  }),
  attack({
    name: 'include-path',
    without: NO_VIEW,
    does: `git config --file .git/more filter.x.clean "$EVIL"; git config include.path more; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'worktree-settings',
    without: NO_VIEW,
    does: `git config extensions.worktreeConfig true; git config --worktree filter.x.clean "$EVIL"; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'signing-program',
    without: NO_VIEW,
    does: `printf '#!/bin/sh\\n%s\\n' "$EVIL" > .git/sign; chmod +x .git/sign; git config gpg.program "$PWD/.git/sign"; git config commit.gpgSign true`,
  }),
  attack({
    name: 'fsmonitor',
    without: { ...NO_VIEW, 'src/io/git/call/no-programs.ts': 'no-programs.ts' },
    does: 'git config core.fsmonitor "$EVIL </dev/null; false"',
  }),
  attack({
    name: 'planted-git',
    without: { 'src/io/proc/launch/own-program.ts': 'own-program.ts' },
    does: `printf '#!/bin/sh\\n%s </dev/null\\nPATH=/usr/bin:/bin exec git "$@"\\n' "$EVIL" > tools/git; chmod +x tools/git`,
    files: { 'tools/readme': 'tools\n' },
    inPath: 'tools',
  }),
  attack({
    name: 'planted-agent',
    without: { 'src/io/proc/launch/agent-program.ts': 'agent-program.ts' },
    does: `printf '#!/bin/sh\\n/usr/bin/touch "%s/ran"\\n' "$OUTSIDE" > tools/sh; chmod +x tools/sh; exit 0`,
    files: { 'tools/readme': 'tools\n' },
    inPath: 'tools',
  }),
  attack({
    name: 'changed-hook',
    without: { 'src/io/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '#!/bin/sh\\n%s </dev/null\\n' "$EVIL" > hooks/pre-commit; chmod +x hooks/pre-commit`,
    files: { 'hooks/pre-commit': '#!/bin/sh\nexit 0\n' },
    hook: 'hooks/pre-commit',
    settings: [['core.hooksPath', 'hooks']],
  }),
  attack({
    name: 'hook-calls-file',
    without: { 'src/io/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '%s </dev/null\\n' "$EVIL" > tools/lint.sh`,
    files: { 'hooks/pre-commit': '#!/bin/sh\nsh tools/lint.sh\n', 'tools/lint.sh': 'exit 0\n' },
    hook: 'hooks/pre-commit',
    settings: [['core.hooksPath', 'hooks']],
  }),
  attack({
    name: 'smudge-filter',
    without: NO_VIEW,
    files: { 'mine.txt': 'yours\n' },
    does: `git config filter.x.smudge "$EVIL"; mkdir -p .git/info; echo '*.txt filter=x' > .git/info/attributes; echo gone > mine.txt`,
    after: ['rollback'],
  }),
  attack({
    name: 'diff-program',
    without: { ...NO_VIEW, 'src/io/git/diff/plain-diff.ts': 'plain-diff.ts' },
    files: { 'mine.txt': 'yours\n' },
    does: `git config diff.x.textconv "$EVIL"; git config diff.external "$EVIL"; echo '*.txt diff=x' > .gitattributes; echo more >> mine.txt`,
  }),
  attack({
    name: 'ssh-command',
    // A partial clone fetches what is missing; the object that is missing comes back before.
    without: {
      ...NO_VIEW,
      'src/io/git/call/no-programs.ts': 'no-programs.ts',
    },
    files: { 'mine.txt': 'yours\n' },
    does: [
      'id=$(git rev-parse HEAD:mine.txt)',
      'echo changed > mine.txt',
      'git config core.sshCommand "$EVIL </dev/null; false"',
      'git config core.repositoryFormatVersion 1; git config extensions.partialClone origin',
      'git config remote.origin.url ssh://localhost/x; git config remote.origin.promisor true',
      'mv ".git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)" "$OUTSIDE/taken"',
    ].join('\n'),
  }),
  attack({
    name: 'nested-repository',
    without: { ...NO_VIEW, 'src/io/git/call/no-programs.ts': 'no-programs.ts' },
    does: [
      'git init -q nested; echo nested > nested/file.txt; git -C nested add file.txt',
      'git -C nested -c user.name=x -c user.email=x@x commit -qm nested',
      'git -C nested config core.fsmonitor "$EVIL </dev/null; false"',
      'git -C nested config filter.x.clean "$EVIL"; echo "* filter=x" > nested/.gitattributes; echo more >> nested/file.txt',
    ].join('\n'),
  }),
  attack({
    name: 'core-worktree',
    without: NO_VIEW,
    does: 'mkdir -p "$OUTSIDE/elsewhere"; git config core.worktree "$OUTSIDE/elsewhere"',
    after: ['tasks'],
    won: (_repository, _outside, printed) => !printed.includes('T-1'),
  }),
  attack({
    name: 'alternates',
    // What the agent wrote is then only in objects that it takes away later.
    without: NO_VIEW,
    does: `mkdir -p "$OUTSIDE/objects"; echo "$OUTSIDE/objects" > .git/objects/info/alternates
GIT_OBJECT_DIRECTORY="$OUTSIDE/objects" git hash-object -w parser.txt`,
    won: ({ git, path }, outside) => {
      rmSync(join(outside, 'objects'), { recursive: true, force: true });
      rmSync(path('.git/objects/info/alternates'), { force: true });
      return (
        spawnSync('git', ['-C', path('.'), 'cat-file', '-e', 'HEAD:parser.txt']).status !== 0 &&
        git('log').includes('T-1')
      );
    },
  }),
  attack({
    name: 'forged-index',
    // What ralph compares with is made to hold the change already.
    without: { 'src/io/git/snapshot/index-record.ts': 'index-record.ts' },
    files: { 'mine.txt': 'yours\n', 'forge.mjs': FORGE_INDEX },
    does: 'echo agent > mine.txt; node forge.mjs mine.txt .git/ralph/snapshot-*/index',
    won: ({ git }) => git('status', '--porcelain').includes('mine.txt'),
  }),
];
