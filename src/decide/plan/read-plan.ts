import { isObject } from 'ralph-kit/is-object';
import { stripControl } from 'ralph-kit/text';
import * as z from 'zod/mini';
import { MOST_PROPOSED, PlanAnswer, type PlannedTask } from '../../domain/plan.ts';
import {
  type AnswerRead,
  blocksOf,
  mismatchText,
  OTHER_NONCE,
  unusable,
} from '../../domain/workflow/answer-block.ts';

/** Beginning of a plan in an agent's answer. */
const BEGINS = /^\{\s*"(?:nonce|tasks)"/;

/**
 * Returns the plan in an agent's message: the last JSON block that is a plan. Other text and blocks are ignored, and so
 * is an answer that ends within a block.
 *
 * @param nonce Code that the plan has to repeat; `null`: none was requested.
 */
export function readPlan(message: string, nonce: string | null): AnswerRead<readonly PlannedTask[]> {
  const found = blocksOf(message, BEGINS);
  if (!found.ok) return found;
  const blocks = found.answer;
  const last = blocks.at(-1);
  if (isObject(last) && Object.keys(last).length === 0) return unusable('the last JSON block is cut off');
  const read = blocks.map((block) => z.safeParse(PlanAnswer, block));
  const plans = read.flatMap(({ data }) => data ?? []);
  if (plans.length === 0) {
    const nearest = blocks.findLastIndex((block) => isObject(block) && 'tasks' in block);
    return unusable(mismatchText(read.at(nearest)?.error));
  }
  // The agent may quote an idea that contains another plan.
  const plan = plans.findLast((one) => nonce === null || one.nonce === nonce);
  if (plan === undefined) return unusable(OTHER_NONCE);
  return { ok: true, answer: plan.tasks.map(asPlanned) };
}

function asPlanned(task: PlanAnswer['tasks'][number], at: number): PlannedTask {
  return {
    id: oneLine(task.id ?? String(at + 1)),
    title: oneLine(task.title),
    criteria: task.criteria.map((one) =>
      typeof one === 'string'
        ? { text: oneLine(one), check: null }
        : // A line end would make this another command, so it is reported instead of removed.
          { text: oneLine(one.text), check: one.check == null ? null : one.check.trim() },
    ),
    files: (task.files ?? []).map((one) => oneLine(one).replace(/^(?:\.\/)+/, '')),
    dependsOn: [...new Set((task.depends_on ?? []).map((one) => oneLine(String(one))))],
    gates: (task.gates ?? []).map(oneLine),
    minutes: task.minutes ?? null,
  };
}

/** Returns a text on one line, without invisible characters. */
function oneLine(text: string): string {
  return stripControl(text).replace(/\s+/g, ' ').trim();
}

/** Heading of the tasks that an agent proposes. */
const PROPOSES = /^[ \t>*_`#-]*PROPOSED_TASKS\b[*_`]*:?/m;

/**
 * Returns the tasks that an agent proposes beside its work, in a block below `PROPOSED_TASKS:`. Only titles and
 * criteria count: commands and dependencies are ignored. Empty if there is none, or it can't be read.
 */
export function readProposed(message: string): readonly PlannedTask[] {
  const at = message.search(PROPOSES);
  if (at === -1) return [];
  const read = readPlan(message.slice(at), null);
  if (!read.ok) return [];
  // The agent may quote the explanation of the block.
  const named = read.answer.filter(({ title }) => /\p{L}/u.test(title));
  return named.slice(0, MOST_PROPOSED).map(({ title, criteria }, index) => ({
    id: String(index + 1),
    title,
    files: [],
    dependsOn: [],
    gates: [],
    minutes: null,
    criteria: criteria.map(({ text }) => ({ text, check: null })),
  }));
}
