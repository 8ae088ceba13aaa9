/** Times of a file in seconds. */
type Times = { readonly mtime: number; readonly ctime: number };

/**
 * When files were written that tools built in the checkout, oldest first. By them tools go that compare times: what is to be built anew is
 * what is newer than its result.
 */
export type BuiltAt = readonly number[];

/**
 * The time that a file of a copy has, where its content is that of the checkout's file: the time of that, unless something was built
 * after it and before the file was last touched: a file that is moved or restored brings its old time with it.
 */
export function timeInCopy({ mtime, ctime }: Times, built: BuiltAt): number {
  const first = built[firstAtLeast(built, mtime)];
  return first !== undefined && first <= ctime ? ctime : mtime;
}

/** Position of the first that isn't below a value. */
function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
