import { type Damage, damageOf, isDamaged, putDamage } from './damages.ts';

/** A file that ralph reads, which is damaged again and again in the same place. */
export type DamageTarget = {
  /** Usual name of the file. */
  readonly file: string;
  /** Restores everything, and returns the path of the file and its bytes. */
  readonly fresh: () => { readonly path: string; readonly original: Buffer };
  /** Reads the file as ralph does, and returns problems, above all a silent reset. An exception counts as a crash. */
  readonly read: (damage: Damage) => string[] | Promise<string[]>;
};

/** Milliseconds that a single reading may take. */
const SLOW_MS = 20_000;

/** Damages from this number on are small; those before are huge files. */
export const SMALL_VERSIONS = 2;

/** Damages one file in a number of ways; returns a line for each broken promise. */
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
