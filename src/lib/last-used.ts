/** Answers that are kept by their keys, those that were asked for last. One that fails isn't kept. */
export type LastUsed<T> = {
  /** The answer to a key, made where none is kept. */
  readonly ask: (key: string, make: () => Promise<T>) => Promise<T>;
  /** Keeps another answer in the place of this one, if that is still kept. */
  readonly replace: (key: string, old: Promise<T>, by: Promise<T>) => void;
  /** Forgets a key. */
  readonly forget: (key: string) => void;
};

/**
 * @param most How many are kept.
 * @param onForgotten Gets each answer that isn't kept any more.
 */
export function lastUsed<T>(
  most: number,
  onForgotten: (answer: Promise<T>) => void = () => undefined,
): LastUsed<T> {
  /** The one that was asked for last at the end. */
  const kept = new Map<string, Promise<T>>();
  const forget = (key: string): void => {
    const answer = kept.get(key);
    kept.delete(key);
    if (answer !== undefined) onForgotten(answer);
  };
  return {
    ask: (key, make) => {
      const known = kept.get(key);
      const answer = known ?? make();
      kept.delete(key);
      kept.set(key, answer);
      if (known === undefined)
        answer.catch(() => {
          if (kept.get(key) === answer) kept.delete(key);
        });
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) forget(oldest);
      return answer;
    },
    replace: (key, old, by) => {
      if (kept.get(key) === old) kept.set(key, by);
    },
    forget,
  };
}
