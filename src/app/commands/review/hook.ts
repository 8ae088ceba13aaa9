import { text } from 'node:stream/consumers';
import { assess, NO_HISTORY, reviewRecord } from 'ralph-actions/review';
import { INTERACTIVE_AGENTS, interactiveHook } from 'ralph-agents';
import type { HookAnswer } from 'ralph-agents/hook';
import { inForce } from 'ralph-agents/hook';
import { addToKeptLog } from '../../../store/index.ts';
import { type Failure, failure, success } from '../../result.ts';
import { ownReviewsOf, standaloneReview } from '../../setup/review-setup.ts';

export function hookSettings({ agent }: { readonly agent: string }) {
  const hook = interactiveHook(agent);
  if (hook === null) return unknownAgent(agent);
  return success({ agent, file: hook.file, settings: hook.settings(`ralph review hook ${agent}`) });
}

/**
 * Answers a question on standard input by an agent that no run started. Every failure denies the action. The review is
 * logged before the answer.
 */
export async function answerHook({
  cwd,
  agent,
}: {
  readonly cwd: string;
  readonly agent: string;
}): Promise<HookAnswer | Failure> {
  const found = interactiveHook(agent);
  if (found === null) return unknownAgent(agent);
  const { hook } = found;
  const begin = performance.now();
  const standalone = await standaloneReview(cwd);
  if (!standalone.ok) return standalone;
  const { settings, rules, place, hide } = standalone;
  const message = hook.read(await text(process.stdin));
  if (message.kind !== 'action') return hook.answer(message, { decision: 'allow' });
  const context = { settings, rules, goal: null, history: NO_HISTORY };
  const { action } = message;
  const assessment = assess(action, { ...place, unseenInput: hook.unseenInput }, context);
  const answer = inForce(assessment.ruling, hook.can);
  const at = new Date().toISOString();
  const about = { id: `H-${at}-${process.pid}`, at, iteration: 0, task_id: '', agent, mode: 'hook' as const };
  const duration_us = Math.round((performance.now() - begin) * 1000);
  const record = reviewRecord({ ...about, action, answer, duration_us, cache_hit: false }, assessment, hide);
  addToKeptLog(ownReviewsOf(standalone), JSON.stringify(record));
  return hook.answer(message, answer);
}

function unknownAgent(agent: string): Failure {
  return failure(
    `${agent} has no hook that a command can answer. Agents that have: ${INTERACTIVE_AGENTS.join(', ')}.`,
    'ralph doctor --agents',
  );
}
