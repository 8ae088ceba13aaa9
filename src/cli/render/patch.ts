import type { Terminal } from '../../io/ui/index.ts';

export function patchLines(patch: string, { style }: Terminal): string[] {
  if (patch === '') return [];
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      if (HEADER.test(line)) return style.bold(line);
      if (line.startsWith('@@')) return style.cyan(line);
      if (line.startsWith('+')) return style.green(line);
      return line.startsWith('-') ? style.red(line) : line;
    });
}

const HEADER =
  /^(?:diff --git |index [0-9a-f]+\.\.|--- (?:"?a\/|\/dev\/null)|\+\+\+ (?:"?b\/|\/dev\/null)|new file mode|deleted file mode)/;
