import type { Action, Ruling } from 'ralph-kit/actions/action';
import { redact } from 'ralph-kit/redact';
import type { Effect } from '../effects/index.ts';
import type { ReviewPlace } from '../forms/place.ts';
import type { Budget } from '../shell/index.ts';
import type { Goal } from './goal.ts';

export type Subject = {
  readonly action: Action;
  readonly effects: readonly Effect[];
  readonly place: ReviewPlace;
  /** What the task is about; `null` where that is unknown, or where any file of the repository may change. */
  readonly goal: Goal | null;
  /** Remaining budget of the review. The steps of built-in rules are paid with the effects. */
  readonly budget: Budget;
  /** Returns the place as it is when an effect begins. Files that earlier effects created count as the attempt's own. */
  readonly placeAt: (effect: Effect) => ReviewPlace;
};

/** `effect` is the judged effect, or `null` for the action as a whole. */
export type Opinion = {
  readonly ruling: Exclude<Ruling, { decision: 'allow' }>;
  readonly effect: Effect | null;
};

/** The description of a rule, from which docs/REVIEW_RULES.md is generated. */
export type RuleFacts = {
  /** Stable name for records, the screen and the configuration. */
  readonly name: string;
  /** The rule stays with the setting `builtin = "essential"`. */
  readonly essential: boolean;
  /** The rule protects ralph itself: no setting removes it. */
  readonly fixed?: true;
  readonly ruling: 'warn' | 'modify' | 'deny';
  readonly finds: string;
  readonly instead: string;
};

/** `judge` is pure and returns one opinion, on the first effect it objects to. */
export type Rule = RuleFacts & { readonly judge: (subject: Subject) => Opinion | null };

/** A rule of a module, which judges in the modules' process. `index`: its place in the module's list. */
export type ModuleRule = RuleFacts & { readonly index: number };

/** Why an action is denied. `harmless`: it is denied as a precaution, since nothing of yours could have been lost. */
export type Denial = { readonly reason: string; readonly harmless: boolean };

/** A rule's answer to an effect. A text is the reason for a denial. */
export type Remark =
  | string
  | Denial
  | { readonly warn: string }
  /** `rewrite` returns a safe command line with the same purpose, or `null` without one. */
  | {
      readonly reason: string;
      readonly alternative: string;
      readonly rewrite: (command: string) => string | null;
    };

/** Returns a rule that checks each effect. The first of the strictest remarks counts; precautions rank below other denials. */
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
        // A further remark of the same strictness adds nothing.
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

export function denyEffects(
  facts: Omit<RuleFacts, 'ruling'>,
  judge: (effect: Effect, subject: Subject) => string | Denial | null,
): Rule {
  return judgeEffects({ ...facts, ruling: 'deny' }, judge);
}

const STRICTNESS = { warn: 1, modify: 2, deny: 4 } as const;
/** A denial as a precaution ranks below one for a real loss. */
const CAUTION = 3;

export function strictness(ruling: Opinion['ruling']): number {
  return ruling.decision === 'deny' && ruling.harmless ? CAUTION : STRICTNESS[ruling.decision];
}

function isAsMild(remark: Remark, ruling: Opinion['ruling']): boolean {
  if (typeof remark === 'string') return false;
  if ('warn' in remark) return true;
  return 'harmless' in remark && remark.harmless && strictness(ruling) >= CAUTION;
}

/** Returns the ruling that a remark means for an action. A rewrite that can't replace the command becomes a denial. */
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

/** Returns the tool's parameters with the rewritten command line, or `null` if it can't be inserted. */
function changedInput(
  { command, input }: Action,
  rewrite: (command: string) => string | null,
): Readonly<Record<string, unknown>> | null {
  if (command === null) return null;
  const key = Object.keys(input).find((name) => input[name] === command);
  const changed = key === undefined ? null : rewrite(command);
  return key === undefined || changed === null || changed === command ? null : { ...input, [key]: changed };
}

/** Characters of a reason: a path can be as long as its command. */
const LONGEST_REASON = 400;

/** Returns a denial whose reason has likely secrets hidden. */
export function deny(rule: string, reason: string): Extract<Ruling, { decision: 'deny' }> {
  const shown = redact(reason, []).replace(/\s+/g, ' ');
  return { decision: 'deny', rule, reason: shortened(shown, LONGEST_REASON) };
}

/** The end of a reason says what to do instead, so the middle is cut. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
