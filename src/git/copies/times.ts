/** Times of a file in seconds since 1970. */
type Times = { readonly mtime: number; readonly ctime: number };

/** Times of the checkout's build results, oldest first: tools rebuild whatever is newer than its result. */
export type BuiltAt = readonly number[];

/** Returns the original time unless a build came between it and the last change; moved files keep old times. */
export function timeInCopy({ mtime, ctime }: Times, built: BuiltAt): number {
  const first = built[firstAtLeast(built, mtime)];
  return first !== undefined && first <= ctime ? ctime : mtime;
}

function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
