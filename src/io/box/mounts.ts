import { BOX_SUBMODULES, type BoxRole, OBJECTS_IN_BOX } from '../../domain/box/box.ts';
import { parentOf } from '../../lib/paths.ts';
import { HOMES } from './outside.ts';

export type Access = 'read' | 'write' | 'hide';

/** Where everything lies, absolute, links followed. What doesn't exist may be named: it is left out. */
export type BoxPlaces = {
  readonly root: string;
  /** What is seen in the place of the work tree, and of its git folder; of the repository only objects can be read then. */
  readonly copy: { readonly files: string; readonly git: string; readonly objects: string } | null;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Other git folders in there: of submodules, at any depth, and of linked work trees. */
  readonly gitFolders: readonly string[];
  /** HEAD and index of work trees that lie elsewhere. */
  readonly ofOtherTrees: readonly string[];
  /** `.git` files of the work tree and of its submodules. */
  readonly gitFiles: readonly string[];
  /** Files that are instructions: the task list, prompts. */
  readonly instructions: readonly string[];
  readonly stateHome: string;
  /** What these programs need to see though it may lie in a temporary folder: programs, the hook's folder. */
  readonly visible: readonly string[];
  /** Made for this launch alone. */
  readonly ownTmp: string;
  readonly ownNotes: string;
  /** Folders of ralph's that stand at the home folder and at caches, whatever is there. */
  readonly ownFolders: readonly Place[];
  /** What is seen in the home folder. */
  readonly shown: readonly Shown[];
  /** Folders of every agent, as far as they are there. */
  readonly standIns: readonly StandIn[];
  /** Your settings in those. */
  readonly agentSettings: readonly Shown[];
  /** `[box]`, absolute. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
  readonly sockets: readonly string[];
};

/** A folder, and where it lies outside of the box. */
export type Place = { readonly path: string; readonly from: string };

/** What is only read, by the path at which it is seen. */
export type Shown = Omit<Mount, 'access'>;

/** A folder of ralph's that stands in the place of another; `null`: nothing is seen there. */
export type StandIn = { readonly path: string; readonly from: string | null };

export type Mount = {
  readonly access: Access;
  readonly path: string;
  /** Where that lies outside; equal to `path` for most. */
  readonly from: string;
  readonly kind: Kind;
};

/** What a path leads to; `null`: nothing. */
export type Kind = 'folder' | 'file';
export type FindPath = (path: string) => { readonly real: string; readonly kind: Kind } | null;

/** In ralph's state folder: by this mount a ralph inside knows that it is; in `REFUSED_FOLDER` it leaves what it was refused. */
export const NOTES_IN_BOX = 'inside';
export const REFUSED_FOLDER = 'refused';
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Names, the network and programs: what programs need of `/run`. */
const OF_RUN = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/wrappers',
  '/run/opengl-driver',
];
/** In each git folder: what git runs, reads its settings from, or is led elsewhere by. */
const OF_GIT = ['config', 'config.worktree', 'hooks', 'info', 'commondir', 'gitdir'];

type Rule = readonly [Access, readonly string[]];

/** The table: of two rules for one path the later one holds. Gates, set-up commands and modules are alike. */
function table(role: BoxRole, places: BoxPlaces): readonly Rule[] {
  const { root, gitDir, commonDir, stateHome } = places;
  return [
    ['read', OF_RUN],
    ['read', places.visible],
    ['read', places.readable],
    // A copy holds its own files at these paths.
    ['write', places.copy === null ? places.writable : outside(root, places.writable)],
    ['write', [root]],
    ...(places.copy === null
      ? ofRepository(role, places)
      : [['hide', outside(root, [commonDir, gitDir])] as const]),
    ['read', [`${root}/.ralph`, ...places.instructions, stateHome]],
    // What runs recorded: outputs of gates, prompts and answers of others.
    [role === 'git' ? 'read' : 'hide', [`${root}/.ralph/runs`, `${stateHome}/slots`]],
    ['hide', [`${stateHome}/key`, `${stateHome}/agents`]],
    ['hide', places.hidden],
    ['read', places.sockets],
  ];
}

/** Of the repository itself: agents commit in it, your hooks may add to ralph's commit, all others only read. */
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

/** The mounts of a box, parents before what lies in them. */
export function mountsFor(role: BoxRole, places: BoxPlaces, findPath: FindPath): Mount[] {
  const mounts = new Map<string, Mount>();
  const put = (access: Access, path: string, from: string, kind: Kind) =>
    mounts.set(path, { access, path, from, kind });
  for (const path of TEMPORARY) {
    const found = findPath(path);
    if (found !== null) put('write', found.real, places.ownTmp, 'folder');
  }
  for (const path of ['/run', ...HOMES]) {
    const found = findPath(path);
    if (found !== null) put('hide', found.real, found.real, 'folder');
  }
  for (const { path, from } of places.ownFolders) put('write', path, from, 'folder');
  for (const { path, from, kind } of places.shown) put('read', path, from, kind);
  for (const [access, paths] of table(role, places)) {
    for (const path of paths) {
      const found = findPath(path);
      if (found === null) continue;
      const from = found.real === places.root ? (places.copy?.files ?? found.real) : found.real;
      put(access, found.real, from, found.kind);
    }
  }
  if (role === 'module')
    for (const path of [places.root, `${places.root}/.ralph/runs`])
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
  // What changes nothing makes no state folder where there is none.
  if (findPath(notes) !== null) {
    put('read', notes, places.ownNotes, 'folder');
    put('write', `${notes}/${REFUSED_FOLDER}`, `${places.ownNotes}/${REFUSED_FOLDER}`, 'folder');
  }
  for (const { path, from } of places.standIns)
    put(from === null ? 'hide' : 'write', path, from ?? path, 'folder');
  // By their own names: the folder around them is another one in the box.
  for (const { path, from, kind } of places.agentSettings) put('read', path, from, kind);
  return simplified(withGuards(mounts));
}

/**
 * Each folder between something protected and the writable folder around it becomes a mount of its own: else it could
 * be renamed, and another one made in its place.
 */
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
      // What is private may be renamed: nothing outside notices.
      if (around.access === 'write' && around.from === around.path)
        for (const folder of between)
          all.set(folder, { access: 'write', path: folder, from: folder, kind: 'folder' });
      break;
    }
  }
  return [...all.values()];
}

/** In the order in which they have to be made; what is read-only within what is so anyway is left out. */
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
