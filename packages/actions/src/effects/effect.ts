import { nameOf, placedPath } from 'ralph-kit/paths';
import { type Field, fieldText, shownField } from '../shell/index.ts';

/** Folders that a command may run in, as absolute paths; `null` is an unknown one. */
export type Folders = readonly (string | null)[];

/** The machine as the review needs it. Paths are absolute and real. */
export type EffectPlace = {
  readonly root: string;
  readonly home: string | null;
  readonly tmpdir: { readonly path: string };
  readonly realPath: (path: string) => string;
  /** Returns the text of a recently written file, or `null` without one. */
  readonly writtenText: (path: string) => string | null;
};

/** A place that a path in an action may mean. */
export type Spot =
  /** `named` is the path as written, before links are followed. */
  | { readonly kind: 'path'; readonly path: string; readonly named: string }
  /** Entries of a folder. Without `known`, the pattern may also match outside of the folder. */
  | { readonly kind: 'entries'; readonly folder: string; readonly pattern: string; readonly known: boolean }
  | { readonly kind: 'anywhere' };

export type PathEffect = {
  /** `names`: a path is given to a program that ralph knows little about and that may create it. */
  readonly kind: 'reads' | 'writes' | 'deletes' | 'permissions' | 'names';
  readonly by: string;
  /** The path as written, with `…` for unknown parts. Empty if all of it is unknown. */
  readonly shown: string;
  /** A folder's whole content is affected, too. */
  readonly recursive: boolean;
  /** Existing content stays: a folder is made, a time is set, lines are appended. */
  readonly keeps: boolean;
  /** Cost of resolving the path, in steps of the review's budget. */
  readonly steps: number;
  /** Resolves the path when a rule asks, following links on the disk. */
  readonly spots: () => readonly Spot[];
};

export type NetworkEffect = {
  readonly kind: 'network';
  readonly by: string;
  /** `out`: the request changes something there, or sends more than a question. */
  readonly direction: 'in' | 'out';
  /** `null`: the host isn't known before the command runs. */
  readonly host: string | null;
  /** `registry`: packages, images and toolchains, fetched by their own package managers. */
  readonly reach: 'local' | 'registry' | 'external';
  readonly sends: 'nothing' | 'data' | 'file' | 'credentials';
};

export type HistoryEffect = {
  readonly kind: 'history';
  readonly by: string;
  readonly shown: string;
  /**
   * `adds`: new commits or branches. `rewrites`: commits of this repository are replaced. `discards`: uncommitted changes are lost.
   * `deletes`: branches, tags, stashes or the ways back to old commits are removed. `overwrites_remote`: commits, branches or tags of the
   * remote are lost.
   */
  readonly does: 'adds' | 'rewrites' | 'discards' | 'deletes' | 'overwrites_remote';
  /** The command with the same purpose that loses nothing; `null` without one. */
  readonly instead: string | null;
};

/** An effect that isn't on a path. `shown` has the words of the command that cause it. */
type Worded<Kind extends string> = { readonly kind: Kind; readonly by: string; readonly shown: string };

export type Effect =
  | PathEffect
  | NetworkEffect
  | HistoryEffect
  /** Reads keys, tokens or passwords: `project` in the work tree, such as `.env`, `user` yours or the system's. */
  | (Worded<'credentials'> & { readonly whose: 'project' | 'user' })
  /** Makes git send things: `keys` adds credentials, `remote` names another repository, `push` sends commits to `name`. */
  | (Worded<'shares'> & { readonly what: 'keys' | 'remote' | 'push'; readonly name: string })
  | Worded<'publishes'>
  /** Gets higher rights. `command`: one command as root; `lasting`: a shell, or rights that stay. */
  | (Worded<'privileges'> & { readonly how: 'command' | 'lasting' })
  /** Skips a check: git hooks, signatures, certificates, protection of the system or of a branch. */
  | (Worded<'disables'> & { readonly what: 'hooks' | 'protection' })
  /** Answers a question that ralph asks you, or controls the loop. */
  | Worded<'approves'>
  /** Runs text as a program. `download`: from the network; `unknown`: the text isn't known before it runs. */
  | (Worded<'runs_text'> & { readonly from: 'download' | 'unknown' })
  /** Runs a program of the repository that the agent wrote and ralph couldn't read. */
  | Worded<'runs_script'>
  /** Destroys something that no checkpoint restores: a database, a provider's resource, a cluster, a disk. */
  | (Worded<'destroys'> & { readonly what: 'database' | 'remote' | 'local' | 'disk' })
  /** Ends processes. `own`: of this shell; `ids`: by number or port; `name`: all with that name. */
  | (Worded<'processes'> & { readonly which: 'own' | 'ids' | 'name' | 'all' })
  /** Sets a variable that makes other programs run code. */
  | Worded<'environment'>
  | Worded<'schedules'>
  /** Gives a container a folder, device or rights of this machine. */
  | (Worded<'mounts'> & { readonly path: string | null })
  /** Changes the machine: stops services, shuts down, changes the firewall, users or the kernel. */
  | Worded<'system'>
  /** Installs packages. `instead`: the command that keeps to the lock file; `null` if this one does, or without a lock file. */
  | (Worded<'installs'> & { readonly instead: string | null })
  | Worded<'exhausts'>
  | Worded<'opens_shell'>
  | { readonly kind: 'prompts'; readonly shown: string }
  | { readonly kind: 'executes'; readonly text: string }
  /** Text that couldn't be followed to its end, which may have more effects than those found. */
  | {
      readonly kind: 'unfollowed';
      readonly why: 'spent' | 'too_long' | 'no_shell' | 'too_many_paths';
      readonly text: string;
    };

export type EffectKind = Effect['kind'];

export function pathEffect(
  kind: PathEffect['kind'],
  by: string,
  target: Field,
  cwds: Folders,
  place: EffectPlace,
  { recursive = false, keeps = false }: { readonly recursive?: boolean; readonly keeps?: boolean } = {},
): PathEffect {
  let known: readonly Spot[] | null = null;
  return {
    kind,
    by,
    shown: shownField(target),
    recursive,
    keeps,
    steps: cwds.length * wayOf(target),
    spots: () => {
      known ??= cwds.map((cwd) => spotOf(target, cwd, place, kind === 'deletes'));
      return known;
    },
  };
}

/** Steps of the review's budget: `PART_COST` for each part of a path, `PARENT_COST` for each `..`, as links have to be followed first. */
const PART_COST = 1;
const PARENT_COST = 5;

function wayOf(target: Field): number {
  const text = fieldText(target);
  return (
    1 + (text.split('/').length + text.length / 100) * PART_COST + (text.split('..').length - 1) * PARENT_COST
  );
}

export function unknownPath(kind: PathEffect['kind'], by: string): PathEffect {
  return {
    kind,
    by,
    shown: '',
    recursive: false,
    keeps: false,
    steps: 0,
    spots: () => [{ kind: 'anywhere' }],
  };
}

function spotOf(target: Field, cwd: string | null, place: EffectPlace, deletes: boolean): Spot {
  const { realPath } = place;
  const { head, tail, kind } = target;
  if (cwd === null && !head.startsWith('/')) return { kind: 'anywhere' };
  const from = cwd ?? '/';
  if (kind === 'exact') {
    return {
      kind: 'path',
      // Deleting a link removes the link, not its target.
      path: placedPath(head, from, realPath, !deletes),
      named: placedPath(head, from, (same) => same, false),
    };
  }
  const folder = placedPath(head.slice(0, head.lastIndexOf('/') + 1) || './', from, realPath, true);
  const leaves = /(?:^|\/)\.\.(?:\/|$)/.test(nameOf(head) + tail);
  return { kind: 'entries', folder, pattern: nameOf(head) + tail, known: kind === 'glob' && !leaves };
}
