import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reading, RUNNERS, ranNone, readInTurn } from 'ralph-ecosystems';
import { withoutEscapes } from 'ralph-kit/text';

const FOLDER = join(import.meta.dirname, '../fixtures/runners');

/** Expected reading of an output; `null`: unknown. Members that are left out aren't in the output. */
export type Reads = {
  /** Numbers of passed, failed and skipped tests; absent if the output has no counts. */
  readonly tests?: readonly [number, number, number];
  readonly failing?: readonly string[];
  /** Names of all passed tests; where it is left out, it isn't compared. */
  readonly passing?: readonly string[];
  /** `file:line` of the failing tests, in their order. */
  readonly places?: readonly string[];
  readonly notLoaded?: readonly string[];
  /** `none`: no test ran; `onlySkipped`; `notLoaded`: a file could not be loaded; `focused`: a focus left tests out. */
  readonly says?: readonly string[];
};

export type Recorded = {
  /** Name of the runner as ralph knows it. */
  readonly name: string;
  readonly version: string;
  /** Command that was recorded, where a runner is installed for the recording. */
  readonly run?: string;
  readonly columns: Readonly<Record<string, { readonly exit: number }>>;
  readonly reads: Readonly<Record<string, Reads | null>>;
};

/**
 * Returns the recorded runners. A folder holds what a runner printed, standard output and error together: `a` 3 tests
 * pass, 1 fails, 1 is skipped; `b` no test file; `b2` a file without tests; `c` only skipped tests; `d` a file that
 * can't be loaded, and a good one; `e` a focus beside a failing test; `f` all pass; `g` a test without assertion;
 * others, such as `a-verbose`, the same in another format.
 */
export function recordedRunners(folder = FOLDER): readonly (Recorded & { readonly folder: string })[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({
      folder: name,
      ...(JSON.parse(readFileSync(join(folder, name, 'runner.json'), 'utf8')) as Recorded),
    }));
}

/** Returns recorded output, with paths relative to the project. */
export function recordedText(runner: string, column: string, folder = FOLDER): string {
  const text = withoutEscapes(readFileSync(join(folder, runner, `${column}.txt`), 'utf8'));
  return text.replaceAll('file:///project/', '').replaceAll('/project/', '');
}

/** Returns what is read in an output, and as whose, in the form of the recordings; without `passing` unless it is expected. */
export function readsOf(
  text: string,
  expected: Reads | null = null,
): { readonly runners: readonly string[]; readonly reads: Reads } | null {
  const [reading, ...others] = readInTurn(RUNNERS, text.split('\n'), true);
  if (reading === undefined) return null;
  const reads = shown(reading);
  return {
    runners: [reading, ...others].map(({ name }) => name),
    reads: expected?.passing === undefined ? reads : { ...reads, passing: reading.passing ?? [] },
  };
}

function shown(reading: Reading): Reads {
  const { tests, failing, places = [], notLoaded, focused } = reading;
  const says = [
    (tests !== null || reading.none === true) && ranNone(reading) && 'none',
    tests !== null && tests.run === 0 && tests.skipped > 0 && 'onlySkipped',
    notLoaded !== undefined && 'notLoaded',
    focused === true && 'focused',
  ].filter((one) => one !== false);
  const files = [...new Set(notLoaded)].filter((name) => name !== '');
  return {
    ...(tests === null ? {} : { tests: [tests.passed, tests.failed, tests.skipped] as const }),
    ...(failing.length === 0 ? {} : { failing: [...new Set(failing)] }),
    ...(places.length === 0 ? {} : { places: places.map(({ place }) => place) }),
    ...(files.length === 0 ? {} : { notLoaded: files }),
    ...(says.length === 0 ? {} : { says }),
  };
}
