import { chmodSync, existsSync } from 'node:fs';
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
  'src/git/view/pin-view.ts': 'pin-view.ts',
};

type Plan = {
  readonly name: string;
  readonly without: Attack['without'];
  /**
   * Shell text that the agent runs in its copy; `$TOP` is the path of your checkout, and `$EVIL` a program that the
   * attacker wants to be started.
   */
  readonly does: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Git settings of yours before the run. */
  readonly settings?: readonly (readonly [name: string, value: string])[];
  /** Path of your own hook: one of the files, or one that does nothing. */
  readonly hook?: string;
  /** A folder of the repository that comes first in PATH. */
  readonly inPath?: string;
  /** Whether the attacker won, where its goal isn't the start of its program. */
  readonly won?: (repository: TestRepository) => boolean;
};

/** Returns an attack that wins if the agent's program is started by ralph's own git, or if ralph never ends. */
function attack({ name, without, does, files = {}, settings = [], ...plan }: Plan): Attack {
  const { hook, inPath } = plan;
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
      // Git runs no hook but this one.
      if (hook !== undefined) {
        if (!(hook in files)) repository.write(hook, '#!/bin/sh\nexit 0\n');
        chmodSync(join(root, hook), 0o755);
        git('commit', '-qam', 'hook', '--allow-empty');
      }
      for (const [key, value] of settings) git('config', key, value);
      if (inPath !== undefined) process.env.PATH = [join(root, inPath), process.env.PATH].join(delimiter);
      const run = await site.ralph(root, 'run');
      const printed = `${run.stdout.slice(-600)} ${run.stderr.slice(-300)}`;
      const won = plan.won ?? (() => existsSync(ran));
      return brokenIf(run.code === null || won(repository), `exit ${run.code}: ${printed}`);
    },
  };
}

export const GIT: readonly Attack[] = [
  attack({
    name: 'clean-filter',
    without: NO_VIEW,
    does: `git -C "$TOP" config filter.x.clean "$EVIL"; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'filter-by-info-attributes',
    without: NO_VIEW,
    does: `git -C "$TOP" config filter.x.process "$EVIL"; echo '*.txt filter=x' > "$TOP/.git/info/attributes"`,
  }),
  attack({
    name: 'filter-script',
    without: { 'src/git/view/kept-programs.ts': 'kept-programs.ts' },
    files: { '.gitattributes': '*.txt filter=x\n', 'tools/clean.sh': 'cat\n' },
    settings: [['filter.x.clean', 'sh tools/clean.sh %f']],
    does: 'echo "$EVIL" > tools/clean.sh',
  }),
  attack({
    name: 'include-path',
    without: NO_VIEW,
    does: `git config --file "$TOP/.git/more" filter.x.clean "$EVIL"; git -C "$TOP" config include.path more; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'worktree-settings',
    without: NO_VIEW,
    does: `git -C "$TOP" config extensions.worktreeConfig true; git -C "$TOP" config --worktree filter.x.clean "$EVIL"; echo '*.txt filter=x' > .gitattributes`,
  }),
  attack({
    name: 'signing-program',
    without: { ...NO_VIEW, 'src/git/call/settings.ts': 'settings.ts' },
    does: `printf '#!/bin/sh\\n%s\\n' "$EVIL" > "$TOP/.git/sign"; chmod +x "$TOP/.git/sign"; git -C "$TOP" config gpg.program "$TOP/.git/sign"; git -C "$TOP" config commit.gpgSign true`,
  }),
  attack({
    name: 'fsmonitor',
    without: { ...NO_VIEW, 'src/git/call/no-programs.ts': 'no-programs.ts' },
    does: 'git -C "$TOP" config core.fsmonitor "$EVIL </dev/null; false"',
  }),
  attack({
    name: 'planted-git',
    without: {
      'packages/kit/src/programs/start/agents-reach.ts': 'agents-reach.ts',
      'packages/kit/src/programs/start/own-program.ts': 'own-program.ts',
    },
    does: `printf '#!/bin/sh\\n%s </dev/null\\nPATH=/usr/bin:/bin exec git "$@"\\n' "$EVIL" > tools/git; chmod +x tools/git`,
    files: { 'tools/readme': 'tools\n' },
    inPath: 'tools',
  }),
  attack({
    name: 'planted-agent',
    without: { 'src/io/proc/agent-program.ts': 'agent-program.ts' },
    does: `printf '#!/bin/sh\\n/usr/bin/touch "%s/ran"\\n' "$OUTSIDE" > "$TOP/tools/sh"; chmod +x "$TOP/tools/sh"; exit 0`,
    files: { 'tools/readme': 'tools\n' },
    inPath: 'tools',
  }),
  attack({
    name: 'changed-hook',
    without: { 'src/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '#!/bin/sh\\n%s </dev/null\\n' "$EVIL" > hooks/pre-commit; chmod +x hooks/pre-commit`,
    files: { 'hooks/pre-commit': '#!/bin/sh\nexit 0\n' },
    hook: 'hooks/pre-commit',
    settings: [['core.hooksPath', 'hooks']],
  }),
  attack({
    name: 'changed-hook-of-git',
    without: { 'src/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '#!/bin/sh\\n%s </dev/null\\n' "$EVIL" > "$TOP/.git/hooks/pre-commit"`,
    hook: '.git/hooks/pre-commit',
  }),
  attack({
    name: 'hook-calls-file',
    without: { 'src/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '%s </dev/null\\n' "$EVIL" > tools/lint.sh`,
    files: { 'hooks/pre-commit': '#!/bin/sh\nsh tools/lint.sh\n', 'tools/lint.sh': 'exit 0\n' },
    hook: 'hooks/pre-commit',
    settings: [['core.hooksPath', 'hooks']],
  }),
  attack({
    name: 'smudge-filter',
    without: NO_VIEW,
    files: { 'mine.txt': 'yours\n' },
    does: `git -C "$TOP" config filter.x.smudge "$EVIL"; echo '*.txt filter=x' > "$TOP/.git/info/attributes"`,
  }),
  attack({
    name: 'diff-program',
    without: { ...NO_VIEW, 'src/git/diff/plain-diff.ts': 'plain-diff.ts' },
    files: { 'mine.txt': 'yours\n' },
    does: `git -C "$TOP" config diff.x.textconv "$EVIL"; git -C "$TOP" config diff.external "$EVIL"; echo '*.txt diff=x' > .gitattributes; echo more >> mine.txt`,
  }),
  attack({
    name: 'ssh-command',
    // In a partial clone git fetches a missing object, but the fetch runs a program; the deleted object is restored
    // before that.
    without: {
      ...NO_VIEW,
      'src/git/call/no-programs.ts': 'no-programs.ts',
    },
    files: { 'mine.txt': 'yours\n' },
    does: [
      'id=$(git rev-parse HEAD:mine.txt)',
      'echo changed > mine.txt',
      'git -C "$TOP" config core.sshCommand "$EVIL </dev/null; false"',
      'git -C "$TOP" config core.repositoryFormatVersion 1; git -C "$TOP" config extensions.partialClone origin',
      'git -C "$TOP" config remote.origin.url ssh://localhost/x; git -C "$TOP" config remote.origin.promisor true',
      'mv "$TOP/.git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)" "$OUTSIDE/taken"',
    ].join('\n'),
  }),
  attack({
    name: 'forged-index',
    // The attack makes the index record say that the change was already there.
    without: { 'src/git/snapshot/index-record.ts': 'index-record.ts' },
    files: { 'mine.txt': 'yours\n', 'forge.mjs': FORGE_INDEX },
    does: 'echo agent > mine.txt; node forge.mjs mine.txt ../snapshot-*/index',
    won: ({ git }) => git('log').includes('T-1') && git('show', 'HEAD:mine.txt') === 'yours',
  }),
];
