import { type Damage, damageOf, isDamaged, putDamage } from './damages.ts';

/** A file that ralph reads, in a place where it can be damaged again and again. */
export type DamageTarget = {
  /** Its usual name. */
  readonly file: string;
  /** Puts everything back and returns the path of the file and its bytes. */
  readonly fresh: () => { readonly path: string; readonly original: Buffer };
  /** Reads as ralph does, and says what is wrong: a silent reset above all. What it throws is a crash. */
  readonly read: (damage: Damage) => string[] | Promise<string[]>;
};

/** A single reading must not take longer; in milliseconds. */
const SLOW_MS = 20_000;

/** The versions from this one on hold other bytes and are small; the ones before are huge, or no file at all. */
export const SMALL_VERSIONS = 2;

/** Damages one file in so many ways; one line for each that broke the promise. */
export async function damageTrials(
  target: DamageTarget,
  versions: number,
  random: () => number,
  first = 0,
): Promise<string[]> {
  const wrong: string[] = [];
  for (let number = first; number < first + versions; number += 1) {
    const { path, original } = target.fresh();
    const damage = damageOf(original, number, random);
    if (!isDamaged(original, damage)) continue;
    putDamage(path, damage);
    const start = performance.now();
    const found = await problemsOf(target, damage);
    if (performance.now() - start > SLOW_MS) found.push('it took more than 20 s');
    wrong.push(...found.map((problem) => `${target.file}, version ${number} (${damage.name}): ${problem}`));
  }
  return wrong;
}

async function problemsOf(target: DamageTarget, damage: Damage): Promise<string[]> {
  try {
    return [...(await target.read(damage))];
  } catch (error) {
    const lines = error instanceof Error ? (error.stack ?? error.message).split('\n') : [String(error)];
    return [
      `crash: ${lines
        .slice(0, 4)
        .map((line) => line.trim())
        .join(' ')
        .slice(0, 400)}`,
    ];
  }
}
