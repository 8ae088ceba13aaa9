import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { BOX_TMPDIR, type BoxRole, type Opened, type OpenedBox } from '../../domain/box/box.ts';
import type { Config } from '../../domain/config.ts';
import { isAtOrBelow } from '../../lib/paths.ts';
import { tryOr } from '../../lib/try-or.ts';
import { compiledFolder } from '../files/compiled-script.ts';
import { namesIn, readFileBytes } from '../files/plain-file.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';
import { processStatus } from '../programs/table/process-identity.ts';
import {
  agentFoldersThere,
  type KeptSignIn,
  type OpenedHome,
  openAgentHome,
  usersAgentFile,
} from './agent-home.ts';
import type { BoxLaunch, BoxOptions, RefusedHost } from './box-options.ts';
import { boxArguments } from './command-line.ts';
import { inherited } from './environment.ts';
import {
  expandPath,
  findPathOnce,
  gitFilesOf,
  gitFoldersIn,
  ofOtherTrees,
  programFolders,
  withoutSockets,
} from './gather.ts';
import { isAround, isHidden, pathInBox } from './home.ts';
import { closedTo, gitSettings, type Inside, insideOf, namesInSettings } from './inside.ts';
import { type Layer, layersProblem, openWorkFolders, withLayers } from './layers.ts';
import { shownByLinks } from './linked.ts';
import { type BoxPlaces, type FindPath, mountsFor, NOTES_IN_BOX } from './mounts.ts';
import { type Gateway, openGateway, withoutProxies } from './network/gateway.ts';
import { readRefused, writeNotes } from './notes.ts';
import { secretsOutside, socketsBound } from './outside.ts';

/** What makes the boxes of one run. */
export type Box = {
  /** Prepares the box of one launch. @throws The Node error when its folders can't be made. */
  readonly open: (launch: BoxLaunch) => OpenedBox;
  /** What such a box keeps from a program: what lies at the top of the home folder, and names of variables. */
  readonly closed: (launch: Pick<BoxLaunch, 'env'>) => Opened;
  /** Where links below what git ignores led at the last launch, and nothing is seen. Absolute paths. */
  readonly linksNotShown: () => readonly string[];
};

/**
 * The box of one launch; without one, `open` gives `null`. Opened again, it is another one in the place of the first, in which
 * nothing ran. `close` is called when what runs in it has ended.
 */
export function boxOf(box: Box | null, launch: Omit<BoxLaunch, 'program'>) {
  let opened: OpenedBox | null = null;
  return {
    open: (program: string): OpenedBox | null => {
      opened?.close();
      opened = null;
      opened = box?.open({ ...launch, program }) ?? null;
      return opened;
    },
    hasStarted: () => opened?.hasStarted() ?? true,
    /** Where a file of the agent lies, in a box or not. */
    agentFile: (path: string): string | null => {
      if (opened !== null || launch.home === null) return opened?.agentFile(path) ?? null;
      return usersAgentFile(launch.home, path, launch.env);
    },
    close: () => opened?.close(),
  };
}

/** Of `[box] docker = true`; below the home folder, it is `.docker`. */
const DOCKER = ['/run/docker.sock', '/run/podman/podman.sock'];

/** @see docs/BOX.md */
export function openBox(options: BoxOptions): Box {
  const { status, isForeign, folder, stateHome, settings, makesFolders } = options;
  let git: string | null = null;
  const homes = openHomes();
  const refusedBefore = new Set<string>();
  let linksNotShown: readonly string[] = [];
  const prepared = (launch: BoxLaunch, own: string, { home, gateway }: Attached): Prepared => {
    const findPath = findPathOnce();
    const network = settings[settingOf(launch.role, settings)] === 'on';
    const passed = passedOn(options, launch, home);
    const env: Environment = {
      ...(network ? passed : withoutProxies(passed)),
      ...{ ...home?.env, ...gateway?.env, TMPDIR: BOX_TMPDIR },
    };
    const isLayered = layersProblem(folder, isForeign) === null;
    git ??= gitSettings(options.root);
    const inside = insideOf({ ...options, env, git, isLayered }, launch, own, findPath);
    const { places, notShown } = placesOf(options, launch, own, home, inside, findPath);
    linksNotShown = notShown;
    const mounts = mountsFor(launch.role, places, findPath);
    const flags = {
      ...{ level: status.level, isRoot: process.getuid?.() === 0, isForeign, network },
      ...{ nests: launch.home?.nests ?? false, asUser: inside.layers.length > 0 },
    };
    const path = env.PATH === undefined ? {} : { PATH: pathInBox(env.PATH, inside.hidden, findPath) };
    return {
      layers: inside.layers,
      plan: { args: boxArguments(flags, mounts, launch.cwd), env: { ...env, ...path } },
    };
  };
  return {
    closed: (launch) => closedTo(options, launch),
    linksNotShown: () => linksNotShown,
    open: (launch) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (makesFolders) mkdirSync(join(stateHome, NOTES_IN_BOX), { recursive: true, mode: 0o700 });
      const own = mkdtempSync(join(folder, `${process.pid}-`));
      let home: OpenedHome | null = null;
      try {
        // Temporary files of a box go to the disk, by a short name: paths of sockets have to be short.
        mkdirSync(join(own, 'tmp', 't'), { recursive: true, mode: 0o700 });
        writeNotes(join(own, 'notes'), { stateHome, by: options.by() });
        const kept = join(stateHome, 'agents', launch.agent);
        const onKept = (one: KeptSignIn) => options.onSignInKept(launch.agent, one);
        const isAlone = homes.areNone() && !isOtherAtWork(folder);
        if (launch.home !== null) {
          home = openAgentHome(launch.home, kept, options.home, launch.env, isAlone, onKept);
          homes.add(home);
        }
        const statusFile = join(own, 'status');
        const setting = settingOf(launch.role, settings);
        const listed = settings[setting];
        const gateway = Array.isArray(listed) ? openGateway(listed, setting) : null;
        const { layers, plan } = prepared(launch, own, { home, gateway });
        const onClosed = () => {
          for (const entry of gateway?.refused() ?? []) {
            const key = `${setting} ${entry}`;
            if (!refusedBefore.has(key)) options.onHostRefused({ setting, entry, role: launch.role });
            refusedBefore.add(key);
          }
        };
        const first = withLayers(own, layers, status.program, isForeign);
        return {
          ...{ program: first.program, args: [...first.args, ...plan.args], env: plan.env },
          ...{ folder: own, statusFile, front: gateway?.front ?? [], serve: gateway?.serve ?? null },
          holdsProcesses: status.level === 'full',
          // It reports an exit code only of what it could start.
          hasStarted: () => tryOr(false, () => readFileBytes(statusFile).includes('"exit-code"')),
          agentFile: (path) => home?.fileOf(path) ?? null,
          close: () => {
            openWorkFolders(layers);
            if (home !== null) homes.remove(home);
            close(own, { home, gateway }, { ...options, onClosed });
          },
        };
      } catch (error) {
        if (home !== null) homes.remove(home);
        rmSync(own, { recursive: true, force: true });
        throw error;
      }
    },
  };
}

/** How often a refreshed sign-in is looked for while agents are at work. */
const SHARED_EVERY_MS = 1000;

/** The homes of agents at work, whose sign-ins are those of one account. */
function openHomes() {
  const open = new Set<OpenedHome>();
  let timer: NodeJS.Timeout | null = null;
  const share = () => {
    // What can't be read or written now is, when its agent has ended.
    for (const home of open) tryOr(undefined, home.share);
  };
  return {
    areNone: () => open.size === 0,
    add: (home: OpenedHome) => {
      open.add(home);
      timer ??= setInterval(share, SHARED_EVERY_MS).unref();
    },
    remove: (home: OpenedHome) => {
      open.delete(home);
      if (open.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    },
  };
}

/** Whether another process has boxes. */
function isOtherAtWork(folder: string): boolean {
  return namesIn(folder).some((name) => {
    const pid = pidOf(name);
    return pid !== null && pid !== process.pid && processStatus(pid).kind === 'alive';
  });
}

/** Of the folder of a box. */
function pidOf(name: string): number | null {
  const pid = /^([1-9]\d*)-/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}

/** The key of `[box]` that says what a role reaches. */
function settingOf(role: BoxRole, { gate_network }: Config['box']): RefusedHost['setting'] {
  const asAgents = role === 'agent' || role === 'module';
  return asAgents || gate_network === undefined ? 'network' : 'gate_network';
}

/** What a launch opens as well as the box itself. */
type Attached = { readonly home: OpenedHome | null; readonly gateway: Gateway | null };

type Prepared = { readonly layers: readonly Layer[]; readonly plan: Pick<OpenedBox, 'args' | 'env'> };

/** What a program finds in its environment. */
function passedOn(
  { settings, variables }: BoxOptions,
  launch: BoxLaunch,
  home: OpenedHome | null,
): Environment {
  const ordinary = { which: 'ordinary', and: variables } as const;
  const { which, and } = launch.inherits ?? ordinary;
  const opened = launch.opened?.variables ?? [];
  const ofAgent = launch.inherits === undefined ? [] : namesInSettings(home, launch.env);
  const passed = inherited(launch.env, {
    which,
    and: [...and, ...ofAgent, ...opened, ...(launch.also ?? [])],
  });
  return withoutSockets(passed, settings.sockets);
}

function close(
  own: string,
  { home, gateway }: Attached,
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
  {
    root,
    gitDir,
    commonDir,
    stateHome,
    home,
    settings,
    heldOut,
    instructions,
    agents,
    makesFolders,
  }: BoxOptions,
  launch: BoxLaunch,
  own: string,
  agentHome: OpenedHome | null,
  inside: Inside,
  findPath: FindPath,
): { readonly places: BoxPlaces; readonly notShown: readonly string[] } {
  const { env, program } = launch;
  const gitFolders = gitFoldersIn(commonDir);
  if (makesFolders) makeProtected([commonDir, ...gitFolders]);
  const at = (path: string) => expandPath(path, root, home);
  const folders = agentHome?.folders ?? [];
  // In a home folder there are none.
  const others = agentFoldersThere(agents, home, env, findPath).filter(
    (path) => !isHidden(path, inside.hidden) && !folders.some((one) => one.path === path),
  );
  // A home folder as a whole would show all that is in it.
  const openable = (paths: readonly string[]) =>
    paths.map(at).filter((path) => !isAround(path, inside.hidden));
  const writable = [...openable(settings.writable), ...(launch.writable ?? [])];
  const isWritable = (tree: string) => [root, ...writable].some((folder) => isAtOrBelow(tree, folder));
  const docker = settings.docker ? [...DOCKER, `/run/user/${process.getuid?.()}/docker.sock`] : [];
  const sockets = [
    ...docker,
    ...(settings.docker ? [join(home, '.docker')] : []),
    ...settings.sockets.map(at),
  ];
  const empty = [...inside.hidden, '/tmp', '/var/tmp'];
  const programs = [program, findPath(program)?.real ?? program].filter(isAbsolute);
  const visible = [
    ...[...programFolders(env), ...programs.map((path) => dirname(path))].filter(
      (path) => !isAround(path, empty),
    ),
    ...[...programs, ...launch.visible],
  ].filter((path) => !isAtOrBelow(path, root) || launch.visible.includes(path));
  const shownAlone = launch.heldOut ?? null;
  const readable = [
    ...openable(settings.readable),
    ...(launch.opened?.paths ?? []),
    ...(shownAlone === null ? [] : [shownAlone]),
  ];
  // What lies there ralph runs as it is.
  const compiled = compiledFolder();
  if (makesFolders && isWritable(compiled)) mkdirSync(compiled, { recursive: true, mode: 0o700 });
  const hidden = [
    ...secretsOutside(),
    compiled,
    ...settings.hide.map(at),
    ...heldOut.filter((path) => path !== shownAlone),
  ];
  const around = {
    ...{ root, home, empty, seen: [...inside.shown.map(({ path }) => path), ...readable, ...writable] },
    secret: [...hidden, ...heldOut, dirname(stateHome), stateHome, gitDir, commonDir],
  };
  const links = shownByLinks(launch.copy?.ignored?.() ?? [], around, findPath);
  const linked = links.shown.flatMap((one) => {
    if (!isAtOrBelow(one.from, root)) return one;
    // A link back to what is tracked: the copy has that, and nothing else is seen.
    const name = one.from.slice(root.length);
    const isTracked = !/^\/\.(?:git|ralph)(?:\/|$)/.test(name) && existsSync(`${launch.copy?.files}${name}`);
    return isTracked ? { ...one, from: inside.copyAt + name } : [];
  });
  const shownAll = [...inside.shown, ...linked];
  const shown = [...shownAll.map(({ from }) => from), ...visible, ...readable, ...writable];
  const isSeen = (path: string) =>
    !isHidden(path, empty) || shown.some((folder) => isAtOrBelow(path, folder));
  const isMeant = (path: string) => [...launch.visible, ...sockets].some((one) => isAtOrBelow(path, one));
  const bound = socketsBound().filter((path) => isSeen(path) && !isMeant(path));
  const places: BoxPlaces = {
    ...{ root, gitDir, commonDir, gitFolders, stateHome },
    copy:
      launch.copy?.git == null
        ? null
        : { files: inside.copyAt, git: launch.copy.git.folder, objects: launch.copy.git.objects },
    ofOtherTrees: ofOtherTrees(gitDir, commonDir, isWritable),
    gitFiles: gitFilesOf(root, gitFolders),
    instructions: instructions(),
    visible,
    ownTmp: join(own, 'tmp'),
    ownNotes: join(own, 'notes'),
    ownFolders: inside.ownFolders,
    shown: shownAll,
    standIns: [...others.map((path) => ({ path, from: null })), ...folders],
    agentSettings: agentHome?.settings ?? [],
    writable,
    readable,
    hidden: [...hidden, ...bound],
    sockets,
  };
  return { places, notShown: links.notShown };
}

/** Folders that aren't there could be made by what runs: nothing is mounted on them. */
function makeProtected(gitFolders: readonly string[]): void {
  for (const folder of gitFolders.filter((one) => existsSync(join(one, 'objects'))))
    for (const name of ['hooks', 'info']) mkdirSync(join(folder, name), { recursive: true });
}

/** Where boxes of runs have their own folders. */
export function boxFolderOf(stateHome: string): string {
  return join(stateHome, 'box');
}

/** Removes what boxes of processes left that are gone. */
export function pruneBoxes(stateHome: string): void {
  for (const name of namesIn(boxFolderOf(stateHome))) {
    const pid = pidOf(name);
    if (pid !== null && processStatus(pid).kind === 'alive') continue;
    rm(join(boxFolderOf(stateHome), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
