import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { ReviewDecision, ReviewOutcome } from 'ralph-actions/forms/record';
import { assess, NO_HISTORY, outcomeOf } from 'ralph-actions/review';
import { ADAPTERS } from 'ralph-agents';
import type { Action, ActionKind } from 'ralph-kit/actions/action';
import { ActionKind as KnownKind } from 'ralph-kit/actions/action';
import { readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import { isObject } from 'ralph-kit/is-object';
import { didYouMean } from 'ralph-kit/nearest';
import { tryOr } from 'ralph-kit/try-or';
import { failure, success } from '../../result.ts';
import { type StandaloneReview, standaloneReview } from '../../setup/review-setup.ts';

export type Explained = { readonly command: string | null; readonly tool: string } & ReviewOutcome;

export type NotExplained = { readonly line: number; readonly error: string };

/** Exit codes of `ralph review explain` by decision (docs/STEP_REVIEW.md). */
const EXIT_OF: Readonly<Record<ReviewDecision, number>> = { allow: 0, warn: 1, modify: 2, block: 3 };
const EXIT_ERROR = 4;

type Given = { readonly cwd: string };

export async function explainCommand({ cwd, command }: Given & { readonly command: string }) {
  return explainOne(cwd, { command });
}

export async function explainAction({ cwd, json }: Given & { readonly json: string }) {
  const given = parsed(json);
  return given === undefined
    ? failure(`--action isn't JSON: ${json.slice(0, 80)}`, EXAMPLE, EXIT_ERROR)
    : explainOne(cwd, given);
}

const EXAMPLE = `ralph review explain --action '{"tool": "Write", "input": {"file_path": "src/a.ts", "content": ""}}'`;

async function explainOne(cwd: string, given: unknown) {
  const here = await standaloneReview(cwd);
  if (!here.ok) return { ...here, exitCode: EXIT_ERROR };
  const action = actionFrom(given);
  if (typeof action === 'string') return failure(action, EXAMPLE, EXIT_ERROR);
  const explained = explainedIn(here, action);
  return success(explained, EXIT_OF[explained.decision]);
}

export async function explainBatch({ cwd, file }: Given & { readonly file: string }) {
  const standalone = await standaloneReview(cwd);
  if (!standalone.ok) return { ...standalone, exitCode: EXIT_ERROR };
  let text: string;
  try {
    text = file === '-' ? await readAll(process.stdin) : readFileBytes(resolve(cwd, file)).toString('utf8');
  } catch (error) {
    return failure(`${file} can't be read: ${whyUnreadable(error)}.`, EXAMPLE, EXIT_ERROR);
  }
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const analyses = lines.map(({ line, number }): Explained | NotExplained => {
    const given = parsed(line);
    const action = given === undefined ? "it isn't JSON" : actionFrom(given);
    return typeof action === 'string' ? { line: number, error: action } : explainedIn(standalone, action);
  });
  const codes = analyses.map((one) => ('error' in one ? EXIT_ERROR : EXIT_OF[one.decision]));
  return success({ analyses }, Math.max(0, ...codes));
}

function explainedIn({ place, rules, settings }: StandaloneReview, action: Action): Explained {
  const context = { settings, rules, goal: null, history: NO_HISTORY };
  return { command: action.command, tool: action.tool, ...outcomeOf(assess(action, place, context)) };
}

function parsed(json: string): unknown {
  return tryOr(undefined, () => JSON.parse(json));
}

/**
 * Reads `{"command"}`, a tool call `{"tool", "input", "agent"?, "cwd"?}` or an action `{"kind", …}`. Returns a text for
 * anything else.
 */
function actionFrom(given: unknown): Action | string {
  if (!isObject(given)) return 'An action is an object with "command", "tool" or "kind".';
  const { tool, input, parameters, agent, cwd, command, kind } = given;
  const folder = typeof cwd === 'string' ? cwd : null;
  if (typeof kind === 'string') return actionOfKind(kind, given, folder);
  if (typeof tool === 'string') {
    const call = input ?? parameters;
    return actionOfTool(tool, isObject(call) ? call : given, agent, folder);
  }
  if (typeof command === 'string') return actionOfTool('Bash', { command }, undefined, folder);
  return 'An action names its "command", its "tool" or its "kind".';
}

/** If no agent is named, the first agent that knows the tool interprets the call. */
function actionOfTool(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  agent: unknown,
  cwd: string | null,
): Action | string {
  const names = Object.keys(ADAPTERS);
  if (typeof agent === 'string' && !names.includes(agent))
    return `There is no agent ${agent}.${didYouMean(agent, names)}`;
  const asked = Object.entries(ADAPTERS).filter(([name]) => typeof agent !== 'string' || name === agent);
  const actions = asked.map(([, { action }]) => action({ id: null, tool, input, cwd }));
  return actions.find(({ kind }) => kind !== 'unknown') ?? actions[0] ?? 'There is no agent.';
}

function actionOfKind(kind: string, given: Record<string, unknown>, cwd: string | null): Action | string {
  const known = KnownKind.options.find((one) => one === kind);
  if (known === undefined) return `There is no kind ${kind}. Kinds: ${KnownKind.options.join(', ')}.`;
  const texts = (value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  const { command, content, url, tool } = given;
  return {
    kind: known,
    tool: typeof tool === 'string' ? tool : known,
    id: null,
    cwd,
    input: given,
    paths: texts(given.paths ?? given.path).map((path) => ({ path, change: CHANGE[known] ?? 'write' })),
    command: typeof command === 'string' ? command : null,
    content: texts(content),
    network: typeof url === 'string' ? url : null,
  };
}

const CHANGE: Readonly<Partial<Record<ActionKind, 'read' | 'delete'>>> = {
  file_read: 'read',
  file_delete: 'delete',
};
