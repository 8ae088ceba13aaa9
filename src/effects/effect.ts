import { nameOf, placedPath } from '../lib/paths.ts';
import { type Field, shownField } from '../shell/index.ts';

/** Folders that a command may run in, absolute; `null`: one that isn't known. */
export type Folders = readonly (string | null)[];

/** What a review has to know of the machine. Paths are absolute and real. */
export type EffectPlace = {
  readonly root: string;
  readonly home: string | null;
  readonly tmpdir: { readonly path: string };
  readonly realPath: (path: string) => string;
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
  /** Resolved when a rule asks: links are followed on the disk. */
  readonly spots: () => readonly Spot[];
};

/** Something that an action does to the world around it, as far as that is known before it happens. */
export type Effect =
  | PathEffect
  /** Speaks to other machines. */
  | { readonly kind: 'network'; readonly by: string }
  /** Ends processes. */
  | { readonly kind: 'processes'; readonly by: string }
  /** Rewrites or discards commits, branches or changes. */
  | { readonly kind: 'history'; readonly by: string }
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

/** The effect on a path, seen from each folder that it may be named from. */
export function pathEffect(
  kind: PathEffect['kind'],
  by: string,
  target: Field,
  cwds: Folders,
  place: EffectPlace,
): PathEffect {
  let known: readonly Spot[] | null = null;
  return {
    ...{ kind, by, shown: shownField(target) },
    spots: () => {
      known ??= cwds.map((cwd) => spotOf(target, cwd, place, kind === 'deletes'));
      return known;
    },
  };
}

/** An effect on paths of which nothing is known. */
export function unknownPath(kind: PathEffect['kind'], by: string): PathEffect {
  return { kind, by, shown: '', spots: () => [{ kind: 'anywhere' }] };
}

function spotOf(target: Field, cwd: string | null, { realPath }: EffectPlace, deletes: boolean): Spot {
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
