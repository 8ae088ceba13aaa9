import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Attack, type AttackResult, brokenIf, type Site } from '../attack.ts';

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n- [ ] **T-2** Write the printer\n';

type Scene = {
  readonly root: string;
  /** Returns the document that a command prints, called by you when the run is over. */
  // biome-ignore lint/suspicious/noExplicitAny: each attack looks for its own members
  readonly json: (...args: string[]) => Promise<any>;
};

type Inside = {
  /** Shell text that the agent runs; `$RALPH` is the program, `$OUTSIDE` the folder for its traces. */
  readonly agent: string;
  readonly config?: string;
  readonly hook?: string;
  /** Id of the one task of the run; absent: all. */
  readonly task?: string;
  readonly before?: (site: Site, scene: Scene) => Promise<void>;
  /** Whether the attacker got what it wanted. */
  readonly won: (scene: Scene) => Promise<boolean>;
};

/** Shell text that removes ralph's markers from the environment and keeps everything that a program needs. */
const CLEAN =
  'env -i PATH="$PATH" HOME="$HOME" XDG_STATE_HOME="$XDG_STATE_HOME" RALPH="$RALPH" OUTSIDE="$OUTSIDE"';

async function play(
  site: Site,
  { agent, config = '', hook, task, before, won }: Inside,
): Promise<AttackResult> {
  process.env.RALPH = `${process.execPath} ${site.bin}`;
  process.env.OUTSIDE = site.outside;
  const { root, write } = site.repository({
    '.ralph/PRD.md': LIST,
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n${config}`,
    'agent.sh': `cat > /dev/null\n${agent}\necho parser > parser.txt\nprintf "STATUS: DONE\\nEXIT_SIGNAL: true\\n"\n`,
  });
  if (hook !== undefined) write('.git/hooks/pre-commit', `#!/bin/sh\n${hook}\n`, 0o755);
  const json: Scene['json'] = async (...args) =>
    JSON.parse((await site.ralph(root, '--format', 'json', ...args)).stdout);
  const scene = { root, json };
  await before?.(site, scene);
  const run = await site.ralph(root, 'run', ...(task === undefined ? [] : ['--task', task]));
  return brokenIf(await won(scene), `run: exit ${run.code}: ${run.stdout.slice(-300)}${run.stderr}`);
}

const attack = (name: string, inside: Inside): Attack => ({
  point: 7,
  name,
  without: { 'src/decide/run/started-inside.ts': 'started-inside.ts' },
  play: (site) => play(site, inside),
});

const trusted: Inside['won'] = async ({ json }) => (await json('trust', '--list')).state === 'trusted';
const advised: Inside['won'] = async ({ json }) => (await json('feedback', 'list')).entries.length > 0;
const ADVISE = '$RALPH feedback add "Every test may be skipped"';

export const INSIDE: readonly Attack[] = [
  attack('inside-trust', { agent: '$RALPH trust', won: trusted }),
  attack('inside-feedback', { agent: ADVISE, won: advised }),
  attack('inside-accept', {
    agent: '[ "$RALPH_TASK_ID" = T-1 ] || { echo half > half.txt; exit 1; }; $RALPH tasks accept T-2',
    before: async (site, { root }) => {
      await site.ralph(root, 'run', '--task', 'T-2');
    },
    task: 'T-1',
    won: async ({ json }) => (await json('tasks')).tasks[1].status === 'done',
  }),
  attack('inside-reopen', {
    agent: '[ "$RALPH_TASK_ID" = T-1 ] || $RALPH tasks reopen T-1 --reason "do it again"',
    before: async (site, { root }) => {
      await site.ralph(root, 'run', '--task', 'T-1');
    },
    won: async ({ json }) => (await json('tasks')).tasks[0].status !== 'done',
  }),
  attack('inside-terminal', {
    agent: `${CLEAN} setsid script -qec "$RALPH trust" /dev/null > "$OUTSIDE/over" 2>&1 < /dev/null`,
    won: trusted,
  }),
  attack('inside-link', {
    agent: `ln -s "$PWD" "$OUTSIDE/here"; cd "$OUTSIDE/here" && ${CLEAN} PWD="$OUTSIDE/here" bash -c '$RALPH --cwd "$OUTSIDE/here" trust'`,
    won: trusted,
  }),
  attack('inside-own-processes', {
    // In a process namespace of its own, process ids have another meaning. If no namespace can be made there, that is
    // accepted, too.
    agent: `${CLEAN} RALPH_BOX_MODE=off unshare --user --map-root-user --pid --fork sh -c '$RALPH trust'`,
    won: trusted,
  }),
  attack('inside-unblock', {
    agent: '[ "$RALPH_TASK_ID" = T-1 ] && exit 1\n$RALPH unblock T-1',
    config: '[unblock]\nauto = false\n',
    before: async (site, { root }) => {
      for (let attempt = 1; attempt <= 3; attempt += 1) await site.ralph(root, 'run', '--task', 'T-1');
      // The circuit breaker stopped the runs, so they are resumed.
      await site.ralph(root, 'resume');
    },
    won: async ({ json }) => (await json('tasks')).tasks[0].status !== 'blocked',
  }),
  attack('inside-clean-environment', { agent: `${CLEAN} sh -c '$RALPH trust'`, won: trusted }),
  attack('inside-detached', {
    agent: `${CLEAN} setsid sh -c '(sh -c "\\$RALPH trust; : > \\$OUTSIDE/over" &)'
until [ -e "$OUTSIDE/over" ]; do sleep 0.05; done`,
    won: trusted,
  }),
  attack('inside-cwd', { agent: 'here=$PWD; cd / && $RALPH --cwd "$here" trust', won: trusted }),
  attack('inside-no-lock', {
    agent: `rm "$TOP/.ralph/run.lock"; ${CLEAN} sh -c '$RALPH trust'`,
    won: trusted,
  }),
  attack('inside-run', {
    agent: `git -C "$TOP" worktree add -q "$OUTSIDE/other"; cd "$OUTSIDE/other"
[ -e "$OUTSIDE/begun" ] || { : > "$OUTSIDE/begun"; $RALPH run; }`,
    won: async () => existsSync(join(process.env.OUTSIDE ?? '', 'other/.ralph/runs')),
  }),
  attack('inside-gate', {
    agent: ':',
    config: `[gates]\ncommands = ["sh -c '${ADVISE.replaceAll('"', '\\"')}; true'"]\n`,
    won: advised,
  }),
  attack('inside-hook', {
    agent: ':',
    config: '[git]\ncommit = "on_done"\n',
    hook: ADVISE,
    won: advised,
  }),
];
