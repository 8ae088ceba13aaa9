import { nameOf, placedPath } from '../../lib/paths.ts';
import { type Field, fieldText, shownField } from '../shell/index.ts';

/** Folders that a command may run in, absolute; `null`: one that isn't known. */
export type Folders = readonly (string | null)[];

/** What a review has to know of the machine. Paths are absolute and real. */
export type EffectPlace = {
  readonly root: string;
  readonly home: string | null;
  readonly tmpdir: { readonly path: string };
  readonly realPath: (path: string) => string;
  /** The text of a file that was written lately; `null`: there is none. */
  readonly writtenText: (path: string) => string | null;
};

/** Where a path that an action names may lie. */
export type Spot =
  /** `named`: as it was written, before links were followed. */
  | { readonly kind: 'path'; readonly path: string; readonly named: string }
  /** Entries of a folder. `known`: they lie in it; else the pattern may lead out of it. */
  | { readonly kind: 'entries'; readonly folder: string; readonly pattern: string; readonly known: boolean }
  | { readonly kind: 'anywhere' };

export type PathEffect = {
  /** `names`: a program of which little is known is given the path; it may make it. */
  readonly kind: 'reads' | 'writes' | 'deletes' | 'permissions' | 'names';
  /** The program, or the agent's tool. */
  readonly by: string;
  /** The path as it was written; what isn't known of it is `…`. Empty: nothing is known. */
  readonly shown: string;
  /** A folder goes with all that is in it. */
  readonly recursive: boolean;
  /** What lies there stays as it is: a folder is made, a time is set, lines are added at the end. */
  readonly keeps: boolean;
  /** What it takes to resolve, in steps of the review's budget. */
  readonly steps: number;
  /** Resolved when a rule asks: links are followed on the disk. */
  readonly spots: () => readonly Spot[];
};

export type NetworkEffect = {
  readonly kind: 'network';
  readonly by: string;
  /** `out`: it changes something there, or sends more than a question. */
  readonly direction: 'in' | 'out';
  /** `null`: not known before it runs. */
  readonly host: string | null;
  /** `registry`: packages, images and toolchains, fetched by their own managers. */
  readonly reach: 'local' | 'registry' | 'external';
  readonly sends: 'nothing' | 'data' | 'file' | 'credentials';
};

export type HistoryEffect = {
  readonly kind: 'history';
  readonly by: string;
  readonly shown: string;
  /**
   * `adds`: commits on top, branches beside; `rewrites`: commits of this repository become others; `discards`: changes
   * that are in no commit go; `deletes`: branches, tags, a stash, the ways back to old commits go; `overwrites_remote`:
   * commits, branches or tags of the remote go.
   */
  readonly does: 'adds' | 'rewrites' | 'discards' | 'deletes' | 'overwrites_remote';
  /** The command that does what is probably meant without losing anything; `null`: there is none. */
  readonly instead: string | null;
};

/** What is known of an effect that isn't on a path: who has it, and the words of the command that say so. */
type Worded<Kind extends string> = { readonly kind: Kind; readonly by: string; readonly shown: string };

/** Something that an action does to the world around it, as far as that is known before it happens. */
export type Effect =
  | PathEffect
  | NetworkEffect
  | HistoryEffect
  /** Reads keys, tokens or passwords. `project`: of the work tree, such as `.env`; else yours, or the system's. */
  | (Worded<'credentials'> & { readonly whose: 'project' | 'user' })
  /**
   * Makes what git keeps go elsewhere: `keys` are put under git, `remote`: another repository gets a name, `push`: commits
   * go to the repository of that name or address.
   */
  | (Worded<'shares'> & { readonly what: 'keys' | 'remote' | 'push'; readonly name: string })
  /** Puts a version of something where others get it: packages, images, releases, sites. */
  | Worded<'publishes'>
  /** Gets rights that it wouldn't have. `command`: one command as root; `lasting`: a shell, or rights that stay. */
  | (Worded<'privileges'> & { readonly how: 'command' | 'lasting' })
  /** Goes around a check: hooks of git, signatures, certificates, protection of the system or of a branch. */
  | (Worded<'disables'> & { readonly what: 'hooks' | 'protection' })
  /** Answers for you what ralph asks you, or steers the loop. */
  | Worded<'approves'>
  /** Runs text as a program. `download`: it comes from the network; `unknown`: it can't be read before it runs. */
  | (Worded<'runs_text'> & { readonly from: 'download' | 'unknown' })
  /** Runs a program of the repository that the agent wrote and that couldn't be read. */
  | Worded<'runs_script'>
  /** Destroys what no checkpoint brings back: a database, what lies at a provider, in a cluster, on a disk. */
  | (Worded<'destroys'> & { readonly what: 'database' | 'remote' | 'local' | 'disk' })
  /** Ends processes. `own`: of this shell; `ids`: known by their number or port; `name`: all that are called so. */
  | (Worded<'processes'> & { readonly which: 'own' | 'ids' | 'name' | 'all' })
  /** Sets a variable by which other programs run code. */
  | Worded<'environment'>
  /** Has something run later, or in the background of the system. */
  | Worded<'schedules'>
  /** Gives a container a folder of this machine, its devices or its rights. */
  | (Worded<'mounts'> & { readonly path: string | null })
  /** Changes the machine: stops services, shuts it down, changes its firewall, users or kernel. */
  | Worded<'system'>
  /** Installs packages. `instead`: the same with the versions of the lock file; `null`: they are kept to, or there is none. */
  | (Worded<'installs'> & { readonly instead: string | null })
  /** Uses up the machine: a fork bomb. */
  | Worded<'exhausts'>
  /** Gives a shell to someone on another machine. */
  | Worded<'opens_shell'>
  /** Leaves a program open that waits for typed commands; `shown`: its command. */
  | { readonly kind: 'prompts'; readonly shown: string }
  /** Runs a command line of the agent. */
  | { readonly kind: 'executes'; readonly text: string }
  /** What couldn't be followed to its end may have effects besides those that were found. */
  | {
      readonly kind: 'unfollowed';
      readonly why: 'spent' | 'too_long' | 'no_shell' | 'too_many_paths';
      readonly text: string;
    };

export type EffectKind = Effect['kind'];

/** The effect on a path, seen from each folder that it may be named from. */
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
    ...{ kind, by, shown: shownField(target), recursive, keeps },
    steps: cwds.length * wayOf(target),
    spots: () => {
      known ??= cwds.map((cwd) => spotOf(target, cwd, place, kind === 'deletes'));
      return known;
    },
  };
}

/** In steps: each part of a path has to be found, and links followed in front of each `..`. */
const PART_COST = 1;
const PARENT_COST = 5;

function wayOf(target: Field): number {
  const text = fieldText(target);
  return (
    1 + (text.split('/').length + text.length / 100) * PART_COST + (text.split('..').length - 1) * PARENT_COST
  );
}

/** An effect on paths of which nothing is known. */
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
      // What is deleted is a link itself, not what it leads to.
      path: placedPath(head, from, realPath, !deletes),
      named: placedPath(head, from, (same) => same, false),
    };
  }
  const folder = placedPath(head.slice(0, head.lastIndexOf('/') + 1) || './', from, realPath, true);
  const leaves = /(?:^|\/)\.\.(?:\/|$)/.test(nameOf(head) + tail);
  return { kind: 'entries', folder, pattern: nameOf(head) + tail, known: kind === 'glob' && !leaves };
}
