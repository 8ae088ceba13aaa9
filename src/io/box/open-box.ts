import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AgentHome,
  BOX_TMPDIR,
  type BoxRole,
  type BoxState,
  type OpenedBox,
  type ShownCopy,
} from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import { namesIn } from '../names-in.ts';
import type { Environment } from '../proc/launch/running.ts';
import { readFileBytes } from '../store/files/plain-file.ts';
import { processState } from '../store/lock/process-identity.ts';
import {
  agentFoldersThere,
  type KeptSignIn,
  type OpenedHome,
  openAgentHome,
  yourAgentFile,
} from './agent-home.ts';
import { cachesThere } from './caches.ts';
import { boxArguments } from './command-line.ts';
import {
  expandPath,
  gitFilesOf,
  gitFoldersIn,
  lookOnce,
  ofOtherTrees,
  programFolders,
  socketsNamed,
  withoutSockets,
} from './gather.ts';
import { seenFolder, withLayers } from './layers.ts';
import { type BoxPlaces, columnOf, type Look, mountsFor } from './mounts.ts';
import { type Gateway, openGateway, withoutProxies } from './network/gateway.ts';
import { type RefusedCommand, readRefused, writeNotes } from './notes.ts';

/** What makes the boxes of one run. */
export type Box = {
  /** Prepares the box of one launch. @throws The Node error when its folders can't be made. */
  readonly open: (launch: BoxLaunch) => OpenedBox;
};

/** What a box is made of. */
type BoxPlan = Pick<OpenedBox, 'args' | 'env'>;

/** What a launch opens beside the box itself. */
type Opened = { readonly home: OpenedHome | null; readonly gateway: Gateway | null };

export type BoxLaunch = {
  readonly role: BoxRole;
  /** Absolute path of what is started. */
  readonly program: string;
  readonly cwd: string;
  readonly env: Environment;
  /** What it needs to see beside what its role gives it: the folders of its hook. */
  readonly visible: readonly string[];
  /** A folder of its own that it may write to. */
  readonly writable?: readonly string[];
  /** The agent's own folders; `null` for what isn't an agent, or has none. */
  readonly home: AgentHome | null;
  /** What ralph calls the agent. */
  readonly agent: string;
  /** Stands in the place of the work tree; the repository can only be read then. Absent: the work tree itself. */
  readonly copy?: ShownCopy | undefined;
};

export type BoxOptions = {
  readonly state: Extract<BoxState, { kind: 'on' }>;
  readonly isForeign: boolean;
  readonly settings: Config['box'];
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly stateHome: string;
  readonly home: string;
  /** Who is at work, for the screen. */
  readonly by: () => string;
  /** Absolute paths of the files that are orders: the task list in use, prompts. */
  readonly orders: () => readonly string[];
  /** Where its own folders are made, and whether caches are made that are not there: a look changes nothing. */
  readonly folder: string;
  readonly makesCaches: boolean;
  /** All agents that ralph knows. */
  readonly agents: readonly AgentHome[];
  /** A command that decides for you was called from inside, and refused. */
  readonly onRefused: (command: RefusedCommand) => void;
  /** A host was asked for that isn't listed: called once for each. */
  readonly onHostRefused: (host: RefusedHost) => void;
  /** An agent's sign-in changed in its box, and was not carried back to yours. */
  readonly onSignInKept: (agent: string, kept: KeptSignIn) => void;
};

/** A host, as it has to be written to the setting that doesn't list it. */
export type RefusedHost = {
  readonly setting: 'network' | 'gate_network';
  readonly entry: string;
  readonly role: BoxRole;
};

/** The box of one launch; without one, `open` gives `null`. `close` is called when what runs in it has ended. */
export function boxOf(box: Box | null, launch: Omit<BoxLaunch, 'program'>) {
  let opened: OpenedBox | null = null;
  return {
    open: (program: string): OpenedBox | null => {
      opened ??= box?.open({ ...launch, program }) ?? null;
      return opened;
    },
    hasStarted: () => opened?.hasStarted() ?? true,
    /** Where a file of the agent lies, in a box or not. */
    agentFile: (path: string): string | null => {
      if (opened !== null || launch.home === null) return opened?.agentFile(path) ?? null;
      return yourAgentFile(launch.home, path, launch.env);
    },
    close: () => opened?.close(),
  };
}

/** Of `[box] docker = true`; below the home folder, it is `.docker`. */
const DOCKER = ['/run/docker.sock', '/run/podman/podman.sock'];

/** @see docs/BOX.md */
export function openBox(options: BoxOptions): Box {
  const { state, isForeign, settings, folder } = options;
  const isRoot = process.getuid?.() === 0;
  const refusedBefore = new Set<string>();
  const planned = (launch: BoxLaunch, own: string, { home, gateway }: Opened): BoxPlan => {
    const look = lookOnce();
    const mounts = mountsFor(launch.role, placesOf(options, launch, own, home, look), look);
    const network = settings[settingOf(launch.role, settings)] === 'on';
    const nests = launch.home?.nests ?? false;
    const env = network ? launch.env : withoutProxies(launch.env);
    const flags = { level: state.level, isRoot, isForeign, network, nests };
    return {
      args: boxArguments({ ...flags, asUser: launch.copy?.seed != null }, mounts, launch.cwd),
      env: {
        ...withoutSockets(env, settings.sockets),
        ...{ ...home?.env, ...gateway?.env, TMPDIR: BOX_TMPDIR },
      },
    };
  };
  return {
    open: (launch) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const own = mkdtempSync(join(folder, `${process.pid}-`));
      let home: OpenedHome | null = null;
      try {
        // Temporary files of a box go to the disk, by a short name: paths of sockets have to be short.
        mkdirSync(join(own, 'tmp', 't'), { recursive: true, mode: 0o700 });
        const notes = join(own, 'notes');
        writeNotes(notes, { stateHome: options.stateHome, by: options.by() });
        const kept = join(options.stateHome, 'agents', launch.agent);
        const onKept = (one: KeptSignIn) => options.onSignInKept(launch.agent, one);
        if (launch.home !== null) home = openAgentHome(launch.home, kept, options.home, launch.env, onKept);
        const statusFile = join(own, 'status');
        const setting = settingOf(launch.role, settings);
        const listed = settings[setting];
        const gateway = Array.isArray(listed) ? openGateway(listed, setting) : null;
        const { args, env } = planned(launch, own, { home, gateway });
        const onClosed = () => {
          for (const entry of gateway?.refused() ?? []) {
            const key = `${setting} ${entry}`;
            if (!refusedBefore.has(key)) options.onHostRefused({ setting, entry, role: launch.role });
            refusedBefore.add(key);
          }
        };
        const first = withLayers(launch.copy ?? null, state.program, isForeign);
        return {
          ...{ program: first.program, args: [...first.args, ...args], env, folder: own, statusFile },
          ...{ front: gateway?.front ?? [], serve: gateway?.serve ?? null },
          holdsProcesses: state.level === 'full',
          hasStarted: () => readStatus(statusFile),
          agentFile: (path) => home?.fileOf(path) ?? null,
          close: () => close(own, { home, gateway }, { ...options, onClosed }),
        };
      } catch (error) {
        rmSync(own, { recursive: true, force: true });
        throw error;
      }
    },
  };
}

/** The key of `[box]` that says what a role reaches. */
function settingOf(role: BoxRole, { gate_network }: Config['box']): RefusedHost['setting'] {
  const asAgents = role === 'agent' || role === 'module';
  return asAgents || gate_network === undefined ? 'network' : 'gate_network';
}

function close(
  own: string,
  { home, gateway }: Opened,
  { onRefused, onClosed }: Pick<BoxOptions, 'onRefused'> & { readonly onClosed: () => void },
): void {
  gateway?.close();
  try {
    home?.close();
    for (const command of readRefused(join(own, 'notes'))) onRefused(command);
    onClosed();
  } catch {
    // A sign-in that can't be written back stays in the agent's folder of ralph.
  }
  // What can't be removed now, `pruneBoxes` tries again.
  rm(own, { recursive: true, force: true }).catch(() => undefined);
}

function placesOf(
  { root, gitDir, commonDir, stateHome, home, settings, orders, agents, makesCaches }: BoxOptions,
  launch: BoxLaunch,
  own: string,
  agentHome: OpenedHome | null,
  look: Look,
): BoxPlaces {
  const { env, program } = launch;
  const gitFolders = gitFoldersIn(commonDir);
  if (makesCaches) makeProtected([commonDir, ...gitFolders]);
  const at = (path: string) => expandPath(path, root, home);
  const folders = agentHome?.folders ?? [];
  const others = agentFoldersThere(agents, home, env, look).filter(
    (path) => !folders.some((one) => one.path === path),
  );
  const caches = cachesThere(home, env, join(stateHome, 'caches', columnOf(launch.role)), makesCaches, look);
  const writable = [...settings.writable.map(at), ...(launch.writable ?? [])];
  const isWritable = (tree: string) => [root, ...writable].some((folder) => isBelow(folder, tree));
  const docker = settings.docker ? [...DOCKER, `/run/user/${process.getuid?.()}/docker.sock`] : [];
  return {
    ...{ root, gitDir, commonDir, gitFolders, stateHome, home },
    copy: copyOf(launch.copy),
    ofOtherTrees: ofOtherTrees(gitDir, commonDir, isWritable),
    gitFiles: gitFilesOf(root, gitFolders),
    orders: orders(),
    visible: [
      ...programFolders(env).filter((path) => !isBelow(root, path)),
      ...[program, look(program)?.real ?? program]
        .map((path) => dirname(path))
        .filter((path) => !isBelow(root, path)),
      ...launch.visible,
    ],
    ownTmp: join(own, 'tmp'),
    ownNotes: join(own, 'notes'),
    standIns: [...others.map((path) => ({ path, from: null })), ...folders, ...caches.standIns],
    theirSettings: [...(agentHome?.settings ?? []), ...caches.settings],
    caches: caches.writable,
    writable,
    hidden: [...socketsNamed(env), ...settings.hide.map(at)],
    sockets: [...docker, ...(settings.docker ? [join(home, '.docker')] : []), ...settings.sockets.map(at)],
  };
}

function copyOf(copy: ShownCopy | undefined): BoxPlaces['copy'] {
  if (copy?.git == null) return null;
  return { files: seenFolder(copy), git: copy.git.folder, objects: copy.git.objects };
}

/** Folders that aren't there could be made by what runs: nothing is mounted on them. */
function makeProtected(gitFolders: readonly string[]): void {
  for (const folder of gitFolders.filter((one) => existsSync(join(one, 'objects'))))
    for (const name of ['hooks', 'info']) mkdirSync(join(folder, name), { recursive: true });
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** It reports an exit code only of what it could start. */
function readStatus(statusFile: string): boolean {
  try {
    return readFileBytes(statusFile).includes('"exit-code"');
  } catch {
    return false;
  }
}

/** Where boxes of runs have their own folders. */
export function boxFolderOf(stateHome: string): string {
  return join(stateHome, 'box');
}

/** Removes what boxes of processes left that are gone. */
export function pruneBoxes(stateHome: string): void {
  for (const name of namesIn(boxFolderOf(stateHome))) {
    const pid = /^([1-9]\d*)-/.exec(name)?.[1];
    if (pid !== undefined && processState(Number(pid)).kind === 'alive') continue;
    rm(join(boxFolderOf(stateHome), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
