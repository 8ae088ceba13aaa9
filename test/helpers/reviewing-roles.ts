import type { ScenarioAction, ScenarioWhen } from '../../src/domain/scenario.ts';
import type { ReviewFinding } from '../../src/domain/workflow/roles.ts';
import { claim } from './project-files.ts';

type Step = { readonly when: ScenarioWhen; readonly do: readonly ScenarioAction[] };

/** Returns what the scripted agent does in a role; `more` limits when. */
export function inRole(role: string, actions: readonly ScenarioAction[], more: ScenarioWhen = {}): Step {
  return { when: { role, ...more }, do: [...actions] };
}

/** Returns an action that prints a reviewer's answer. */
export function answers(
  verdict: 'APPROVED' | 'CHANGES_REQUESTED',
  ...findings: readonly Partial<ReviewFinding>[]
): ScenarioAction {
  const all = findings.map((one) => ({
    ...{ category: 'correctness', severity: 'WARNING', file: 'src/a.ts', line: 1, claim: 'it is wrong' },
    fix: 'make it right',
    ...one,
  }));
  return {
    action: 'print',
    text: `I read it.\n${JSON.stringify({ nonce: '{nonce}', verdict, findings: all })}\nThat is all.`,
  };
}

export const approves = answers('APPROVED');

/** Returns actions by which the maker writes this text to a file and claims to be done. */
export function makes(content: string, more: ScenarioWhen = {}, path = 'src/a.ts'): Step {
  return inRole('maker', [{ action: 'write', path, content }, claim(path)], more);
}

export function scenario(...steps: readonly Step[]): string {
  return JSON.stringify({ steps });
}

export function settings(workflow: string, loop = ''): string {
  return `[loop]\nagent = "scripted"\n${loop}\n[workflow]\n${workflow}\n`;
}
