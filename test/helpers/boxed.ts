import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Box, detectBox, openBox } from 'ralph-box';
import type { BoxOptions } from 'ralph-box/box-options';
import { channelOf } from 'ralph-box/launch/start-command';
import type { BoxLevel, BoxRole, MountedCopy } from 'ralph-box/protocol';
import type { BoxSettings } from 'ralph-box/protocol/settings';
import type { Inherits } from 'ralph-kit/agent-home';
import { realPathOf } from 'ralph-kit/files/real-path';
import { runTestGit, temporaryFolder } from './repository.ts';

/** Level of isolation that works on this machine. */
export const boxStatus = detectBox(false);
export const isWholeBox = boxStatus.kind === 'on' && boxStatus.level === 'full';

const CLOSED: BoxSettings = {
  mode: 'auto',
  seed: [],
  writable: [],
  readable: [],
  hide: [],
  sockets: [],
  network: 'on',
  docker: false,
};

type Given = {
  readonly settings: Partial<BoxSettings>;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Names of variables in `[gates] env`. */
  readonly variables: readonly string[];
  readonly inherits: Inherits;
  /** Paths in `held_out` of all gates. */
  readonly heldOut: readonly string[];
};

/** Output of a shell in the box of a role, and how it ended. */
export type CommandOutcome = { readonly code: number | null; readonly output: string };

type Place = Pick<BoxOptions, 'root' | 'stateHome' | 'gitDir' | 'commonDir' | 'home'> &
  Pick<Given, 'settings'> &
  Partial<Pick<BoxOptions, 'onHostRefused' | 'variables' | 'agents' | 'instructions' | 'heldOut'>> & {
    readonly level?: BoxLevel;
    /** Program to use in place of bubblewrap. */
    readonly program?: string;
  };

/** Opens a box as a run has it. */
export function boxAt({
  settings,
  variables = [],
  heldOut = [],
  onHostRefused = () => undefined,
  level = 'full',
  program = boxStatus.kind === 'on' ? boxStatus.program : '',
  ...place
}: Place): Box {
  if (boxStatus.kind === 'off') throw new Error(boxStatus.reason);
  const status = { ...boxStatus, program, level: level === 'full' ? boxStatus.level : level };
  return openBox({
    ...{
      status,
      isForeign: false,
      settings: { ...CLOSED, ...settings },
      variables,
      instructions: () => [],
      heldOut,
      agents: [],
    },
    ownProgram: join(import.meta.dirname, '../..'),
    records: join(place.root, '.ralph'),
    ...place,
    ...{
      by: () => 'a test',
      onRefused: () => undefined,
      onSignInKept: () => undefined,
      onHostRefused,
    },
    ...{ folder: join(place.stateHome, 'box'), makesFolders: true },
  });
}

/** Opens a box around a folder that isn't a repository. */
export function boxAround(folder: string, given: Pick<Place, 'program'> = {}): Box {
  const [git, stateHome] = [join(folder, '.git'), join(folder, 'state')];
  return boxAt({
    ...{ root: folder, stateHome, gitDir: git, commonDir: git, home: homedir(), settings: {} },
    ...given,
  });
}

/** Hosts that a box refused to reach, in the order in which the boxes ended. */
type Refused = Parameters<BoxOptions['onHostRefused']>[0];

/** Runs shell commands, in an environment, in boxes around a folder that can reach the hosts listed in `[box]`. */
export function listingBoxes(
  settings: Partial<BoxSettings>,
  env: NodeJS.ProcessEnv = process.env,
  level: BoxLevel = 'full',
) {
  const [root, stateHome, refused] = [temporaryFolder(), temporaryFolder(), [] as Refused[]];
  const git = { gitDir: join(root, '.git'), commonDir: join(root, '.git') };
  const onHostRefused = (host: Refused) => void refused.push(host);
  const box = boxAt({ root, stateHome, ...git, home: realPathOf(homedir()), settings, onHostRefused, level });
  const run = async (role: BoxRole, command: string): Promise<CommandOutcome> => {
    const place = { program: '/bin/sh', cwd: root, env, visible: [], home: null };
    const opened = box.open({ role, ...place, agent: 'test' });
    const { program, args, front, serve } = opened;
    try {
      const child = spawn(program, [...args, '--', ...front, '/bin/sh', '-c', command], {
        ...{ cwd: root, env: opened.env, stdio: ['ignore', 'pipe', 'pipe', ...channelOf(serve)] },
      });
      serve?.(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const [code] = await once(child, 'close');
      return { code, output };
    } finally {
      opened.close();
    }
  };
  return { box, root, run, refused };
}

/** Runs shell commands in the boxes of a repository, as a run makes them. */
export function boxesOf(
  root: string,
  {
    settings = {},
    home = homedir(),
    env = process.env,
    variables = [],
    heldOut = [],
    inherits,
  }: Partial<Given> = {},
) {
  const absolute = (what: string) => runTestGit(root, ['rev-parse', '--path-format=absolute', what]);
  const git = { gitDir: absolute('--git-dir'), commonDir: absolute('--git-common-dir') };
  const box = boxAt({
    root,
    stateHome: temporaryFolder(),
    ...git,
    home: realPathOf(home),
    ...{ settings, variables, heldOut },
  });
  return (role: BoxRole, command: string, copy?: MountedCopy, own: string | null = null): CommandOutcome => {
    const place = { program: '/bin/sh', cwd: root, env, visible: [], home: null };
    const ofAgent =
      role === 'agent' ? { inherits: inherits ?? ({ which: 'all', additional: [] } as const) } : {};
    const launch = {
      ...{ role, ...place, ...ofAgent, agent: 'test', heldOut: own },
      ...(copy === undefined ? {} : { copy }),
    };
    const opened = box.open(launch);
    try {
      const run = spawnSync(opened.program, [...opened.args, '--', '/bin/sh', '-c', command], {
        ...{ cwd: root, env: opened.env, encoding: 'utf8', timeout: 120_000 },
      });
      return { code: run.status, output: `${run.stdout}${run.stderr}` };
    } finally {
      opened.close();
    }
  };
}

/** Runs shell commands in boxes that show a copy in place of the checkout. */
export function shownCopy(root: string, given: Partial<Given> = {}, isLayered = true) {
  const folder = temporaryFolder();
  for (const name of ['files/.git', 'git', 'seed']) mkdirSync(join(folder, name), { recursive: true });
  const copy: MountedCopy = {
    ...{ folder, files: join(folder, 'files'), seed: isLayered ? [join(folder, 'seed')] : null },
    git: { folder: join(folder, 'git'), objects: join(root, '.git', 'objects') },
  };
  return { copy, run: boxesOf(root, given) };
}
