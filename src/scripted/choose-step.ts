import type { Scenario, ScenarioAction, ScenarioWhen } from '../domain/scenario.ts';

/** What ralph gave the agent: its environment and its prompt. */
export type Attempt = { readonly task: string; readonly attempt: number; readonly prompt: string };

/** The actions for an attempt: those of the first step that fits, else `otherwise`; `null` when there are none. */
export function chooseActions(scenario: Scenario, attempt: Attempt): readonly ScenarioAction[] | null {
  const step = scenario.steps.find(({ when }) => when === undefined || fits(when, attempt));
  return step?.do ?? scenario.otherwise ?? null;
}

function fits(when: ScenarioWhen, { task, attempt, prompt }: Attempt): boolean {
  return (
    (when.task === undefined || matches(when.task, task)) &&
    (when.attempt === undefined || when.attempt === attempt) &&
    (when.feedback === undefined || when.feedback === hasFeedback(prompt)) &&
    (when.prompt_includes === undefined || prompt.includes(when.prompt_includes))
  );
}

/** The heading of spec 1-loop, Feedback. */
function hasFeedback(prompt: string): boolean {
  return /^## Previous Iteration Feedback/m.test(prompt);
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(id);
}
