/**
 * Returns a line of an agent as `--stream` shows it: marked, so that it never reads as one of ralph's.
 */
export function markLine(agent: string, line: string): string {
  return `${agent} │ ${line}`;
}
