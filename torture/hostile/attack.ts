import type { Finished } from '../../test/helpers/finished.ts';
import type { TestRepository } from '../../test/helpers/repository.ts';

/**
 * One attack of docs/internals/attacks.md. It is played twice, each time in a box with a fresh repository: against ralph as
 * it is, where it must be held, and against a ralph without the one protection, where it must succeed. An attack that
 * fails in both proves nothing.
 *
 * To play some alone, and see how: `npm run torture -- hostile --attack NAME,NAME`; all of a point: its number.
 */
export type Attack = {
  readonly point: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
  /** Name of the attack in docs/internals/attacks.md. */
  readonly name: string;
  /**
   * Modules that are replaced to remove the protection: the path below the repository's top (`src/…/x.ts`), and a file
   * of `torture/hostile/without/` that replaces it. The replacement's imports are written as if it stood at the
   * module's place.
   */
  readonly without: Readonly<Record<string, string>>;
  /** The protection is the box: both times the attack is played with a box. */
  readonly needsBox?: true;
  readonly play: (site: Site) => Promise<AttackResult>;
};

/** `broken`: the attacker got what it wanted. The note says how it was seen. */
export type AttackResult = { readonly kind: 'held' | 'broken'; readonly note: string };

/** A place to attack: folders of its own, and the ralph that is attacked. */
export type Site = {
  /** A new repository on branch `main` with these files committed. `$TOP` is its path: agents work in a copy. */
  readonly repository: (files: Readonly<Record<string, string>>) => TestRepository;
  /** Runs ralph in a folder; the exit code is `null` when it had to be killed because it never ended. */
  readonly ralph: (cwd: string, ...args: string[]) => Promise<Finished>;
  /** Absolute path of the program, for attackers that call it. */
  readonly bin: string;
  /** Absolute path of a folder outside of the repository, in which a successful attack leaves a trace. */
  readonly outside: string;
};

/** Returns `broken` if the attacker got what it wanted, otherwise `held`. */
export function brokenIf(wasBroken: boolean, note: string): AttackResult {
  return { kind: wasBroken ? 'broken' : 'held', note };
}
