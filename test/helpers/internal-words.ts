import { FINDING_TYPES } from '../../src/domain/findings/index.ts';
import { INTERVENTION_TYPES } from '../../src/domain/intervention.ts';
import { BLOCK_REASONS } from '../../src/domain/records/state.ts';
import { VerdictKind } from '../../src/domain/verdict.ts';

/** Names of the code that are ordinary words, too. */
const WORDS = new Set([
  'done',
  'timed_out',
  'rolled_back',
  'progress',
  'incomplete',
  'timeout',
  'auth',
  'outage',
  'interrupted',
  'conflict',
  'credit',
]);

const NAMES = [...FINDING_TYPES, ...INTERVENTION_TYPES, ...BLOCK_REASONS, ...VerdictKind.options].filter(
  (name) => !WORDS.has(name),
);

/** Matches checkpoints by their ids, and saved work by its checkpoint's name. */
const IDS = /\bkept\/\d+|\br-\d{8}-\d{6}-\w+\/\d+/g;
/** Matches names of the code; a key behind its section is something that you type. */
const SNAKE = /(?<!\[[\w.]+\] )\b[a-z]+(?:_[a-z]+)+\b/g;

/** Returns words in a text for you that only ralph's code uses. */
export function internalWords(text: string): string[] {
  const named = NAMES.filter((name) => new RegExp(`\\b${name.replaceAll('_', '[ _]')}\\b`).test(text));
  return [...new Set([...(text.match(IDS) ?? []), ...(text.match(SNAKE) ?? []), ...named])];
}
