import { sumOf } from './reading.ts';
import type { Reading, Runner } from './runner.ts';

/** A task says whether its output is kept before it prints anything: `b:test: cache miss, executing f6e51fdb5f819de5`. */
const TASK = /^(\S+:[^\s:]+): cache (?:miss|hit|bypass)\b/;

/**
 * Turborepo starts scripts of several packages at once, and begins each of their lines with `PACKAGE:SCRIPT: `, so that the lines of two
 * runners stand in turn. Their results are summed up, and their tests have the package before their names.
 *
 * @param runners What the scripts may start, in the order in which it is recognised.
 */
export function turbo(runners: readonly Runner[]): Runner {
  return {
    name: 'turbo',
    starts: /(?:^|[\s;&|('"])turbo\s+(?:\S+\s+)*?(?:run\s+)?\S*test/m,
    read: (text, whole) => {
      const lines = text.split('\n');
      const tasks = [...new Set(lines.flatMap((line) => TASK.exec(line)?.[1] ?? []))];
      const reads = tasks.flatMap((task) => {
        const own = lines.flatMap((line) =>
          line.startsWith(`${task}: `) ? [line.slice(task.length + 2)] : [],
        );
        return readInTurn(runners, own, whole).map((reading) => named(reading, task.replace(/:[^:]*$/, '')));
      });
      return reads.length === 0 ? null : { ...summed(reads), at: indexesOf(lines, tasks) };
    },
  };
}

/** Each runner reads what those before it left. */
function readInTurn(runners: readonly Runner[], text: readonly string[], whole: boolean): Reading[] {
  const left = [...text];
  return runners.flatMap(({ read }) => {
    const reading = read(left.join('\n'), whole);
    for (const index of reading?.at ?? []) left[index] = '';
    return reading ?? [];
  });
}

function named(reading: Reading, of: string): Reading {
  const within = (names: readonly string[]) => names.map((name) => `${of} > ${name}`);
  return {
    ...reading,
    failing: within(reading.failing),
    passing: within(reading.passing ?? []),
    places: (reading.places ?? []).map(({ test, place }) => ({ test: `${of} > ${test}`, place })),
    ...(reading.notLoaded === undefined ? {} : { notLoaded: within(reading.notLoaded) }),
  };
}

function summed(reads: readonly Reading[]): Reading {
  const isCounted = reads.every(({ tests, none }) => tests !== null || none === true);
  const loads = reads.flatMap(({ notLoaded }) => (notLoaded === undefined ? [] : [notLoaded]));
  return {
    tests: isCounted ? sumOf(reads.flatMap(({ tests }) => tests ?? [])) : null,
    failing: reads.flatMap(({ failing }) => failing),
    passing: reads.flatMap(({ passing }) => passing ?? []),
    places: reads.flatMap(({ places }) => places ?? []),
    ...(reads.every(({ none }) => none === true) ? { none: true } : {}),
    ...(loads.length === 0 ? {} : { notLoaded: loads.flat() }),
    ...(reads.some(({ focused }) => focused === true) ? { focused: true } : {}),
  };
}

function indexesOf(lines: readonly string[], tasks: readonly string[]): number[] {
  return lines.flatMap((line, index) => (tasks.some((task) => line.startsWith(`${task}:`)) ? [index] : []));
}
