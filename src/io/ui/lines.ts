import type { Line, Tone } from '../../tell/index.ts';
import type { Terminal } from './terminal.ts';

/** Returns lines laid out for a terminal. */
export function linesText(lines: readonly Line[], { style, para }: Pick<Terminal, 'style' | 'para'>): string {
  const paint: Readonly<Record<Tone, (text: string) => string>> = {
    good: style.green,
    bad: style.red,
    warning: style.yellow,
    dim: style.dim,
    strong: style.bold,
    command: style.cyan,
  };
  return lines
    .map(({ text, tone, lead = '', indent, sign, strong, isWhole }) => {
      const marks = [
        ...(sign === undefined ? [] : [paint[sign.tone](sign.text)]),
        ...(strong === undefined ? [] : [style.bold(strong)]),
      ];
      const head = lead + marks.map((mark) => (text === '' ? mark : `${mark} `)).join('');
      const line = isWhole === true ? head + text : para(text, head, indent);
      return tone === undefined ? line : paint[tone](line);
    })
    .join('\n');
}
