/** A line of an agent's own, as `--stream` shows it: never to be taken for one of ralph's. */
export function markLine(agent: string, line: string): string {
  return `${agent} │ ${line}`;
}
