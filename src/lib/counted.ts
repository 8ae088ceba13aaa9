/** `3 files`, `1 file`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `once`, `3 times`. */
export function timesText(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}
