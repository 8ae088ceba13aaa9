export function remembered<T extends object, R>(compute: (of: T) => R): (of: T) => R {
  const answers = new WeakMap<T, { readonly answer: R }>();
  return (of) => {
    const known = answers.get(of);
    if (known !== undefined) return known.answer;
    const answer = compute(of);
    answers.set(of, { answer });
    return answer;
  };
}

export class Counts {
  readonly #left = new Map<string, number>();

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.#left.set(text, (this.#left.get(text) ?? 0) + 1);
  }

  /** Takes one away; returns whether any was left. */
  take(text: string): boolean {
    const left = this.#left.get(text) ?? 0;
    if (left > 0) this.#left.set(text, left - 1);
    return left > 0;
  }
}

/** Returns the elements of a sorted list from place `from` up to, but not including, `to`. */
export function between<T>(
  list: readonly T[],
  place: (one: T) => number,
  from: number,
  to: number,
): readonly T[] {
  const first = (at: number): number => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = list[middle];
      if (one !== undefined && place(one) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return list.slice(first(from), first(to));
}
