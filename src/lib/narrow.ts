/**
 * The part of a list that is needed, found by halves. What is enough stays so with more; the whole list is enough.
 *
 * @param isEnough Asked about parts of the list, some two for each halving.
 */
export async function narrow<T>(
  all: readonly T[],
  isEnough: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  const needed = async (part: readonly T[], beside: readonly T[]): Promise<readonly T[]> => {
    if (part.length <= 1) return part;
    const middle = Math.ceil(part.length / 2);
    const [first, second] = [part.slice(0, middle), part.slice(middle)];
    if (await isEnough([...beside, ...first])) return needed(first, beside);
    if (await isEnough([...beside, ...second])) return needed(second, beside);
    const ofFirst = await needed(first, [...beside, ...second]);
    return [...ofFirst, ...(await needed(second, [...beside, ...ofFirst]))];
  };
  return needed(all, []);
}
