import { RUNNERS } from 'ralph-ecosystems';
import type { GateSource } from '../../../domain/gate.ts';

/** Runners that a canary can be written for. A format that many tools write says least and comes last. */
const KNOWN = RUNNERS.filter(({ canary }) => canary !== undefined).toSorted(
  (one, other) => Number(one.writtenByMany === true) - Number(other.writtenByMany === true),
);

/**
 * Returns the name of the runner of a gate's tests, or `null` if no test can be added to it.
 * @param printed Runners recognised in the gate's output, which is the surest sign; otherwise the programs that it calls count.
 */
export function runnerOf(
  printed: readonly string[],
  { run, sources }: { readonly run: string; readonly sources: readonly GateSource[] },
): string | null {
  const commands = [
    run,
    ...sources.flatMap(({ name, content }) => (name.startsWith('scripts.') ? [name, content] : [name])),
  ].join('\n');
  const seen = KNOWN.filter(({ name }) => printed.includes(name));
  const started = KNOWN.filter(({ starts }) => starts?.test(commands) === true);
  const sure = seen.find(({ writtenByMany }) => writtenByMany !== true);
  return (sure ?? started[0] ?? seen[0])?.name ?? null;
}
