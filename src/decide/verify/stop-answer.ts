import type { StopAnswer } from 'ralph-agents';
import { counted } from 'ralph-kit/counted';
import { asSentence, onOneLine, shortened } from 'ralph-kit/text';
import type { Answer, Remark } from '../../domain/verification.ts';

export type JudgedSession =
  | ({ readonly kind: 'judged' } & Answer)
  /** The work wasn't judged. `message`: the reason as a sentence; `next`: the command that helps. */
  | { readonly kind: 'unjudged'; readonly message: string; readonly next: string | null };

/** How often the agent was sent back since it last could stop. `limit`: how often it may be. */
type SentBack = { readonly count: number; readonly limit: number };

/** Maximum number of reasons that the agent gets at once. */
const MOST_REASONS = 5;
/** Maximum number of lines of output for each reason. */
const MOST_LINES = 20;
const LONGEST_LINE = 200;

/**
 * Returns whether an agent has to continue. The verdict "can't tell" never sends it back, because the hook only
 * advises.
 */
export function stopAnswer(judged: JudgedSession, { count, limit }: SentBack): StopAnswer {
  if (judged.kind === 'unjudged') {
    const next = judged.next === null ? '' : `\n  Next: ${judged.next}`;
    return { kind: 'stop', note: `ralph didn't check this session: ${judged.message}${next}` };
  }
  const { verdict, remarks } = judged;
  if (verdict === 'verified' || verdict === 'verified_weak') return { kind: 'stop', note: null };
  const level = verdict === 'not_verified' ? 'error' : 'warning';
  const reasons = remarks.filter((remark) => remark.level === level);
  const [first] = reasons;
  const why = first === undefined ? '' : `: ${onOneLine(first.text)}`;
  if (verdict === 'cant_tell') return { kind: 'stop', note: `ralph can't tell whether this is done${why}` };
  if (count >= limit) {
    const times = limit === 0 ? '' : `, after ${counted(limit, 'request')} to fix it`;
    return { kind: 'stop', note: `ralph: not verified${times}${why}. ralph verify shows all.` };
  }
  return {
    kind: 'continue',
    reason: [
      `ralph checked your work, and it isn't done (request ${count + 1} of ${limit}):`,
      ...reasons.slice(0, MOST_REASONS).flatMap(linesOf),
      "Fix that, then finish. If you can't, or it is wrong, say so and stop.",
    ].join('\n'),
  };
}

function linesOf({ text, path, line, excerpt }: Remark): string[] {
  const place = path === null || text.includes(path) ? '' : ` (${line === null ? path : `${path}:${line}`})`;
  const shown = excerpt.slice(0, MOST_LINES).map((one) => `    ${shortened(one, LONGEST_LINE)}`);
  return [`- ${asSentence(shortened(onOneLine(text), LONGEST_LINE))}${place}`, ...shown];
}
