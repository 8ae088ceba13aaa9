import type { Word } from 'unbash';
import { parseWords } from '../shell-syntax.ts';
import type { WordContext } from './word-context.ts';

/** Bounds the words from one pair of braces; beyond it they stay unexpanded. */
const MOST_WORDS = 64;

/** Returns the words that a brace expansion makes: `a{b,c}` is `ab` and `ac`. A word without braces, or with too many, stays as it is. */
export function expandBraces(word: Word, context: WordContext): readonly Word[] {
  const texts = expandText(word, 0, context);
  if (texts.length === 1) return [word];
  return texts.length > MOST_WORDS ? [word] : texts.flatMap((text) => parseWords(text));
}

function expandText(word: Word, depth: number, context: WordContext): readonly string[] {
  const brace = word.parts?.find((part) => part.type === 'BraceExpansion');
  if (brace === undefined || depth > 4) return [word.text];
  const start = brace.pos - word.pos;
  const before = word.text.slice(0, start);
  const after = word.text.slice(start + brace.text.length);
  const texts: string[] = [];
  for (const each of alternatives(brace.text)) {
    if (!context.spend(2 + word.text.length / 10)) return [word.text];
    for (const next of parseWords(before + each + after)) texts.push(...expandText(next, depth + 1, context));
    if (texts.length > MOST_WORDS) break;
  }
  return texts;
}

function alternatives(text: string): string[] {
  const inner = text.slice(1, -1);
  const found: string[] = [];
  let current = '';
  let level = 0;
  for (const token of inner.match(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[\s\S]/g) ?? []) {
    if (token === '{') level += 1;
    if (token === '}') level -= 1;
    if (token === ',' && level === 0) {
      found.push(current);
      current = '';
    } else current += token;
  }
  return found.length === 0 ? ['*'] : [...found, current];
}
