import { parentOf } from 'ralph-kit/paths';
import { HOMES } from './outside.ts';
import { BOX_SUBMODULES, type BoxRole, OBJECTS_IN_BOX } from './protocol/index.ts';

export type Access = 'read' | 'write' | 'hide';

/** Absolute real paths for a box's mounts. Missing ones may be named and are ignored. */
export type BoxPlaces = {
  readonly root: string;
  /** Replaces the work tree and its git folder; of the repository only objects are then readable. */
  readonly copy: { readonly files: string; readonly git: string; readonly objects: string } | null;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Git folders of submodules, at any depth, and of linked work trees. */
  readonly gitFolders: readonly string[];
  readonly ofOtherTrees: readonly string[];
  /** `.git` files of the work tree and of its submodules. */
  readonly gitFiles: readonly string[];
  /** Instruction files: the task list and prompts. */
  readonly instructions: readonly string[];
  readonly stateHome: string;
  /** ralph's folder: `.ralph` of the work tree, or one in the state home. */
  readonly records: string;
  /**
   * Paths that agents and gates need to see, even in a temporary folder: of their programs, and of the hook's folder.
   */
  readonly visible: readonly string[];
  readonly ownTmp: string;
  readonly ownNotes: string;
  /** Folders of ralph's that replace the home folder and caches. */
  readonly ownFolders: readonly Place[];
  readonly shown: readonly VisiblePath[];
  readonly standIns: readonly StandIn[];
  /** Your settings inside the agents' folders. */
  readonly agentSettings: readonly VisiblePath[];
  /** Paths of `[box]`, absolute. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
  readonly sockets: readonly string[];
};

/** A folder and its real location outside the box. */
export type Place = { readonly path: string; readonly from: string };

export type VisiblePath = Omit<Mount, 'access'>;

/** A folder of ralph's that replaces another; `null` shows an empty folder. */
export type StandIn = { readonly path: string; readonly from: string | null };

export type Mount = {
  readonly access: Access;
  readonly path: string;
  /** Location outside the box; usually equal to `path`. */
  readonly from: string;
  readonly kind: Kind;
};

/** Returns the real path and kind; `null` when the path leads nowhere. */
export type Kind = 'folder' | 'file';
export type FindPath = (path: string) => { readonly realPath: string; readonly kind: Kind } | null;

/** A ralph in a box recognises the box by this mount, and records refused commands in `REFUSED_FOLDER`. */
export const NOTES_IN_BOX = 'inside';
export const REFUSED_FOLDER = 'refused';
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Parts of `/run` that programs need: name resolution, the network, programs. */
const OF_RUN = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/wrappers',
  '/run/opengl-driver',
];
/** Entries of a git folder that git executes, reads settings from, or is redirected by. */
const OF_GIT = ['config', 'config.worktree', 'hooks', 'info', 'commondir', 'gitdir'];

type Rule = readonly [Access, readonly string[]];

/** The later of two rules for one path applies. Gates, set-up commands and modules get the same rules. */
function table(role: BoxRole, places: BoxPlaces): readonly Rule[] {
  const { root, gitDir, commonDir, stateHome, records } = places;
  return [
    ['read', OF_RUN],
    ['read', places.visible],
    ['read', places.readable],
    // An agent in a copy gets no writable paths within the checkout, as the copy has its own files at these paths.
    ['write', places.copy === null ? places.writable : outside(root, places.writable)],
    ['write', [root]],
    ...(places.copy === null
      ? ofRepository(role, places)
      : [['hide', outside(root, [commonDir, gitDir])] as const]),
    ['read', [`${root}/.ralph`, ...places.instructions, stateHome]],
    // The folders of runs and of copies hold outputs of gates, prompts and answers, also those of other attempts.
    [role === 'git' ? 'read' : 'hide', [`${root}/.ralph/runs`, `${records}/runs`, `${stateHome}/slots`]],
    ['hide', [`${stateHome}/key`, `${stateHome}/agents`]],
    ['hide', places.hidden],
    ['read', places.sockets],
  ];
}

/** Rules for the repository: agents commit in it, your hooks may add to ralph's commit, all other roles read. */
function ofRepository(role: BoxRole, places: BoxPlaces): readonly Rule[] {
  const own = [...new Set([places.commonDir, places.gitDir])];
  const all = [...new Set([...own, ...places.gitFolders])];
  return [
    [role === 'agent' || role === 'git' ? 'write' : 'read', own],
    ['read', places.ofOtherTrees],
    ['read', all.flatMap((folder) => OF_GIT.map((name) => `${folder}/${name}`))],
    [role === 'git' ? 'write' : 'read', own.map((folder) => `${folder}/ralph`)],
    ['read', places.gitFiles],
  ];
}

function outside(root: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path !== root && !path.startsWith(`${root}/`));
}

export function mountsFor(role: BoxRole, places: BoxPlaces, findPath: FindPath): Mount[] {
  const mounts = new Map<string, Mount>();
  const put = (access: Access, path: string, from: string, kind: Kind) =>
    mounts.set(path, { access, path, from, kind });
  for (const path of TEMPORARY) {
    const found = findPath(path);
    if (found !== null) put('write', found.realPath, places.ownTmp, 'folder');
  }
  for (const path of ['/run', ...HOMES]) {
    const found = findPath(path);
    if (found !== null) put('hide', found.realPath, found.realPath, 'folder');
  }
  for (const { path, from } of places.ownFolders) put('write', path, from, 'folder');
  for (const { path, from, kind } of places.shown) put('read', path, from, kind);
  for (const [access, paths] of table(role, places)) {
    for (const path of paths) {
      const found = findPath(path);
      if (found === null) continue;
      const from = found.realPath === places.root ? (places.copy?.files ?? found.realPath) : found.realPath;
      put(access, found.realPath, from, found.kind);
    }
  }
  if (role === 'module')
    for (const path of [places.root, `${places.records}/runs`])
      if (findPath(path) !== null) put('read', path, path, 'folder');
  if (places.copy !== null) {
    put('write', `${places.root}/.git`, places.copy.git, 'folder');
    put('read', OBJECTS_IN_BOX, places.copy.objects, 'folder');
    for (const [path, from] of [
      [BOX_SUBMODULES.modules, `${places.commonDir}/modules`],
      [BOX_SUBMODULES.kept, `${places.commonDir}/ralph/submodules/objects`],
    ] as const)
      if (findPath(from) !== null) put('read', path, from, 'folder');
  }
  const notes = `${places.stateHome}/${NOTES_IN_BOX}`;
  // Commands that change nothing don't make a state folder.
  if (findPath(notes) !== null) {
    put('read', notes, places.ownNotes, 'folder');
    put('write', `${notes}/${REFUSED_FOLDER}`, `${places.ownNotes}/${REFUSED_FOLDER}`, 'folder');
  }
  for (const { path, from } of places.standIns)
    put(from === null ? 'hide' : 'write', path, from ?? path, 'folder');
  // Settings are mounted by their own names: the box replaces the folder around them.
  for (const { path, from, kind } of places.agentSettings) put('read', path, from, kind);
  return simplified(withGuards(mounts));
}

/** Mounts folders between protected paths and writable ones, which otherwise could be renamed and replaced. */
function withGuards(mounts: ReadonlyMap<string, Mount>): Mount[] {
  const all = new Map(mounts);
  for (const { path, access } of mounts.values()) {
    if (access === 'write') continue;
    const between: string[] = [];
    for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
      const around = mounts.get(at);
      if (around === undefined) {
        between.push(at);
        continue;
      }
      // Folders private to the box may be renamed: nothing outside notices.
      if (around.access === 'write' && around.from === around.path)
        for (const folder of between)
          all.set(folder, { access: 'write', path: folder, from: folder, kind: 'folder' });
      break;
    }
  }
  return [...all.values()];
}

/** Returns mounts in the order to make them, without read-only ones inside read-only folders. */
function simplified(mounts: readonly Mount[]): Mount[] {
  const sorted = [...mounts].sort(
    (one, other) => depth(one.path) - depth(other.path) || (one.path < other.path ? -1 : 1),
  );
  const kept = new Map<string, Mount>();
  for (const mount of sorted) {
    const around = nearest(kept, mount.path);
    const isSame =
      around === null ? mount.access === 'read' : around.access === 'read' && mount.access === 'read';
    if (isSame && mount.from === mount.path && (around === null || around.from === around.path)) continue;
    kept.set(mount.path, mount);
  }
  return [...kept.values()];
}

function nearest(mounts: ReadonlyMap<string, Mount>, path: string): Mount | null {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    const found = mounts.get(at);
    if (found !== undefined) return found;
  }
  return null;
}

function depth(path: string): number {
  return path.split('/').length;
}
