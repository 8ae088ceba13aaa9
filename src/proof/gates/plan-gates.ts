import picomatch from 'picomatch';
import type { GateSpec } from '../../domain/gate.ts';

type GatePlan = {
  readonly run: readonly GateSpec[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
};

/**
 * Returns the gates to run for changed paths (renames with both names), in configured order. Without any change there is nothing to prove,
 * and none runs. `null` means the baseline, where all run.
 */
export function planGates(specs: readonly GateSpec[], changedPaths: readonly string[] | null): GatePlan {
  if (changedPaths === null) return { run: specs, skipped: [] };
  const reasons = specs.map((spec) => ({ spec, reason: reasonToSkip(spec, changedPaths) }));
  return {
    run: reasons.filter(({ reason }) => reason === null).map(({ spec }) => spec),
    skipped: reasons.flatMap(({ spec, reason }) => (reason === null ? [] : [{ name: spec.name, reason }])),
  };
}

function reasonToSkip({ paths }: GateSpec, changedPaths: readonly string[]): string | null {
  if (changedPaths.length === 0) return 'no files changed';
  // An empty list restricts nothing, as one check too many is better than one too few.
  if (paths === null || paths.length === 0) return null;
  const matches = pathMatcher(paths);
  return changedPaths.some(matches) ? null : `no changed path matches ${paths.join(', ')}`;
}

/** A folder's name matches everything below it; `!glob` excludes paths that others match. */
function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const isWanted = wanted.length === 0 ? () => true : matcherOf(wanted);
  const isUnwanted = matcherOf(unwanted);
  return (path) => isWanted(path) && !isUnwanted(path);
}

function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs
    .map((glob) => glob.trim().replace(/^\.\//, '').replace(/\/+$/, ''))
    .filter((glob) => glob !== '')
    .flatMap((glob) => [glob, `${glob}/**`]);
  return picomatch(patterns, { dot: true });
}
