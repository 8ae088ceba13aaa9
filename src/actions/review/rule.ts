import type { Action } from '../../lib/actions/action.ts';
import type { ReviewPlace, Ruling } from '../../lib/actions/review.ts';
import { redact } from '../../lib/redact.ts';
import type { Effect } from '../effects/index.ts';
import type { Budget } from '../shell/index.ts';
import type { Goal } from './goal.ts';

/** What a rule judges: an action, with everything that it does as far as that is known. */
export type Subject = {
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly place: ReviewPlace;
  /** `null`: not known, or all of the repository is expected to change. */
  readonly goal: Goal | null;
  /** What the review may still take; rules of ralph's own are paid for with the effects. */
  readonly budget: Budget;
  /** The place as it is when an effect begins: what those before it made is the attempt's own by then. */
  readonly placeAt: (effect: Effect) => ReviewPlace;
};

/** What a rule says. `effect`: what it speaks about; `null`: the action as a whole. */
export type Opinion = {
  readonly ruling: Exclude<Ruling, { decision: 'allow' }>;
  readonly effect: Effect | null;
};

/** What a rule says of itself: docs/REVIEW_RULES.md is made of it. */
export type RuleFacts = {
  /** Stable: it is recorded, shown, and names the rule in the configuration. */
  readonly name: string;
  /** Stays with the setting `builtin = "essential"`. */
  readonly essential: boolean;
  /** Protects ralph itself: no setting takes it away. */
  readonly fixed?: true;
  /** The strictest that it says. */
  readonly ruling: 'warn' | 'modify' | 'deny';
  /** What it finds, in a sentence. */
  readonly finds: string;
  /** What to do instead, in a sentence. */
  readonly instead: string;
};

/** A pure function. It speaks once, about the first effect that it minds. */
export type Rule = RuleFacts & { readonly judge: (subject: Subject) => Opinion | null };

/** Why an effect is denied; `harmless`: for caution alone, as nothing of yours could have been lost. */
export type Denial = { readonly reason: string; readonly harmless: boolean };

/** What is said of an effect: a text is the reason for a denial. */
export type Remark =
  | string
  | Denial
  | { readonly warn: string }
  /** `rewrite` gives the command line that does the same in a safe way; `null`: there is none. */
  | {
      readonly reason: string;
      readonly alternative: string;
      readonly rewrite: (command: string) => string | null;
    };

/**
 * A rule that checks each effect alone; `null`: nothing speaks against it. The strictest remark counts, of equally
 * strict ones the first; a denial for caution alone gives way to one that counts.
 */
export function judgeEffects(
  facts: RuleFacts,
  judge: (effect: Effect, subject: Subject) => Remark | null,
): Rule {
  const { name } = facts;
  return {
    ...facts,
    judge: (subject) => {
      let strictest: Opinion | null = null;
      for (const effect of subject.effects) {
        const remark = judge(effect, subject);
        // One more of the same says nothing new.
        if (remark === null || (strictest !== null && isAsMild(remark, strictest.ruling))) continue;
        const ruling = rulingOf(name, remark, subject.action);
        if (ruling.decision === 'deny' && !ruling.harmless) return { ruling, effect };
        if (strictest === null || strictness(ruling) > strictness(strictest.ruling))
          strictest = { ruling, effect };
      }
      return strictest;
    },
  };
}

/** A rule whose remarks are denials. */
export function denyEffects(
  facts: Omit<RuleFacts, 'ruling'>,
  judge: (effect: Effect, subject: Subject) => string | Denial | null,
): Rule {
  return judgeEffects({ ...facts, ruling: 'deny' }, judge);
}

const STRICTNESS = { warn: 1, modify: 2, deny: 4 } as const;
/** What is denied for caution alone hides nothing that counts. */
const CAUTION = 3;

export function strictness(ruling: Opinion['ruling']): number {
  return ruling.decision === 'deny' && ruling.harmless ? CAUTION : STRICTNESS[ruling.decision];
}

/** Whether a remark can't be stricter than a ruling. */
function isAsMild(remark: Remark, ruling: Opinion['ruling']): boolean {
  if (typeof remark === 'string') return false;
  if ('warn' in remark) return true;
  return 'harmless' in remark && remark.harmless && strictness(ruling) >= CAUTION;
}

/** What a remark comes to for an action. A rewrite that can't be put in place of the command denies it. */
export function rulingOf(name: string, remark: Remark, action: Action): Opinion['ruling'] {
  if (typeof remark === 'string') return deny(name, remark);
  if ('warn' in remark) return { decision: 'warn', rule: name, reason: deny(name, remark.warn).reason };
  if ('harmless' in remark) {
    return remark.harmless ? { ...deny(name, remark.reason), harmless: true } : deny(name, remark.reason);
  }
  const input = changedInput(action, remark.rewrite);
  const { reason, alternative } = remark;
  if (input === null) return deny(name, `${reason} Instead: ${alternative}`);
  return { decision: 'modify', rule: name, reason: deny(name, reason).reason, alternative, input };
}

/** The tool's parameters with another command line; `null`: it can't be put in its place. */
function changedInput(
  { command, input }: Action,
  rewrite: (command: string) => string | null,
): Readonly<Record<string, unknown>> | null {
  if (command === null) return null;
  const key = Object.keys(input).find((name) => input[name] === command);
  const changed = key === undefined ? null : rewrite(command);
  return key === undefined || changed === null || changed === command ? null : { ...input, [key]: changed };
}

/** Longest reason that is given, in characters: a path can be as long as its command. */
const LONGEST_REASON = 400;

/** A denial; the reason without what looks like a secret. */
export function deny(rule: string, reason: string): Extract<Ruling, { decision: 'deny' }> {
  const shown = redact(reason, []).replace(/\s+/g, ' ');
  return { decision: 'deny', rule, reason: shortened(shown, LONGEST_REASON) };
}

/** Keeps the end too: there it says what to do instead. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
