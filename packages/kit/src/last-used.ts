/** Cache of the most recently used answers; failed ones aren't kept. */
export type LastUsed<T> = {
  /** Returns a key's answer, made when missing. */
  readonly ask: (key: string, make: () => Promise<T>) => Promise<T>;
  /** Replaces an answer if it is still cached. */
  readonly replace: (key: string, old: Promise<T>, by: Promise<T>) => void;
  readonly forget: (key: string) => void;
};

/** Opens a cache. @param onForgotten Receives each dropped answer. */
export function lastUsed<T>(
  most: number,
  onForgotten: (answer: Promise<T>) => void = () => undefined,
): LastUsed<T> {
  /** The cached answers, the one used last at the end. */
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
