import { redact } from '../lib/redact.ts';

/** Stable names: they are recorded and shown. */
export type Rule =
  | 'deletion_outside'
  | 'protected_write'
  | 'unknown_target'
  | 'unparsed'
  | 'interactive_shell'
  | 'restricted';

export type Denial = { readonly decision: 'deny'; readonly rule: Rule; readonly reason: string };

/** Longest reason that is given, in characters: a path can be as long as its command. */
const LONGEST_REASON = 400;

export function deny(rule: Rule, reason: string): Denial {
  const shown = redact(reason, []).replace(/\s+/g, ' ');
  return { decision: 'deny', rule, reason: shortened(shown, LONGEST_REASON) };
}

/** Keeps the end too: there it says what to do instead. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
