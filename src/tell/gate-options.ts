import type { GateFacts, GateOption, GateRequest, HumanGateName } from '../domain/human/gate.ts';

export type OptionEntry = {
  readonly option: GateOption;
  readonly key: string;
  readonly label: string;
  /**
   * What choosing the option does: it decides, it only shows something (`shows`), or the task keeps waiting (`defers`).
   */
  readonly effect: 'decides' | 'defers' | 'shows';
  /** Text that the option requires; `null`: none. */
  readonly needs: 'reason' | 'guidance' | 'agent' | null;
};

/** Options of each gate. @see docs/HUMAN_GATES.md*/
export const OPTIONS: Readonly<Record<HumanGateName, readonly OptionEntry[]>> = {
  'GATE-AP-RECOVERY': [
    decides('approve', 'a', 'Let the agent continue, with your guidance'),
    decides('reject', 'r', 'Fix it yourself; the task stays blocked'),
    decides('retry', 't', 'Count recovery attempts from 0, and let the agent try again'),
    shows('view', 'v', 'Show the records of the recovery'),
    { ...decides('delegate', 'd', 'Give the task to another agent'), needs: 'agent' },
    decides('abort', 'q', 'Stop the task entirely'),
  ],
  'GATE-AP-FALSE-POSITIVE': [
    { ...decides('legitimate', 'l', 'The change is fine; count a false positive'), needs: 'reason' },
    decides('violation', 'v', 'The finding is right; the change is dropped'),
    { ...decides('needs-review', 'n', 'Ask for more; the task stays'), effect: 'defers', needs: 'reason' },
    shows('diff', 'd', 'Show the change'),
    shows('history', 'h', 'Show what was found in these files before'),
    { ...decides('whitelist', 'w', 'The change is fine; allow it in these files'), needs: 'reason' },
  ],
  'GATE-AP-DESTRUCTIVE': [
    decides('approve', 'a', 'The change is intended'),
    decides('reject', 'r', 'The agent has to find another way'),
    shows('view', 'v', 'Show what was found'),
    shows('diff', 'd', 'Show the change'),
    { ...decides('suggest', 's', 'Tell the agent what to do instead'), needs: 'guidance' },
    decides('abort', 'q', 'Stop the task entirely'),
  ],
  MANUAL: [
    decides('approve', 'a', 'Let the agent do this'),
    decides('reject', 'r', "Don't let the agent do this"),
    shows('view', 'v', 'Show the action'),
  ],
};

export function optionsOf({ gate, action }: Pick<GateRequest, 'gate' | 'action'>): readonly OptionEntry[] {
  return OPTIONS[action === null ? gate : 'MANUAL'];
}

function decides(option: GateOption, key: string, label: string): OptionEntry {
  return { option, key, label, effect: 'decides', needs: null };
}

function shows(option: GateOption, key: string, label: string): OptionEntry {
  return { option, key, label, effect: 'shows', needs: null };
}

const ALTERNATIVES: readonly (readonly [(facts: GateFacts) => boolean, string])[] = [
  [({ testsRemoved }) => testsRemoved > 0, 'Fix the failing test instead of deleting it.'],
  [({ skipsAdded }) => skipsAdded > 0, 'Mock the dependency or fix the timing instead of skipping the test.'],
  [
    ({ featuresRemoved }) => featuresRemoved > 0,
    'Put the feature behind a flag, or deprecate it first, instead of removing it.',
  ],
  [
    ({ assertionsWeakened }) => assertionsWeakened > 0,
    'Fix the implementation so that it meets the assertion as it was.',
  ],
  [
    ({ coverage }) => coverage !== null && coverage.after < coverage.before,
    'Add tests that keep the coverage where it was.',
  ],
];

export function alternativesFor(facts: GateFacts): string[] {
  const offered = ALTERNATIVES.filter(([concerns]) => concerns(facts)).map(([, text]) => text);
  return offered.length > 0 ? offered : ['Find a way that takes nothing away.'];
}
