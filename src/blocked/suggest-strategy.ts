import type { StrategyFacts, Suggestion } from '../domain/blocked.ts';
import type { AttemptSummary, BlockedRecord } from '../domain/state.ts';
import { formatDuration } from '../lib/duration.ts';
import { percentile } from '../lib/percentile.ts';
import { shellQuote } from '../lib/shell-quote.ts';
import { failedAttempts, isMost, longestSeconds, ranOutOfTime } from './attempts.ts';
import { betterAgent } from './better-agent.ts';
import { guideCommand, taskOption, unblockCommand } from './commands.ts';
import { environmentTrouble } from './environment.ts';

/** Acceptance criteria from which on a task is too large for one attempt (spec 2, Suggested strategies). */
const MANY_CRITERIA = 5;
/** Share of the level's attempts that the proposed time would have been enough for. */
const LEVEL_SHARE = 0.9;

type Known = StrategyFacts & { readonly blocked: BlockedRecord };
type Rule = (facts: Known, failed: readonly AttemptSummary[]) => Suggestion | null;

/**
 * What to do about a blocked task, the most promising way first. A task that failed again after an unblock needs you;
 * then come the causes that no attempt can get around, then time and size, then the agent.
 */
export function suggestStrategy(facts: StrategyFacts): Suggestion {
  const { blocked, unblocks, reviewAfter } = facts;
  if (blocked === null) return markedByHand(facts);
  const known: Known = { ...facts, blocked };
  if (unblocks >= reviewAfter) {
    const times = unblocks === 1 ? 'once' : `${unblocks} times`;
    return manualReview(known, `It was unblocked ${times} and failed again. ${blocked.detail}`);
  }
  const failed = failedAttempts(blocked);
  for (const rule of RULES) {
    const suggestion = rule(known, failed);
    if (suggestion !== null) return suggestion;
  }
  return manualReview(known, whyByHand(known, failed));
}

const RULES: readonly Rule[] = [
  fixGateTooling,
  fixEnvironment,
  reviewScope,
  increaseTimeout,
  makeSmaller,
  showEvidence,
  switchAgent,
];

const BY_COMMAND_ALONE = { first: null, timeoutSeconds: null, agent: null, guidance: null } as const;

function fixGateTooling({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  if (blocked.reason !== 'gate_tool_missing') return null;
  const missing = failed.flatMap(({ missingTools = [] }) => missingTools).at(-1);
  const reason =
    missing === undefined
      ? "A gate's tool was not found, so the work couldn't be checked."
      : `Gate "${missing.gate}" needs ${missing.tool}, which wasn't found: the work couldn't be checked.`;
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'fix_gate_tooling',
    reason,
    first: `Install ${missing?.tool ?? 'the tool'}, or fix the gate's command in .ralph/ralph.toml.`,
    command: unblockCommand(taskId, { reason: 'the gate can be run' }),
  };
}

function fixEnvironment({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  if (!isMost(failed, ({ verdict }) => verdict === 'agent_error')) return null;
  const said = [...failed.map(({ cause }) => cause), blocked.outputTail].join('\n');
  const trouble = environmentTrouble(said);
  const idle = failed.every(({ filesChanged }) => filesChanged === 0);
  if (trouble === null && !idle) return null;
  const last = failed.at(-1)?.cause ?? blocked.detail;
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'fix_environment',
    reason: `The agent ended with an error: ${trouble ?? 'no file was changed before it'}. ${last}`,
    first: 'Fix what the agent needs; `ralph doctor` and `ralph logs` show more.',
    command: unblockCommand(taskId, { reason: 'the environment is fixed' }),
  };
}

/** Verdicts of the review and of scope findings. */
const SCOPE = /review_blocked|scope/;

function reviewScope({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  if (blocked.reason !== 'review_blocked' && !isMost(failed, ({ verdict }) => SCOPE.test(verdict)))
    return null;
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'review_scope',
    reason: `Actions of the agent were denied. ${blocked.detail}`,
    first: 'Read what was denied; allow it in the task, or state in the task what is out of scope.',
    command: unblockCommand(taskId, { reason: 'the scope is reviewed' }),
  };
}

function increaseTimeout(facts: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  const { taskId, level, maxTimeoutSeconds } = facts;
  const cut = failed.filter((attempt) => ranOutOfTime(attempt) && attempt.filesChanged > 0);
  if (cut.length * 2 <= failed.length || isAtCeiling(failed, maxTimeoutSeconds)) return null;
  const longest = longestSeconds(failed);
  const levelSeconds = (percentile(facts.levelDurationsMs, LEVEL_SHARE) ?? 0) / 1000;
  const wanted = Math.max(1, Math.ceil(Math.max(2 * longest, levelSeconds) / 60)) * 60;
  const timeoutSeconds = Math.min(wanted, maxTimeoutSeconds);
  const ofLevel =
    levelSeconds > 2 * longest ? `; 90 % of ${level} attempts take up to ${duration(levelSeconds)}` : '';
  const limit = wanted > maxTimeoutSeconds ? ' This is the most that max_timeout allows.' : '';
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'increase_timeout',
    reason: `${cut.length} of ${countOf(failed)} ran out of time while files were being written, the longest after ${duration(longest)}${ofLevel}.${limit}`,
    command: unblockCommand(taskId, { timeoutSeconds }),
    timeoutSeconds,
  };
}

function isAtCeiling(failed: readonly AttemptSummary[], maxTimeoutSeconds: number): boolean {
  const last = failed.findLast(ranOutOfTime);
  return last !== undefined && last.timeoutSeconds >= maxTimeoutSeconds;
}

function makeSmaller(facts: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  const { taskId, acceptance, met, maxTimeoutSeconds, tracker, blocked } = facts;
  const atCeiling = isMost(failed, ranOutOfTime) && isAtCeiling(failed, maxTimeoutSeconds);
  if (!atCeiling && acceptance.length <= MANY_CRITERIA) return null;
  const why = atCeiling
    ? `Attempts ran out of time although they had max_timeout (${duration(maxTimeoutSeconds)}).`
    : `It has ${acceptance.length} acceptance criteria, more than ${MANY_CRITERIA}. ${blocked.detail}`;
  if (met.length > 0 && met.length < acceptance.length) {
    const numbers = met.map((index) => index + 1).join(', ');
    const guidance = `Criteria ${numbers} are already met: leave them as they are. Do only the others.`;
    return {
      ...BY_COMMAND_ALONE,
      strategy: 'skip_subtasks',
      reason: `${why} ${met.length} of its ${acceptance.length} criteria are already met: the agent only has to do the rest.`,
      command: `${guideCommand(taskId, guidance)} && ${unblockCommand(taskId)}`,
      guidance,
    };
  }
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'split_task',
    reason: why,
    first: `Split it into smaller tasks in ${tracker}, and keep this id for the first of them.`,
    command: unblockCommand(taskId, { reason: 'split into smaller tasks' }),
  };
}

const EVIDENCE = 'Write the changes to files, then name each file as evidence.';

function showEvidence({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  const unproved = ({ verdict }: AttemptSummary) => verdict === 'no_files' || verdict === 'false_completion';
  if (failed.length === 0 || !failed.every(unproved)) return null;
  const without = failed.filter(({ verdict }) => verdict === 'no_files').length;
  const parts = [
    ...(without > 0 ? [`${without} without a changed file`] : []),
    ...(failed.length > without ? [`${failed.length - without} with a false claim of completion`] : []),
  ];
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'show_evidence',
    reason:
      `${countOf(failed)}, ${parts.join(', ')}. The agent gets the rules for evidence again. ${blocked.attempts.at(-1)?.cause ?? ''}`.trim(),
    command: `${guideCommand(taskId, EVIDENCE)} && ${unblockCommand(taskId)}`,
    guidance: EVIDENCE,
  };
}

function switchAgent(facts: Known, failed: readonly AttemptSummary[]): Suggestion | null {
  const { taskId, level, blocked } = facts;
  const current = failed.at(-1)?.agent;
  if (current === undefined) return null;
  const found = betterAgent(facts.agents, current);
  if (found === null) return null;
  const { better, own } = found;
  const reason = `${better.name} finished ${better.done} of ${better.attempts} attempts at ${level} tasks, ${current} ${own.done} of ${own.attempts}. ${blocked.detail}`;
  const unblock = unblockCommand(taskId, { reason: `another agent: ${better.name}` });
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'switch_agent',
    reason,
    command: `${unblock} && ralph run --agent ${shellQuote(better.name)} ${taskOption(taskId)}`,
    agent: better.name,
  };
}

function manualReview({ taskId, log }: StrategyFacts, why: string): Suggestion {
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'manual_review',
    reason: why,
    first: 'Read what happened; fix the cause or change the task, then unblock it.',
    command: log === null ? unblockCommand(taskId) : `ralph logs ${log}`,
  };
}

function markedByHand(facts: StrategyFacts): Suggestion {
  const { taskId, tracker } = facts;
  return {
    ...BY_COMMAND_ALONE,
    strategy: 'manual_review',
    reason: `It is marked as blocked in ${tracker}, and ralph has made no attempt at it: the mark was set by hand.`,
    first: 'Find out why it was marked.',
    command: unblockCommand(taskId),
  };
}

function whyByHand({ blocked }: Known, failed: readonly AttemptSummary[]): string {
  const silent = failed.filter((attempt) => attempt.verdict === 'timed_out' && !ranOutOfTime(attempt));
  if (isMost(failed, (attempt) => silent.includes(attempt))) {
    return `${silent.length} of ${countOf(failed)} were ended for lack of output (idle_timeout): more time doesn't help. ${blocked.detail}`;
  }
  if (isMost(failed, ranOutOfTime)) {
    return `${countOf(failed)}, most of them out of time before a file was written: more time alone doesn't help. ${blocked.detail}`;
  }
  return blocked.detail;
}

function countOf(failed: readonly AttemptSummary[]): string {
  return failed.length === 1 ? '1 attempt' : `${failed.length} attempts`;
}

function duration(seconds: number): string {
  return formatDuration(seconds * 1000);
}
