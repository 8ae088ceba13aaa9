/**
 * The JSON text of parts that a document shows one by one. A state is never changed in place: its tasks, runs and
 * events are replaced, so the same object always has the same text, and a document of thousands of parts costs only
 * those that are new. A part that nobody holds any more takes its text with it.
 *
 * @param render The value to show for a part.
 * @param depth How far the part is indented in its document, in steps of two spaces.
 */
export function fragments<T extends object>(render: (part: T) => unknown, depth: number) {
  const known = new WeakMap<T, string>();
  return (part: T): string => {
    const text = known.get(part) ?? jsonAt(render(part), depth);
    known.set(part, text);
    return text;
  };
}

/** `JSON.stringify(value, null, 2)` as it stands at that depth. */
export function jsonAt(value: unknown, depth: number): string {
  // By pattern: `replaceAll` with a text leaves a string of thousands of pieces, which costs at every use.
  return JSON.stringify(value, null, 2).replace(/\n/g, `\n${'  '.repeat(depth)}`);
}

/** A list or an object of finished parts, as `JSON.stringify` with two spaces gives it. */
export function joined(brackets: '[]' | '{}', parts: readonly string[], depth: number): string {
  if (parts.length === 0) return brackets;
  const line = `\n${'  '.repeat(depth + 1)}`;
  return `${brackets[0]}${line}${parts.join(`,${line}`)}\n${'  '.repeat(depth)}${brackets[1]}`;
}
