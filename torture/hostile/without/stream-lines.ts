export function streamLines() {
  return { push: (text: string) => text.split('\n'), end: () => [] };
}
