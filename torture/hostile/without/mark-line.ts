export function markLine(agent: string, line: string): string {
  return agent === '' ? '' : line;
}
