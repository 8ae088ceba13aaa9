import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compiledFolder } from 'ralph-kit/files/compiled-script';
import { namesIn, readFileBytes } from 'ralph-kit/files/plain-file';
import { isAtOrBelow } from 'ralph-kit/paths';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { tryOr } from 'ralph-kit/try-or';
import {
  existingAgentFolders,
  type KeptSignIn,
  type OpenedHome,
  openAgentHome,
  usersAgentFile,
} from './agent-home.ts';
import { type BoxHome, boxHomeOf, closedTo, gitSettings, namesInSettings, programsOf } from './box-home.ts';
import type { BoxOptions, RefusedHost } from './box-options.ts';
import { boxArguments } from './command-line.ts';
import { inherited } from './environment.ts';
import {
  expandPath,
  filesOfOtherTrees,
  findPathOnce,
  gitFilesOf,
  gitFoldersIn,
  programFolders,
  withoutSockets,
} from './gather.ts';
import { containsHidden, isHidden, pathInBox } from './home.ts';
import { type Layer, layersProblem, openWorkFolders, withLayers } from './layers.ts';
import { visibleByLinks } from './linked.ts';
import { type BoxPlaces, type FindPath, mountsFor, NOTES_IN_BOX } from './mounts.ts';
import { type Gateway, openGateway, withoutProxies } from './network/gateway.ts';
import { readRefused, writeNotes } from './notes.ts';
import { secretsOutside, socketsBound } from './outside.ts';
import { BOX_TMPDIR, type Box, type BoxLaunch, type BoxRole, type OpenedBox } from './protocol/index.ts';
import type { BoxSettings } from './protocol/settings.ts';

/** Returns one launch's box; `open` returns `null` without one, and replaces a box that was never used. */
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
    agentFile: (path: string): string | null => {
      if (opened !== null || launch.home === null) return opened?.agentFile(path) ?? null;
      return usersAgentFile(launch.home, path, launch.env);
    },
    close: () => opened?.close(),
  };
}

/** Sockets opened by `[box] docker = true`, besides `.docker` in the home folder. */
const DOCKER = ['/run/docker.sock', '/run/podman/podman.sock'];

/** Opens the boxes of one run. @see docs/BOX.md */
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
      ...home?.env,
      ...gateway?.env,
      TMPDIR: BOX_TMPDIR,
    };
    const isLayered = layersProblem(folder, isForeign) === null;
    git ??= gitSettings(options.root);
    const inside = boxHomeOf({ ...options, env, git, isLayered }, launch, own, findPath);
    const { places, notShown } = placesOf(options, launch, own, home, inside, findPath);
    linksNotShown = notShown;
    const mounts = mountsFor(launch.role, places, findPath);
    const flags = {
      level: status.level,
      isRoot: process.getuid?.() === 0,
      isForeign,
      network,
      nests: launch.home?.nests ?? false,
      asUser: inside.layers.length > 0,
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
        // Temporary files are on disk, under a short name: socket paths have a length limit.
        mkdirSync(join(own, 'tmp', 't'), { recursive: true, mode: 0o700 });
        writeNotes(join(own, 'notes'), { stateHome, by: options.by() });
        const kept = join(stateHome, 'agents', launch.agent);
        const onKept = (one: KeptSignIn) => options.onSignInKept(launch.agent, one);
        const isAlone = homes.isEmpty() && !isOtherAtWork(folder);
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
          program: first.program,
          args: [...first.args, ...plan.args],
          env: plan.env,
          folder: own,
          statusFile,
          front: gateway?.front ?? [],
          serve: gateway?.serve ?? null,
          holdsProcesses: status.level === 'full',
          // bubblewrap reports an exit code only for a program that it could start.
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

/** Interval of checks for refreshed sign-ins while agents run, in milliseconds. */
const SHARED_EVERY_MS = 1000;

/** Homes of running agents, which share the sign-ins of one account. */
function openHomes() {
  const open = new Set<OpenedHome>();
  let timer: NodeJS.Timeout | null = null;
  const share = () => {
    // Files that can't be read or written now are handled when the agent has ended.
    for (const home of open) tryOr(undefined, home.share);
  };
  return {
    isEmpty: () => open.size === 0,
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

function isOtherAtWork(folder: string): boolean {
  return namesIn(folder).some((name) => {
    const pid = pidOf(name);
    return pid !== null && pid !== process.pid && processStatus(pid).kind === 'alive';
  });
}

/** Returns the process id in a box folder's name (`PID-…`). */
function pidOf(name: string): number | null {
  const pid = /^([1-9]\d*)-/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}

function settingOf(role: BoxRole, { gate_network }: BoxSettings): RefusedHost['setting'] {
  const asAgents = role === 'agent' || role === 'module';
  return asAgents || gate_network === undefined ? 'network' : 'gate_network';
}

type Attached = { readonly home: OpenedHome | null; readonly gateway: Gateway | null };

type Prepared = { readonly layers: readonly Layer[]; readonly plan: Pick<OpenedBox, 'args' | 'env'> };

function passedOn(
  { settings, variables }: BoxOptions,
  launch: BoxLaunch,
  home: OpenedHome | null,
): Environment {
  const ordinary = { which: 'ordinary', additional: variables } as const;
  const { which, additional } = launch.inherits ?? ordinary;
  const opened = launch.opened?.variables ?? [];
  const ofAgent = launch.inherits === undefined ? [] : namesInSettings(home, launch.env);
  const passed = inherited(launch.env, {
    which,
    additional: [...additional, ...ofAgent, ...opened, ...(launch.extraVariables ?? [])],
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
    // A sign-in that can't be written back stays in ralph's folder for the agent.
  }
  // Leftovers are removed later by `pruneBoxes`.
  rm(own, { recursive: true, force: true }).catch(() => undefined);
}

function placesOf(
  {
    root,
    gitDir,
    commonDir,
    stateHome,
    ownProgram,
    records,
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
  inside: BoxHome,
  findPath: FindPath,
): { readonly places: BoxPlaces; readonly notShown: readonly string[] } {
  const { env } = launch;
  const gitFolders = gitFoldersIn(commonDir);
  if (makesFolders) makeProtected([commonDir, ...gitFolders]);
  const at = (path: string) => expandPath(path, root, home);
  const folders = agentHome?.folders ?? [];
  // Agent folders inside a home folder are hidden already.
  const others = existingAgentFolders(agents, home, env, findPath).filter(
    (path) => !isHidden(path, inside.hidden) && !folders.some((one) => one.path === path),
  );
  // Opening a whole home folder would show everything in it.
  const openable = (paths: readonly string[]) =>
    paths.map(at).filter((path) => !containsHidden(path, inside.hidden));
  const writable = [...openable(settings.writable), ...(launch.writable ?? [])];
  const isWritable = (tree: string) => [root, ...writable].some((folder) => isAtOrBelow(tree, folder));
  const docker = settings.docker ? [...DOCKER, `/run/user/${process.getuid?.()}/docker.sock`] : [];
  const sockets = [
    ...docker,
    ...(settings.docker ? [join(home, '.docker')] : []),
    ...settings.sockets.map(at),
  ];
  const empty = [...inside.hidden, '/tmp', '/var/tmp'];
  const programs = programsOf(launch, findPath);
  const visible = [
    ...[...programFolders(env, ownProgram), ...programs.map((path) => dirname(path))].filter(
      (path) => !containsHidden(path, empty),
    ),
    ...[...programs, ...launch.visible],
  ].filter((path) => !isAtOrBelow(path, root) || launch.visible.includes(path));
  const shownAlone = launch.heldOut ?? null;
  const readable = [
    ...openable(settings.readable),
    ...(launch.opened?.paths ?? []),
    ...(shownAlone === null ? [] : [shownAlone]),
  ];
  // ralph runs compiled code from this folder without checks, so programs in a box must not write to it.
  const compiled = compiledFolder();
  if (makesFolders && isWritable(compiled)) mkdirSync(compiled, { recursive: true, mode: 0o700 });
  const hidden = [
    ...secretsOutside(),
    compiled,
    ...settings.hide.map(at),
    ...heldOut.filter((path) => path !== shownAlone),
  ];
  const around = {
    root,
    home,
    empty,
    visible: [...inside.shown.map(({ path }) => path), ...readable, ...writable],
    secret: [...hidden, ...heldOut, dirname(stateHome), stateHome, gitDir, commonDir],
  };
  const links = visibleByLinks(launch.copy?.ignored?.() ?? [], around, findPath);
  const linked = links.shown.flatMap((one) => {
    if (!isAtOrBelow(one.from, root)) return one;
    // A link back to tracked files leads to the copy's version; other files of the checkout stay hidden.
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
    root,
    gitDir,
    commonDir,
    gitFolders,
    stateHome,
    records,
    copy:
      launch.copy?.git == null
        ? null
        : { files: inside.copyAt, git: launch.copy.git.folder, objects: launch.copy.git.objects },
    ofOtherTrees: filesOfOtherTrees(gitDir, commonDir, isWritable),
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

/** Missing folders couldn't be protected by a mount, and a program in the box could make them. */
function makeProtected(gitFolders: readonly string[]): void {
  for (const folder of gitFolders.filter((one) => existsSync(join(one, 'objects'))))
    for (const name of ['hooks', 'info']) mkdirSync(join(folder, name), { recursive: true });
}

export function boxFolderOf(stateHome: string): string {
  return join(stateHome, 'box');
}

/** Removes box folders of processes that have ended. */
export function pruneBoxes(stateHome: string): void {
  for (const name of namesIn(boxFolderOf(stateHome))) {
    const pid = pidOf(name);
    if (pid !== null && processStatus(pid).kind === 'alive') continue;
    rm(join(boxFolderOf(stateHome), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
