/** `3 files`, `1 file`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `once`, `3 times`. */
export function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

/** A whole number for the screen: `12,345`. `toLocaleString` loads tables for it, which takes 10 ms the first time. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
