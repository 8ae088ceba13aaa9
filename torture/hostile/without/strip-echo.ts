export function stripEcho(lines: readonly string[]): string[] {
  return [...lines];
}
