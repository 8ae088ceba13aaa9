import type { Action, Ruling } from 'ralph-kit/actions/action';
import type { Severity } from 'ralph-kit/severity';
import { shortened, stripControl } from 'ralph-kit/text';
import type { Effect } from '../effects/index.ts';
import type { ReviewDecision, ReviewOutcome, ReviewRecord } from '../forms/record.ts';
import type { Assessment } from './assess.ts';
import { describeAction } from './describe-action.ts';

const NAMED = 20;
/** Characters of one text in a record. */
const LONGEST = 200;
/** Characters of a text that are read. */
const MOST_READ = 2000;

/** Returns `block` for `deny`: records and the screen use another word than the code. */
export function decisionOf({ decision }: Pick<Ruling, 'decision'>): ReviewDecision {
  return decision === 'deny' ? 'block' : decision;
}

export function gravity({ risk, sideEffects }: Pick<Assessment, 'risk' | 'sideEffects'>): Severity {
  return sideEffects.some(({ severity }) => severity === 'critical') ? 'critical' : risk.severity;
}

export function outcomeOf(assessment: Assessment): ReviewOutcome {
  const { ruling, effects, sideEffects, risk, rationality, opinions } = assessment;
  return {
    decision: decisionOf(ruling),
    rule: ruling.decision === 'allow' ? null : ruling.rule,
    reason: ruling.decision === 'allow' ? '' : ruling.reason,
    reasons: [...assessment.reasons],
    explanation: assessment.explanation,
    severity: gravity(assessment),
    effects: effects.slice(0, NAMED).map(effectLine),
    side_effects: sideEffects
      .slice(0, NAMED)
      .map(({ target, ...side }) => ({ ...side, target: line(target) })),
    risk: { ...risk, factors: [...risk.factors] },
    rationality: {
      ...rationality,
      issues: rationality.issues.map(line),
      suggestions: rationality.suggestions.map(line),
    },
    rules: opinions.slice(0, NAMED).map(({ ruling: each }) => ({
      rule: each.rule,
      decision: decisionOf(each),
      reason: line(each.reason),
    })),
    adjustments: [...assessment.adjustments],
    alternatives: assessment.alternatives.slice(0, NAMED).map(line),
    evidence: assessment.evidence.slice(0, NAMED).map(({ from, words }) => ({ from, words: line(words) })),
    confidence: assessment.confidence,
  };
}

type About = Pick<
  ReviewRecord,
  'id' | 'at' | 'iteration' | 'task_id' | 'agent' | 'mode' | 'duration_us' | 'cache_hit'
> & {
  readonly action: Action;
  readonly answer: Ruling;
};

/**
 * Returns a line of `reviews.jsonl`.
 * @param hide Hides secrets in a text.
 */
export function reviewRecord(
  { action, answer, ...about }: About,
  assessment: Assessment,
  hide: (text: string) => string,
): ReviewRecord {
  const outcome = outcomeOf(assessment);
  return withoutSecrets(
    {
      ...about,
      call: action.id,
      tool: action.tool,
      kind: action.kind,
      action: describeAction(action),
      ...outcome,
      answer: decisionOf(answer),
      harmless: answer.decision === 'deny' && answer.harmless === true,
    },
    hide,
  );
}

/** All texts are joined first: one pass over a long text is far cheaper than many passes. */
function withoutSecrets(record: ReviewRecord, hide: (text: string) => string): ReviewRecord {
  const texts: string[] = [];
  collect(record, (text) => {
    texts.push(text);
    return text;
  });
  const all = texts.join('\n');
  const hidden = hide(all);
  if (hidden === all) return record;
  const lines = hidden.split('\n');
  // A pattern that spans several lines changed their number, so each text is redacted separately.
  const shown = lines.length === texts.length ? lines : texts.map(hide);
  let next = 0;
  return collect(record, () => shown[next++] ?? '') as ReviewRecord;
}

/** Returns the value with each text in it replaced, in order. */
function collect(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => collect(each, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, collect(each, replace)]));
}

function effectLine(effect: Effect): string {
  const by = 'by' in effect ? ` (${effect.by})` : '';
  const shown = 'shown' in effect ? effect.shown : 'text' in effect ? effect.text : '';
  const host = effect.kind === 'network' ? (effect.host ?? '') : '';
  return line(`${effect.kind.replaceAll('_', ' ')} ${shown || host}`.trim() + by);
}

function line(text: string): string {
  return shortened(stripControl(text.slice(0, MOST_READ)).replace(/\s+/g, ' ').trim(), LONGEST);
}
