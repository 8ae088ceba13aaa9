import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { Scenario, type ScenarioAction, type ScenarioWhen } from '../../domain/scenario.ts';

export type ScenarioLoad =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly message: string };

/** Returns a scenario, or a message about its mistakes. */
export function loadScenario(file: string | undefined): ScenarioLoad {
  if (file === undefined)
    return { ok: false, message: 'no scenario file given: name one as the first argument' };
  let data: unknown;
  try {
    // Editors on Windows begin a file with a byte order mark, which JSON doesn't allow.
    data = JSON.parse(readText(file).replace(/^\ufeff/, ''));
  } catch (error) {
    // JavaScript quotes the text around a mistake, with its line breaks.
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    return { ok: false, message: `cannot read the scenario ${file}: ${reason}` };
  }
  const parsed = z.safeParse(Scenario, data);
  const problems = parsed.success
    ? withoutSteps(parsed.data)
    : parsed.error.issues.map((issue) => `${place(issue.path)}: ${problem(issue, data)}`);
  if (parsed.success && problems.length === 0) return { ok: true, scenario: parsed.data };
  return { ok: false, message: `the scenario ${file} cannot be played: ${problems.join('; ')}` };
}

/** Every attempt at every task would fail without a step. */
function withoutSteps({ steps, otherwise }: Scenario): string[] {
  return steps.length > 0 || otherwise !== undefined ? [] : ['it has no steps: add one, or "otherwise"'];
}

/** Reads a file without ever waiting for the other end of a pipe. */
function readText(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error("it isn't a file");
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Returns a place in the scenario as text, such as `steps[0].do[1].path`. */
function place(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}

function problem(issue: z.core.$ZodIssue, data: unknown): string {
  const seen = JSON.stringify(issue.path.reduce<unknown>(member, data)) ?? 'nothing';
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.join(', ')}`;
    case 'invalid_type':
      return `expected ${issue.expected}, found ${seen}`;
    case 'invalid_value':
      return `expected ${issue.values.join(' or ')}, found ${seen}`;
    case 'invalid_union':
      return `unknown action ${seen}`;
    default:
      return `${seen} cannot be used here`;
  }
}

function member(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

/** Environment and prompt that ralph gave the agent. */
export type Attempt = {
  readonly task: string;
  readonly attempt: number;
  readonly role: string;
  readonly prompt: string;
  /** Text that the prompt asks a reviewer to repeat; empty: none. */
  readonly nonce: string;
};

/** Beginnings of the answer's form in questions to a reviewer, a prover and a planner. */
const ASKED =
  /^(?: {2}"nonce": "(?<review>\w+)",\n {2}"verdict": "APPROVED" \||\{"nonce": "(?<prover>\w+)", "(?:checks|rulings|tasks)")/gm;

/** Reads the example answer, which stands below the change. */
export function nonceIn(prompt: string): string {
  return Object.values([...prompt.matchAll(ASKED)].at(-1)?.groups ?? {}).find(Boolean) ?? '';
}

/** Returns the actions of the first matching step, else `otherwise`; `null`: none. */
export function chooseActions(scenario: Scenario, attempt: Attempt): readonly ScenarioAction[] | null {
  const step = scenario.steps.find(({ when }) => when === undefined || fits(when, attempt));
  return step?.do ?? scenario.otherwise ?? null;
}

function fits(when: ScenarioWhen, { task, attempt, role, prompt }: Attempt): boolean {
  return (
    (when.role === undefined || matches(when.role, role)) &&
    (when.task === undefined || matches(when.task, task)) &&
    (when.attempt === undefined || when.attempt === attempt) &&
    (when.feedback === undefined || when.feedback === hasFeedback(prompt)) &&
    (when.prompt_includes === undefined || prompt.includes(when.prompt_includes))
  );
}

/** Matches the heading of the feedback in a prompt (`prompt/built-in-template.ts`). */
function hasFeedback(prompt: string): boolean {
  return /^## Previous Iteration Feedback/m.test(prompt);
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(id);
}
