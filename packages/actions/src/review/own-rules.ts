import { type Action, ActionKind } from 'ralph-kit/actions/action';
import { isObject } from 'ralph-kit/is-object';
import { isAtOrBelow } from 'ralph-kit/paths';
import * as z from 'zod/mini';
import type { Effect, EffectKind, PathEffect } from '../effects/index.ts';
import type { FailedRule } from '../forms/place.ts';
import { spend } from '../shell/index.ts';
import {
  deny,
  type ModuleRule,
  type Opinion,
  type Rule,
  type RuleFacts,
  rulingOf,
  type Subject,
} from './rule.ts';
import { RULES } from './rules/index.ts';
import { fitsWildcard, LONGEST_PATTERN, wildcardSteps } from './wildcard.ts';

/** Your valid rules, with a sentence on each invalid one. */
export type OwnRules<R extends RuleFacts = Rule | ModuleRule> = {
  readonly rules: readonly R[];
  readonly problems: readonly string[];
};

const MOST_RULES = 100;

const EFFECT_KINDS: Readonly<Record<EffectKind, true>> = {
  reads: true,
  writes: true,
  deletes: true,
  permissions: true,
  names: true,
  network: true,
  history: true,
  credentials: true,
  shares: true,
  publishes: true,
  privileges: true,
  disables: true,
  approves: true,
  runs_text: true,
  runs_script: true,
  destroys: true,
  processes: true,
  environment: true,
  schedules: true,
  mounts: true,
  system: true,
  installs: true,
  exhausts: true,
  opens_shell: true,
  prompts: true,
  executes: true,
  unfollowed: true,
};

const Name = z.string().check(z.regex(/^[a-z][a-z0-9_]{2,59}$/));
const Text = z.string().check(z.minLength(1), z.maxLength(400));
const Pattern = z.string().check(z.minLength(1), z.maxLength(LONGEST_PATTERN));
const Patterns = z.union([Pattern, z.array(Pattern).check(z.minLength(1), z.maxLength(50))]);
const Kind = z.enum(Object.keys(EFFECT_KINDS) as [EffectKind, ...EffectKind[]]);

/** A rule as a table of a TOML file. All the conditions in it have to match. */
const Matcher = z.strictObject({
  name: Name,
  ruling: z.enum(['warn', 'modify', 'deny']),
  /** Command line that runs in place of the agent's, for the decision `modify`. */
  command: z.optional(Text),
  reason: Text,
  instead: z._default(z.string().check(z.maxLength(400)), ''),
  essential: z._default(z.boolean(), false),
  action: z.optional(z.union([ActionKind, z.array(ActionKind)])),
  tool: z.optional(Patterns),
  effect: z.optional(z.union([Kind, z.array(Kind).check(z.minLength(1))])),
  program: z.optional(Patterns),
  path: z.optional(Patterns),
  words: z.optional(Patterns),
});
type Matcher = z.infer<typeof Matcher>;

const MATCHING = ['action', 'tool', 'effect', 'program', 'path', 'words'] as const;

export function tomlRules(file: unknown): OwnRules<Rule> {
  const tables = isObject(file) && Array.isArray(file.rule) ? file.rule : null;
  if (tables === null) return { rules: [], problems: ['There are no [[rule]] tables in it.'] };
  const extra = isObject(file) ? Object.keys(file).filter((key) => key !== 'rule') : [];
  const problems = extra.map((key) => `There is no key ${key}; rules are [[rule]] tables.`);
  return collect(tables, problems, (table, place) => {
    const parsed = Matcher.safeParse(table);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return `${place}: ${issue?.path.join('.') || 'the table'}: ${issue?.message ?? 'not a rule'}`;
    }
    const matcher = parsed.data;
    if (MATCHING.every((key) => matcher[key] === undefined)) {
      return `${place}: it matches everything. Give it one of ${MATCHING.join(', ')}.`;
    }
    if ((matcher.ruling === 'modify') !== (matcher.command !== undefined))
      return `${place}: ruling = "modify" and a command to run in its place go together.`;
    return matcherRule(matcher);
  });
}

/** The data of a rule in a module; `judge` says whether the function exists. */
const ListedRule = z.looseObject({
  name: Name,
  essential: z._default(z.boolean(), false),
  finds: z._default(z.string(), ''),
  instead: z._default(z.string(), ''),
  judge: z.literal(true),
});
const ModuleRemark = z.discriminatedUnion('decision', [
  z.object({ decision: z.enum(['warn', 'deny']), reason: Text }),
  z.object({ decision: z.literal('modify'), reason: Text, command: Text }),
]);

/** Returns your rules of a module, whose default export is a list of them (types/review-rule.d.ts). */
export function moduleRules(exported: unknown): OwnRules<ModuleRule> {
  if (!Array.isArray(exported)) {
    return { rules: [], problems: ["Its default export isn't a list of rules."] };
  }
  return collect(exported, [], (value, place, index) => {
    const parsed = ListedRule.safeParse(value);
    if (!parsed.success) {
      return `${place}: a rule has a name of small letters, digits and _, and a function judge.`;
    }
    const { name, essential, finds, instead } = parsed.data;
    return { name, essential, finds, instead, ruling: 'deny', index };
  });
}

/** What a rule of a module returned, or why it returned nothing. `rule` is the module's path if no rule is known. */
export type RuleAnswer = { readonly rule: string; readonly value: unknown } | FailedRule;

/** Asks rules of a module, which get `subject` as JSON. Never rejects. */
export type AskRules = (rules: readonly ModuleRule[], subject: unknown) => Promise<readonly RuleAnswer[]>;

export type ModuleOpinions = {
  readonly opinions: readonly Opinion[];
  readonly failed: readonly FailedRule[];
};

/** Returns the opinions in a module's answers. A rule that returned anything but a remark or nothing has failed. */
export function opinionsIn(answers: readonly RuleAnswer[], action: Action): ModuleOpinions {
  const opinions: Opinion[] = [];
  const failed: FailedRule[] = [];
  for (const answer of answers) {
    const { rule } = answer;
    if ('error' in answer) failed.push(answer);
    else if (answer.value !== null && answer.value !== undefined) {
      const remark = ModuleRemark.safeParse(answer.value);
      if (remark.success) opinions.push({ ruling: ruled(rule, remark.data, action), effect: null });
      else
        failed.push({ rule, error: 'it gave neither null nor {decision, reason}, with a command to modify' });
    }
  }
  return { opinions, failed };
}

function ruled(name: string, remark: z.infer<typeof ModuleRemark>, action: Action): Opinion['ruling'] {
  const { decision, reason } = remark;
  if (decision === 'modify') {
    const { command } = remark;
    return rulingOf(name, { reason, alternative: command, rewrite: () => command }, action);
  }
  const ruling = deny(name, reason);
  return decision === 'deny' ? ruling : { ...ruling, decision };
}

/** Returns the action and its effects as the JSON that a module's rules get (types/review-rule.d.ts). */
export function plainSubject(
  { kind, tool, command, paths }: Action,
  effects: readonly Effect[],
  root: string,
) {
  return {
    action: { kind, tool, command, paths },
    effects: effects.map((effect) =>
      'spots' in effect ? { ...effect, spots: undefined, paths: pathsOf(effect) } : effect,
    ),
    root,
  };
}

function collect<R extends RuleFacts>(
  values: readonly unknown[],
  before: readonly string[],
  read: (value: unknown, place: string, index: number) => R | string,
): OwnRules<R> {
  const taken = new Set(RULES.map(({ name }) => name));
  const rules: R[] = [];
  const problems = [...before];
  if (values.length > MOST_RULES)
    problems.push(`There are more than ${MOST_RULES} rules; the rest isn't read.`);
  for (const [index, value] of values.slice(0, MOST_RULES).entries()) {
    const rule = read(value, `rule ${index + 1}`, index);
    if (typeof rule === 'string') problems.push(rule);
    else if (taken.has(rule.name)) problems.push(`rule ${index + 1}: there is a rule ${rule.name} already.`);
    else {
      taken.add(rule.name);
      rules.push(rule);
    }
  }
  return { rules, problems };
}

function matcherRule(matcher: Matcher): Rule {
  const { name, ruling, essential, reason, instead } = matcher;
  return {
    name,
    ruling,
    essential,
    finds: reason,
    instead,
    judge: (subject) => {
      const effect = matched(matcher, subject);
      if (effect === undefined) return null;
      const { command } = matcher;
      if (command !== undefined)
        return { ruling: ruled(name, { decision: 'modify', reason, command }, subject.action), effect };
      const denied = deny(name, instead === '' ? reason : `${reason} Instead: ${instead}`);
      return { ruling: ruling === 'warn' ? { ...denied, decision: ruling } : denied, effect };
    },
  };
}

/** Returns the matching effect, `null` if the action as a whole matches, and `undefined` if nothing does. */
function matched(matcher: Matcher, { action, effects, place, budget }: Subject): Effect | null | undefined {
  const { action: kinds, tool, effect: wanted, program, path, words } = matcher;
  // When the budget is used up, nothing matches, and the action is denied for that.
  const fits = (text: string, patterns: string | readonly string[]): boolean =>
    spend(budget, wildcardSteps(text.length, list(patterns))) &&
    list(patterns).some((pattern) => fitsWildcard(text, pattern));
  if (kinds !== undefined && !list(kinds).includes(action.kind)) return undefined;
  if (tool !== undefined && !fits(action.tool, tool)) return undefined;
  if (words !== undefined && (action.command === null || !fits(action.command.trim(), words)))
    return undefined;
  if (wanted === undefined && program === undefined && path === undefined) return null;
  return effects.find((effect) => {
    if (wanted !== undefined && !list(wanted).includes(effect.kind)) return false;
    if (program !== undefined && !('by' in effect && fits(effect.by, program))) return false;
    if (path === undefined) return true;
    return 'spots' in effect && pathsOf(effect).some((each) => fits(relative(each, place.root), path));
  });
}

function pathsOf(effect: PathEffect): readonly string[] {
  return effect.spots().flatMap((spot) => {
    if (spot.kind === 'anywhere') return [];
    return spot.kind === 'path' ? [spot.path] : [`${spot.folder}/${spot.pattern}`];
  });
}

function relative(path: string, root: string): string {
  return isAtOrBelow(path, root) ? path.slice(root.length + 1) : path;
}

function list<T extends string>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'string' ? [value] : value;
}
