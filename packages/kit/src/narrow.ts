/**
 * Returns the needed part, by bisection; `null` when the whole isn't enough or after too many trials.
 * @param isEnough Must stay true when items are added; called about twice per bisection.
 */
export async function narrow<T>(
  all: readonly T[],
  isEnough: (part: readonly T[]) => Promise<boolean>,
  mostTrials: number,
): Promise<readonly T[] | null> {
  let trials = 0;
  const tryOut = (part: readonly T[]) => {
    trials += 1;
    if (trials > mostTrials) throw new TooManyTrials();
    return isEnough(part);
  };
  const needed = async (part: readonly T[], others: readonly T[]): Promise<readonly T[]> => {
    if (part.length <= 1) return part;
    const middle = Math.ceil(part.length / 2);
    const [first, second] = [part.slice(0, middle), part.slice(middle)];
    if (await tryOut([...others, ...first])) return needed(first, others);
    if (await tryOut([...others, ...second])) return needed(second, others);
    const ofFirst = await needed(first, [...others, ...second]);
    return [...ofFirst, ...(await needed(second, [...others, ...ofFirst]))];
  };
  try {
    return (await tryOut(all)) ? await needed(all, []) : null;
  } catch (error) {
    if (error instanceof TooManyTrials) return null;
    throw error;
  }
}

class TooManyTrials extends Error {}
