import { languageOf, readCode, roleOf } from 'ralph-ecosystems';
import type { MutantKind } from '../../../domain/command-run.ts';
import { inlineTests } from '../split-changes.ts';
import { type Edit, editOf } from './edits.ts';
import { leftOut } from './left-out.ts';
import { droppedCall, earlyReturn, negatedCondition } from './statements.ts';

/** A file of production code, with the numbers of its changed lines, from 1. */
export type ChangedFile = {
  readonly path: string;
  readonly text: string;
  readonly changed: ReadonlySet<number>;
};

export type Mutant = {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly kind: MutantKind;
  /** `before` is the line without the mistake, `after` with it; both are trimmed. */
  readonly before: string;
  readonly after: string;
  readonly text: string;
};

/** Code inside another language, declarations, languages that the tokenizer hardly knows, and benchmarks, which no test runs. */
const UNREAD =
  /\.(?:vue|svelte|astro|pyi|pyx|fs|vb|mm?|groovy|pl|pm|lua|[rR]|jl|zig|hs)$|\.d\.[mc]?ts$|\.bench\.\w+$|(?:^|\/)bench(?:marks?)?\//;

export function canMutate(path: string): boolean {
  return roleOf(path) === 'source' && languageOf(path).name !== 'data' && !UNREAD.test(path);
}

/**
 * Returns at most `most` mutants in the order to try them: spread over all changed lines, and one of each line before a second. The same
 * files give the same mutants.
 */
export function mutantsOf(files: readonly ChangedFile[], most: number): Mutant[] {
  const lines = files.filter(({ path }) => canMutate(path)).flatMap(editsByLine);
  const order = spread(lines.length);
  const chosen: Mutant[] = [];
  for (let round = 0; chosen.length < most && lines.some(({ edits }) => edits.length > round); round += 1) {
    for (const [turn, index] of order.entries()) {
      const { file, line, edits } = lines[index] ?? NO_LINE;
      const edit = turned(edits, turn)[round];
      if (edit !== undefined && chosen.length < most) chosen.push(mutantOf(file, line, edit));
    }
  }
  return chosen;
}

type LineEdits = { readonly file: ChangedFile; readonly line: number; readonly edits: readonly Edit[] };
const NO_LINE: LineEdits = { file: { path: '', text: '', changed: new Set() }, line: 0, edits: [] };

function editsByLine(file: ChangedFile): LineEdits[] {
  const code = readCode(file.path, file.text);
  const untouched = leftOut(code);
  const end = file.text.length - (file.path.endsWith('.rs') ? inlineTests(file.text).length : 0);
  const found = new Map<number, Edit[]>();
  for (const [at, token] of code.tokens.entries()) {
    const line = code.lines[at] ?? 0;
    if (token.start >= end || !file.changed.has(line) || untouched.has(at)) continue;
    const edits = [editOf, negatedCondition, droppedCall, earlyReturn].flatMap(
      (make) => make(code, at) ?? [],
    );
    if (edits.length > 0) found.set(line, [...(found.get(line) ?? []), ...edits]);
  }
  return [...found].map(([line, edits]) => ({ file, line, edits: withoutTwins(edits) }));
}

/** A condition isn't negated if a part of it is. */
function withoutTwins(edits: readonly Edit[]): Edit[] {
  return edits.filter((edit) => {
    const isWithin = (other: Edit) => other !== edit && other.start >= edit.start && other.end <= edit.end;
    return edit.kind !== 'negate' || !edits.some((other) => other.kind === 'negate' && isWithin(other));
  });
}

/** Returns a line's edits in order: lines begin with different edits, and constants come last. */
function turned(edits: readonly Edit[], turn: number): readonly Edit[] {
  const others = edits.filter(({ kind }) => kind !== 'constant');
  const at = others.length === 0 ? 0 : turn % others.length;
  const constants = edits.filter(({ kind }) => kind === 'constant');
  return [...others.slice(at), ...others.slice(0, at), ...constants];
}

/** Returns the numbers below a count, each as far as possible from earlier ones, by reversing their bits. */
function spread(count: number): number[] {
  const bits = Math.ceil(Math.log2(Math.max(2, count)));
  const reversed = (value: number) =>
    Number.parseInt([...value.toString(2).padStart(bits, '0')].reverse().join(''), 2);
  return Array.from({ length: 2 ** bits }, (_, index) => reversed(index)).filter((index) => index < count);
}

function mutantOf({ path, text }: ChangedFile, line: number, { kind, start, end, to }: Edit): Mutant {
  const mutated = text.slice(0, start) + to + text.slice(end);
  const lineOf = (whole: string) => (whole.split('\n')[line - 1] ?? '').trim();
  return { path, line, kind, before: lineOf(text), after: lineOf(mutated), text: mutated };
}
