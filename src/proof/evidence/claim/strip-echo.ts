import { type Word, wordsOf } from './words.ts';

/** Words of the prompt in a row that are an echo; fewer may be the agent's own. */
const ECHO_RUN = 12;
/** Characters of a prompt; a shorter one is too common to be an echo. */
const SHORTEST_PROMPT = 12;

const OPENER = 'ralph_status';
const END = 'end_ralph_status';

/**
 * Returns the message's lines without the echoed prompt or parts of it. Words are compared, so line breaks, indentation, quotes, boxes and
 * JSON around them don't matter. Text attached to the echo stays. Takes time linear in both sizes.
 */
export function stripEcho(lines: readonly string[], promptLines: readonly string[]): string[] {
  const kept = [...lines];
  const prompt = wordsOf(promptLines).map(({ text }) => text);
  if (prompt.join('').length < SHORTEST_PROMPT) return kept;
  const output = wordsOf(lines);
  const run = Math.min(ECHO_RUN, prompt.length);
  const known = new Set(prompt);
  const runs = new Map<string, number>();
  for (let start = prompt.length - run; start >= 0; start -= 1) {
    runs.set(prompt.slice(start, start + run).join(' '), start);
  }
  let position = 0;
  while (position < output.length) {
    const start = runStart(output, position, run, known, runs);
    if (start === null) {
      position += 1;
      continue;
    }
    let length = run;
    while (start + length < prompt.length && output[position + length]?.text === prompt[start + length])
      length += 1;
    const echo = output.slice(position, position + echoed(output, position, length));
    blank(kept, echo);
    position += echo.length > 0 ? echo.length : length;
  }
  return kept;
}

/** Returns how many words are an echo. A status block alone is a claim, and so is one that continues unlike the prompt's. */
function echoed(output: readonly Word[], position: number, length: number): number {
  const text = (index: number) => output[position + index]?.text;
  let opener = -1;
  for (let index = 0; index < length; index += 1) {
    if (text(index) === OPENER) opener = index;
    else if (text(index) === END) {
      if (opener === 0 && index === length - 1) return 0;
      opener = -1;
    }
  }
  return opener < 0 ? length : opener;
}

function runStart(
  output: readonly Word[],
  position: number,
  run: number,
  known: ReadonlySet<string>,
  runs: ReadonlyMap<string, number>,
): number | null {
  const window: string[] = [];
  for (let offset = 0; offset < run; offset += 1) {
    const text = output[position + offset]?.text;
    if (text === undefined || !known.has(text)) return null;
    window.push(text);
  }
  return runs.get(window.join(' ')) ?? null;
}

function blank(kept: string[], echo: readonly Word[]): void {
  const spans = new Map<number, { from: number; to: number }>();
  for (const { line, from, to } of echo) spans.set(line, { from: spans.get(line)?.from ?? from, to });
  const [first, last] = [echo[0], echo.at(-1)];
  for (const [line, { from, to }] of spans) {
    const text = kept[line] ?? '';
    const before = line === first?.line ? text.slice(0, from) : '';
    const after = line === last?.line ? text.slice(to) : '';
    kept[line] = before + ' '.repeat(text.length - before.length - after.length) + after;
  }
}
