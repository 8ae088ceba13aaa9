import type { Reading, Runner } from './protocol.ts';
import { ranNone, readInTurn, sumOf } from './reading.ts';

/** What a package manager puts before a line packageName output: `packageName` is the package whose script printed it. */
type Prefix = { readonly packageName: string; readonly text: string };

/**
 * Returns runners for programs that start one script in several packages: each output line begins with package and
 * script, and two runners' lines alternate. Results are summed up, and tests are named with their package.
 * @param runners Runners that the scripts may start, in the order of recognition.
 */
export function workspaces(runners: readonly Runner[]): Runner[] {
  return [
    prefixed(runners, {
      name: 'turbo',
      // A cache message precedes the script's output: `b:test: cache miss, executing f6e51fdb5f819de5`.
      prefixOf: (line) => {
        const [, text, packageName] = /^((\S+):[^\s:]+: )cache (?:miss|hit|bypass)\b/.exec(line) ?? [];
        return text === undefined || packageName === undefined ? null : { packageName, text };
      },
    }),
    prefixed(runners, {
      name: 'pnpm',
      // A line names the script's command: `packages/b test$ vitest run`.
      prefixOf: (line) => {
        const [, packageName, script] = /^(\S+) (\S+)\$ \S/.exec(line) ?? [];
        return packageName === undefined ? null : { packageName, text: `${packageName} ${script}: ` };
      },
    }),
  ];
}

type Starter = Pick<Runner, 'name'> & {
  readonly prefixOf: (line: string) => Prefix | null;
};

function prefixed(runners: readonly Runner[], { name, prefixOf }: Starter): Runner {
  const read = (lines: readonly string[], whole: boolean): Reading | null => {
    const found = new Map(lines.flatMap((line) => prefixOf(line) ?? []).map((one) => [one.text, one]));
    const at: number[] = [];
    const reads = [...found.values()].flatMap((prefix) => {
      const own = lines.flatMap((line, index) => (line.startsWith(prefix.text) ? [index] : []));
      for (const index of own) at.push(index);
      const printed = own.map((index) => (lines[index] ?? '').slice(prefix.text.length));
      return readInTurn(runners, printed, whole).map((reading) => named(reading, prefix.packageName));
    });
    return reads.length === 0 ? null : { ...summed(reads), at };
  };
  return { name, read };
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
    ...(reads.every(ranNone) ? { none: true } : {}),
    ...(loads.length === 0 ? {} : { notLoaded: loads.flat() }),
    ...(reads.some(({ focused }) => focused === true) ? { focused: true } : {}),
  };
}
