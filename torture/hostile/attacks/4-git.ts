import { chmodSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Attack, brokenIf } from '../attack.ts';

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
  'src/io/git/protect/git-files.ts': 'git-files.ts',
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
};

/** The program of the agent starts in the middle of ralph's own git, or ralph never ends. */
function attack({ name, without, does, files = {}, settings = [], hook, inPath }: Plan): Attack {
  return {
    point: 4,
    name,
    without,
    play: async (site) => {
      const ran = join(site.outside, 'ran');
      const evil = `EVIL='sh -c "touch ${ran}; cat"'\n`;
      const agent = `${evil}echo parser > parser.txt\n${does}\nprintf '${CLAIM}'\n`;
      const start = { '.ralph/PRD.md': LIST, '.ralph/ralph.toml': CONFIG, 'agent.sh': agent, ...files };
      const { root, git } = site.repository(start);
      // Git runs no other hook.
      if (hook !== undefined) {
        chmodSync(join(root, hook), 0o755);
        git('commit', '-qam', 'hook');
      }
      for (const [key, value] of settings) git('config', key, value);
      if (inPath !== undefined) process.env.PATH = [join(root, inPath), process.env.PATH].join(delimiter);
      const run = await site.ralph(root, 'run');
      const hangs = run.code === null;
      return brokenIf(
        existsSync(ran) || hangs,
        `exit ${run.code}: ${run.stdout.slice(-300)} ${run.stderr.slice(-300)}`,
      );
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
    name: 'changed-hook',
    without: { 'src/io/git/view/changed-hook.ts': 'changed-hook.ts' },
    does: `printf '#!/bin/sh\\n%s </dev/null\\n' "$EVIL" > hooks/pre-commit; chmod +x hooks/pre-commit`,
    files: { 'hooks/pre-commit': '#!/bin/sh\nexit 0\n' },
    hook: 'hooks/pre-commit',
    settings: [['core.hooksPath', 'hooks']],
  }),
];
