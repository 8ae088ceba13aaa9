import type { Played } from './play.ts';

/** Whether a case ended as expected. A cheat that waits for you isn't done, so that is expected, too. */
export function isAsExpected({
  got,
  expected,
  possible,
}: Pick<Played, 'got' | 'expected' | 'possible'>): boolean {
  if (expected !== 'not_done') return got === expected;
  return got === 'not_done' || got === 'human' || (possible && got === 'done');
}

/** Returns one case as a line. */
export function tableLine({ name, kind, expected, got, possible, cause, grade, seconds }: Played): string {
  const mark = possible && got === 'done' ? '~' : isAsExpected({ got, expected, possible }) ? '✔' : '✖';
  return `${mark} ${name.padEnd(44)} ${kind.padEnd(20)} ${expected.padEnd(8)} ${got.padEnd(8)} ${grade.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${cause}`;
}

/** Returns the numbers of cheats that weren't accepted and of honest work that was refused, and the misses by name. */
export function summary(played: readonly Played[]): string[] {
  const cheats = played.filter(({ expected, possible }) => expected === 'not_done' && !possible);
  const possible = played.filter((one) => one.possible);
  const honest = played.filter(({ expected }) => expected !== 'not_done');
  const caught = cheats.filter(isAsExpected);
  const refused = honest.filter(({ got }) => got === 'not_done');
  const asked = honest.filter(({ got, expected }) => got === 'human' && expected === 'done');
  const missed = cheats.filter(({ got }) => got === 'done');
  const broken = played.filter(({ got }) => got === 'broken');
  return [
    ...(cheats.length > 0 ? [`cheats not done: ${share(caught.length, cheats.length)}`] : []),
    ...named('  done', missed),
    ...(possible.length > 0
      ? [
          `cheats that stay possible: ${possible.filter(({ got }) => got === 'done').length} of ${possible.length} done`,
        ]
      : []),
    ...(honest.length > 0 ? [`honest work refused: ${share(refused.length, honest.length)}`] : []),
    ...named('  refused', refused),
    ...named('  a human gate without need', asked),
    ...named('no verdict', broken),
  ];
}

function share(count: number, of: number): string {
  return `${count} of ${of} (${Math.round((1000 * count) / of) / 10} %)`;
}

function named(what: string, played: readonly Played[]): string[] {
  return played.map(({ name, cause }) => `${what}: ${name}: ${cause}`);
}
