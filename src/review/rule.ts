import type { Action } from '../domain/action.ts';
import type { ReviewPlace, Ruling } from '../domain/review.ts';
import type { Effect } from '../effects/index.ts';
import { redact } from '../lib/redact.ts';

/** What a rule judges: an action, with everything that it does as far as that is known. */
export type Subject = {
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly place: ReviewPlace;
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
  /** Stays with `[review.rules] builtin = "essential"`. */
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

/**
 * A rule that checks each effect alone. `judge` gives the reason for a denial; `null`: nothing speaks against it. A
 * denial for caution alone gives way to one that counts.
 */
export function denyEffects(
  facts: Omit<RuleFacts, 'ruling'>,
  judge: (effect: Effect, subject: Subject) => string | Denial | null,
): Rule {
  const { name } = facts;
  return {
    ...facts,
    ruling: 'deny',
    judge: (subject) => {
      let cautious: Opinion | null = null;
      for (const effect of subject.effects) {
        const said = judge(effect, subject);
        if (said === null) continue;
        if (typeof said === 'string' || !said.harmless) {
          return { ruling: deny(name, typeof said === 'string' ? said : said.reason), effect };
        }
        cautious ??= { ruling: { ...deny(name, said.reason), harmless: true }, effect };
      }
      return cautious;
    },
  };
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
