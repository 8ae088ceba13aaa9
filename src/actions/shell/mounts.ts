import { isAtOrBelow, placedPath } from '../../lib/paths.ts';
import type { Field } from './field.ts';

/** A folder or file of this machine in a container. */
export type Mount = {
  /** Its absolute path in there. */
  readonly inside: string;
  /** Its path here, as the command names it. */
  readonly source: Field;
};

/** Where a command runs that runs in a container. */
export type Container = {
  /** The folder that the command starts in; `null`: the image decides. */
  readonly workdir: string | null;
  /** What can be changed through it. */
  readonly mounts: readonly Mount[];
  /** It ran before, and stays when the command ends. */
  readonly lasts: boolean;
};

/** What of this machine is in the container that a command runs in, with the folders that the sources are named from. */
export type Contained = {
  readonly mounts: readonly Mount[];
  readonly lasts: boolean;
  readonly cwds: readonly (string | null)[];
};

/** Folders that a command in a container may start in: where the image decides, its top and what is mounted. */
export function startFolders({ workdir, mounts }: Pick<Container, 'workdir' | 'mounts'>): readonly string[] {
  return workdir === null ? [...new Set(['/', ...mounts.map(({ inside }) => inside)])] : [workdir];
}

/**
 * The paths of this machine behind a path in a container, links not followed; none: it is the container's own; `null`
 * among them: one that isn't known.
 */
export function hostPaths(path: string, { mounts, cwds }: Contained): readonly (string | null)[] {
  // The deepest mount covers the others.
  const [mount] = mounts
    .filter(({ inside }) => isAtOrBelow(path, inside))
    .toSorted((one, other) => other.inside.length - one.inside.length);
  if (mount === undefined) return [];
  const rest = path.slice(mount.inside === '/' ? 0 : mount.inside.length);
  return sourcePaths(mount, cwds).map((source) =>
    source === null ? null : source.replace(/\/$/, '') + rest || '/',
  );
}

/** The absolute paths that a mount's source may have. */
export function sourcePaths({ source }: Mount, cwds: Contained['cwds']): readonly (string | null)[] {
  if (source.kind !== 'exact') return [null];
  return cwds.map((cwd) =>
    cwd === null && !source.head.startsWith('/')
      ? null
      : placedPath(source.head, cwd ?? '/', (same) => same, false),
  );
}
