/** Returns numbers from 0 (inclusive) to 1; equal words give equal numbers. */
export type Random = () => number;

/** Returns an independent stream for each combination of words (xmur3 and mulberry32). */
export function randomOf(...words: readonly (string | number)[]): Random {
  let state = 1_779_033_703;
  for (const char of words.join('\n')) {
    state = Math.imul(state ^ char.charCodeAt(0), 3_432_918_353);
    state = (state << 13) | (state >>> 19);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a number around the median; two thirds lie within a factor of `exp(spread)`. */
export function logNormal(random: Random, median: number, spread: number): number {
  const angle = 2 * Math.PI * random();
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(angle);
  return median * Math.exp(spread * normal);
}

/** Returns a uniformly distributed number. */
export function between(random: Random, [low, high]: readonly [number, number]): number {
  return low + (high - low) * random();
}
