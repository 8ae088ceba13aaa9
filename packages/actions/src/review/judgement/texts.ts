import { firstFew } from 'ralph-kit/text';
import type { SideEffect } from './ratings.ts';
import type { RiskFactor } from './risk.ts';

// Texts of the judgement. The first words of a reason are the same for every action, so that reasons can be searched
// for.

const FACTORS: Readonly<Record<RiskFactor['name'], string>> = {
  out_of_scope: 'outside of the expected files',
  repeated_failures: 'failed before',
  privilege: 'reaches beyond the repository or changes rights',
  dangerous_pattern: 'dangerous pattern',
  reversible: 'can be undone',
};

type Scored = { readonly score: number; readonly what: string; readonly factors: readonly RiskFactor[] };

function detailed({ score, what, factors }: Scored): string {
  const named = factors.filter(({ value }) => value > 0).map(({ name }) => FACTORS[name]);
  return `${[what, ...named].join(', ')} (risk ${score.toFixed(2)}).`;
}

export const REASONS = {
  criticalEffects: (effects: readonly SideEffect[]) =>
    `Critical side effects detected: ${firstFew(effects.map(({ what, target }) => `${what} (${target})`))}.`,
  risk: {
    critical: (risk: Scored) => `Critical risk action: ${detailed(risk)}`,
    high: (risk: Scored) => `High risk action: ${detailed(risk)}`,
    medium: (risk: Scored) => `Medium risk action: ${detailed(risk)}`,
    low: (risk: Scored) => `Low risk action: ${detailed(risk)}`,
  },
  rationality: (issues: readonly string[]) => `Low rationality: ${issues.join(' ')}`,
  dangerous: (rules: readonly string[]) => `Dangerous pattern: ${rules.join(', ')}.`,
  sideEffects: (effects: readonly SideEffect[]) =>
    `Side effects: ${firstFew([...new Set(effects.map(({ what }) => what))])}.`,
  late: (tool: string) =>
    `The call of ${tool} could not be reviewed in time, and it isn't one that only reads. Write it more simply, one step in a call.`,
  tooMuch: (tool: string) =>
    `The call of ${tool} is too large to be judged. Write it more simply, one step in a call.`,
  failed: (tool: string) =>
    `The call of ${tool} could not be analysed. Write it more simply, one step in a call.`,
  ruleFailed: (error: string) =>
    `The owner's rule doesn't work (${error}), so what it judges is denied. You can't fix that: if you can't continue without, report it.`,
} as const;

export const ISSUES = {
  low: (score: number) => `The action hardly serves the task (rationality ${score.toFixed(2)}).`,
  offGoal: (outside: readonly string[], expected: readonly string[]) => ({
    issue: `The task doesn't speak of ${firstFew(outside)}.`,
    suggestion: `Stay with what the task names: ${firstFew(expected)}.`,
  }),
  blockedBefore: {
    issue: 'The same action was blocked before.',
    suggestion: 'Do it another way, or report BLOCKED with what you would need.',
  },
  failedBefore: (times: number) => ({
    issue: `The same action failed ${times === 1 ? 'before' : `${times} times`}, and nothing has changed since.`,
    suggestion: 'Change what made it fail before you run it again.',
  }),
  repeated: {
    issue: 'The same was asked before, and nothing has changed since.',
    suggestion: 'Use the earlier result.',
  },
  readBefore: {
    issue: 'The file was read before and has not changed since.',
    suggestion: 'Use what you read before.',
  },
  wholeSuite: {
    issue: 'One file was changed since the whole suite ran.',
    suggestion: 'Run the tests of that file first.',
  },
  incomplete: {
    issue: 'It does not name all that it needs.',
    suggestion: 'Name files and folders by their whole paths.',
  },
} as const;

export const EXPLANATIONS = {
  allow: 'Nothing speaks against it.',
  warn: 'It may pass, and it was noticed.',
  modify: 'It is allowed only in another form.',
  deny: 'It is not run.',
} as const;
