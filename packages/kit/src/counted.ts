/** Returns a number with its noun, such as `3 files` or `1 file`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns how often something was: `once`, `3 times`. */
export function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

/** Returns a whole number such as `12,345`. `toLocaleString` first loads tables for 10 ms. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
