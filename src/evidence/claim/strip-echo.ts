import { trimMarks } from './message-lines.ts';

/** So many lines of the prompt in a row are an echo of it; fewer may be an agent's own status block. */
const ECHO_RUN = 6;
/** A prompt shorter than this (in characters) is too common a text to be an echo. */
const SHORTEST_PROMPT = 12;

type Seen = { readonly at: number; readonly text: string };

/**
 * The lines of a plain-text agent's output without the echoed prompt. Lines are compared without the indentation,
 * quote or box marks an agent puts before them; blank lines do not matter. What is glued to the last line of the echo
 * stays. Removed lines become blank. Linear in the size of both.
 */
export function stripEcho(lines: readonly string[], promptLines: readonly string[]): string[] {
  const kept = [...lines];
  const prompt = bare(promptLines).map((line) => line.text);
  if (prompt.join('').length < SHORTEST_PROMPT) return kept;
  const output = bare(lines);
  const run = Math.min(ECHO_RUN, prompt.length);
  const known = new Set(prompt);
  const runs = new Map<string, number>();
  for (let start = prompt.length - run; start >= 0; start -= 1) {
    runs.set(prompt.slice(start, start + run).join('\n'), start);
  }

  let position = 0;
  while (position < output.length) {
    const start = runStart(output, position, run, known, runs);
    if (start === null) {
      position += 1;
      continue;
    }
    let length = run;
    while (start + length < prompt.length && output[position + length]?.text === prompt[start + length]) {
      length += 1;
    }
    const echo = output.slice(position, position + length);
    position += length;
    if (isWholeBlock(echo)) continue;
    for (const line of echo) kept[line.at] = '';
    if (start === 1) cutFirstLine(kept, output[position - length - 1], prompt[0]);
    if (start + length === prompt.length - 1) cutLastLine(kept, output, position, prompt.at(-1));
  }
  return kept;
}

/** A status block from the prompt, given again word for word and on its own, is a claim. */
function isWholeBlock(lines: readonly Seen[]): boolean {
  const first = lines[0]?.text ?? '';
  return (
    !/END_/i.test(first) && /RALPH_STATUS/i.test(first) && /END_RALPH_STATUS/i.test(lines.at(-1)?.text ?? '')
  );
}

function runStart(
  output: readonly Seen[],
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
  return runs.get(window.join('\n')) ?? null;
}

/** `user: First line of the prompt`: what stands before it is the agent's. */
function cutFirstLine(kept: string[], seen: Seen | undefined, first: string | undefined): void {
  if (seen === undefined || first === undefined || !seen.text.endsWith(first)) return;
  kept[seen.at] = seen.text.slice(0, -first.length);
}

/** The prompt had no line end, so the agent's first words are glued to it. */
function cutLastLine(kept: string[], output: Seen[], position: number, last: string | undefined): void {
  const seen = output[position];
  if (seen === undefined || last === undefined || !seen.text.startsWith(last)) return;
  const text = seen.text.slice(last.length);
  kept[seen.at] = text;
  output[position] = { at: seen.at, text };
}

const MARKS = new Set([...' \t>|│┃▌']);

/** Lines that are not blank, without the marks before and the box behind them. */
function bare(lines: readonly string[]): Seen[] {
  const found: Seen[] = [];
  for (const [at, line] of lines.entries()) {
    const text = trimMarks(line, MARKS);
    if (text !== '') found.push({ at, text });
  }
  return found;
}
