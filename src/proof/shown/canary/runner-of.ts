import type { GateSource } from '../../../domain/gate.ts';
import { RUNNERS } from '../../../ecosystems/index.ts';

/** Runners beside whose tests one can be laid; a format that many write says least, and comes last. */
const KNOWN = RUNNERS.filter(({ canary }) => canary !== undefined).toSorted(
  (one, other) => Number(one.writtenByMany === true) - Number(other.writtenByMany === true),
);

/**
 * What runs the tests of a gate, by its name; `null`: nothing that a test can be added to.
 *
 * @param printed Whose results were found in the gate's output: the surest sign. Else the programs that it calls.
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
