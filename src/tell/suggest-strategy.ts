import { isTestFile } from 'ralph-ecosystems';
import { counted, timesText } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { errorIn } from 'ralph-kit/error-line';
import { percentile } from 'ralph-kit/percentile';
import { shellQuote } from 'ralph-kit/shell-quote';
import { MANY_CRITERIA } from '../domain/plan.ts';
import type { Strategy, StrategyFacts, Suggestion } from '../domain/records/blocked.ts';
import type { AttemptSummary, BlockedRecord } from '../domain/records/state.ts';
import { isFailed } from '../domain/verdict.ts';
import { taskCommand } from '../domain/work-place.ts';
import { STRATEGIES, UNBLOCKING } from '../respond/table.ts';
import { asksQuestion } from './asked.ts';
import { answerCommand, guideCommand, logCommand, taskOption, unblockCommand } from './commands.ts';

type Known = StrategyFacts & { readonly blocked: BlockedRecord };
type Proposal = Pick<Suggestion, 'reason' | 'command'> & Partial<Suggestion>;
type Rule = (facts: Known, failed: readonly AttemptSummary[]) => Proposal | null;

/** Condition for suggesting each strategy. Order and numbers are in the table of answers (`respond/table.ts`). */
const RULES: Readonly<Record<(typeof STRATEGIES)[number], Rule>> = {
  fix_gate_tooling: fixGateTooling,
  fix_environment: fixEnvironment,
  review_scope: reviewScope,
  increase_timeout: increaseTimeout,
  skip_subtasks: skipSubtasks,
  split_task: splitTask,
  show_evidence: showEvidence,
  switch_agent: switchAgent,
};

/**
 * Returns the first strategy whose rule fits. A task without any attempt and a question by the agent come before all
 * rules.
 */
export function suggestStrategy(facts: StrategyFacts): Suggestion {
  const { blocked, unblocks, reviewAfter, taskId, tracker } = facts;
  if (blocked === null)
    return suggestion('manual_review', {
      reason: `It is marked as blocked in ${tracker}, and ralph has made no attempt at it: the mark was set by hand.`,
      first: 'Find out why it was marked.',
      command: unblockCommand(taskId),
    });
  const known: Known = { ...facts, blocked };
  if (asksQuestion(known))
    return suggestion('manual_review', {
      reason: blocked.detail,
      first: 'Answer the agent: it continues with your words.',
      command: answerCommand(taskId),
    });
  if (blocked.reason === 'human_rejected')
    return suggestion('manual_review', {
      reason: blocked.detail,
      first: 'You gave it up. To have it tried again, reword it first, or say what is to be done otherwise.',
      command: unblockCommand(taskId),
    });
  if (unblocks >= reviewAfter) {
    const times = timesText(unblocks);
    const why = `It was unblocked ${times} and failed again. ${blocked.detail}`;
    return suggestion('manual_review', manualReview(known, why));
  }
  // Waits, interruptions and progress aren't failures.
  const failed = blocked.attempts.filter(isFailed);
  for (const strategy of STRATEGIES) {
    const proposal = RULES[strategy](known, failed);
    if (proposal !== null) return suggestion(strategy, proposal);
  }
  return suggestion('manual_review', manualReview(known, whyByHand(known, failed)));
}

function suggestion(strategy: Strategy, proposal: Proposal): Suggestion {
  return { first: null, timeoutSeconds: null, agent: null, guidance: null, ...proposal, strategy };
}

function fixGateTooling({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Proposal | null {
  if (blocked.reason !== 'gate_tool_missing') return null;
  const missing = failed.flatMap(({ missingTools }) => missingTools).at(-1);
  return {
    reason:
      missing === undefined
        ? "A gate's tool wasn't found, so the work couldn't be checked."
        : `Gate "${missing.gate}" needs ${missing.tool}, which wasn't found: the work couldn't be checked.`,
    first: `Install ${missing?.tool ?? 'the tool'}, or fix the gate's command in .ralph/ralph.toml.`,
    command: unblockCommand(taskId, { reason: 'the gate can be run' }),
  };
}

function fixEnvironment({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Proposal | null {
  if (!isMost(failed, ({ verdict }) => verdict === 'agent_error')) return null;
  const output = [...failed.map(({ cause }) => cause), blocked.outputTail].join('\n');
  const trouble = TROUBLES.find(([pattern]) => pattern.test(output))?.[1] ?? null;
  const idle = failed.every(({ filesChanged }) => filesChanged === 0);
  if (trouble === null && !idle) return null;
  const last = failed.at(-1)?.cause ?? blocked.detail;
  return {
    reason: `The agent ended with an error: ${trouble ?? 'no file was changed before it'}. ${last}`,
    first: 'Fix what the agent needs; `ralph doctor` and `ralph logs` show more.',
    command: unblockCommand(taskId, { reason: 'the environment is fixed' }),
  };
}

function reviewScope({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Proposal | null {
  if (blocked.reason !== 'review_blocked' && !isMost(failed, ({ verdict }) => verdict === 'review_blocked'))
    return null;
  return {
    reason: `Actions of the agent were denied. ${blocked.detail}`,
    first: 'Read what was denied; allow it in the task, or state in the task what is out of scope.',
    command: unblockCommand(taskId, { reason: 'the scope is reviewed' }),
  };
}

function increaseTimeout(facts: Known, failed: readonly AttemptSummary[]): Proposal | null {
  const { taskId, level, maxTimeoutSeconds } = facts;
  // Reading and planning take time, too, so more time helps all agents except those that did nothing.
  const cut = failed.filter(
    (attempt) => ranOutOfTime(attempt) && (attempt.filesChanged > 0 || attempt.active),
  );
  const doing = cut.some(({ filesChanged }) => filesChanged > 0)
    ? 'while files were being written'
    : 'while the agent was at work, before a file was written';
  if (cut.length * 2 <= failed.length || isAtCeiling(failed, maxTimeoutSeconds)) return null;
  const longest = Math.max(0, ...failed.map(({ durationMs }) => durationMs)) / 1000;
  const levelSeconds = (percentile(facts.levelDurationsMs, UNBLOCKING.levelShare) ?? 0) / 1000;
  const wanted = Math.max(1, Math.ceil(Math.max(UNBLOCKING.moreTime * longest, levelSeconds) / 60)) * 60;
  const timeoutSeconds = Math.min(wanted, maxTimeoutSeconds);
  const ofLevel =
    levelSeconds > UNBLOCKING.moreTime * longest
      ? `; 90 % of ${level} attempts take up to ${duration(levelSeconds)}`
      : '';
  const limit = wanted > maxTimeoutSeconds ? ' This is the most that max_timeout allows.' : '';
  return {
    reason: `${cut.length} of ${countOf(failed)} ran out of time ${doing}, the longest after ${duration(longest)}${ofLevel}.${limit}`,
    command: unblockCommand(taskId, { timeoutSeconds }),
    timeoutSeconds,
  };
}

function isAtCeiling(failed: readonly AttemptSummary[], maxTimeoutSeconds: number): boolean {
  const last = failed.findLast(ranOutOfTime);
  return last !== undefined && last.timeoutSeconds >= maxTimeoutSeconds;
}

/** Returns why the task is too large for one attempt; `null`: it isn't. */
function whyTooLarge(facts: Known, failed: readonly AttemptSummary[]): string | null {
  const { acceptance, maxTimeoutSeconds, blocked } = facts;
  if (isMost(failed, ranOutOfTime) && isAtCeiling(failed, maxTimeoutSeconds))
    return `Attempts ran out of time although they had max_timeout (${duration(maxTimeoutSeconds)}).`;
  if (acceptance.length <= MANY_CRITERIA) return null;
  return `It has ${acceptance.length} acceptance criteria, more than ${MANY_CRITERIA}. ${blocked.detail}`;
}

function skipSubtasks(facts: Known, failed: readonly AttemptSummary[]): Proposal | null {
  const { taskId, acceptance, met } = facts;
  const why = whyTooLarge(facts, failed);
  if (why === null || met.length === 0 || met.length >= acceptance.length) return null;
  const numbers = met.map((index) => index + 1).join(', ');
  const guidance = `Already met, leave as they are: criteria ${numbers}. Do only the others.`;
  return {
    reason: `${why} ${met.length} of its ${acceptance.length} criteria are already met: the agent only has to do the rest.`,
    command: `${guideCommand(taskId, guidance)} && ${unblockCommand(taskId)}`,
    guidance,
  };
}

function splitTask(facts: Known, failed: readonly AttemptSummary[]): Proposal | null {
  const why = whyTooLarge(facts, failed);
  if (why === null) return null;
  return {
    reason: why,
    first: 'Agents draft the pieces, and they take its place with your yes; or split it by hand.',
    command: taskCommand('tasks split', facts.taskId),
  };
}

const EVIDENCE = 'Write the changes to files, then name each file as evidence.';

function showEvidence({ taskId, blocked }: Known, failed: readonly AttemptSummary[]): Proposal | null {
  const unproved = ({ verdict }: AttemptSummary) => verdict === 'no_files' || verdict === 'false_completion';
  if (failed.length === 0 || !failed.every(unproved)) return null;
  const without = failed.filter(({ verdict }) => verdict === 'no_files').length;
  const parts = [
    ...(without > 0 ? [`${without} without a changed file`] : []),
    ...(failed.length > without ? [`${failed.length - without} with a false claim of completion`] : []),
  ];
  return {
    reason:
      `${countOf(failed)}, ${parts.join(', ')}. The agent gets the rules for evidence again. ${blocked.attempts.at(-1)?.cause ?? ''}`.trim(),
    command: `${guideCommand(taskId, EVIDENCE)} && ${unblockCommand(taskId)}`,
    guidance: EVIDENCE,
  };
}

function switchAgent(facts: Known, failed: readonly AttemptSummary[]): Proposal | null {
  const { taskId, level, blocked } = facts;
  const current = failed.at(-1)?.agent;
  if (current === undefined) return null;
  const own = facts.agents.find(({ name }) => name === current) ?? { name: current, attempts: 0, done: 0 };
  const shareDone = ({ attempts, done }: typeof own) => (attempts === 0 ? 0 : done / attempts);
  const [better] = facts.agents
    .filter(({ name, attempts }) => name !== current && attempts >= UNBLOCKING.attemptsNeeded)
    .filter((agent) => shareDone(agent) >= shareDone(own) + UNBLOCKING.margin)
    .toSorted((one, other) => shareDone(other) - shareDone(one) || other.attempts - one.attempts);
  if (better === undefined) return null;
  const reason = `${better.name} finished ${better.done} of ${better.attempts} attempts at ${level} tasks, ${current} ${own.done} of ${own.attempts}. ${blocked.detail}`;
  const unblock = unblockCommand(taskId, { reason: `another agent: ${better.name}` });
  return {
    reason,
    command: `${unblock} && ralph run --agent ${shellQuote(better.name)} ${taskOption(taskId)}`,
    agent: better.name,
  };
}

function manualReview({ taskId, log, blocked }: Known, why: string): Proposal {
  const failing = blocked.attempts.at(-1)?.failing ?? null;
  const place =
    failing === null
      ? null
      : (errorIn(failing.lines.join('\n')).path ?? `what ${failing.gate ?? 'the agent'} printed`);
  const isUnclaimed = blocked.attempts.every(({ verdict }) => verdict === 'progress');
  return {
    reason: why,
    first: isUnclaimed
      ? `The agent never said that it is done. Read its work, and have it end with the status block, or set [loop] completion = "gates". Then: ${unblockCommand(taskId)}`
      : `${whatToFix(place)}, then: ${unblockCommand(taskId)}`,
    command: log === null ? unblockCommand(taskId) : logCommand(log, failing !== null),
  };
}

/** Returns what to fix. A failing test shows the cause, but usually isn't the place to fix. */
function whatToFix(place: string | null): string {
  if (place === null) return 'Read the log. Fix the cause or reword the task';
  if (isTestFile(place.replace(/:\d+$/, ''))) return `See ${place}. Fix code or task`;
  return `Fix ${place} or reword the task`;
}

function whyByHand({ blocked }: Known, failed: readonly AttemptSummary[]): string {
  const isSilent = (attempt: AttemptSummary) => attempt.verdict === 'timed_out' && !ranOutOfTime(attempt);
  if (isMost(failed, isSilent)) {
    return `${failed.filter(isSilent).length} of ${countOf(failed)} were ended for lack of output (idle_timeout): more time doesn't help. ${blocked.detail}`;
  }
  if (isMost(failed, ranOutOfTime)) {
    return `${countOf(failed)}, most of them out of time, and the agent did nothing: more time alone doesn't help. ${blocked.detail}`;
  }
  return blocked.detail;
}

function countOf(failed: readonly AttemptSummary[]): string {
  return counted(failed.length, 'attempt');
}

function duration(seconds: number): string {
  return formatDuration(seconds * 1000);
}

/** Output of programs when something outside of the work is missing, with words for the cause. */
const TROUBLES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /command not found|: not found|no such file or directory|\bENOENT\b|\bEACCES\b|permission denied|cannot execute|exit code 12[67]\b/i,
    "a program or file that it needs is missing or can't be run",
  ],
  [
    /\b40[13]\b|unauthori[sz]ed|forbidden|authenticat|not (?:logged|signed) in|please log ?in|api[ _-]?key|credential|(?:invalid|expired) token|token (?:is |has )?(?:invalid|expired)/i,
    "it isn't signed in, or lacks a permission",
  ],
  [
    /\bENOTFOUND\b|\bECONN(?:REFUSED|RESET|ABORTED)\b|\bETIMEDOUT\b|\bEAI_AGAIN\b|getaddrinfo|could not resolve|network|\bproxy\b|certificate|connection (?:refused|reset|timed out|closed)|service unavailable|\b50[234]\b/i,
    "it can't reach its service",
  ],
];

function isMost(attempts: readonly AttemptSummary[], such: (attempt: AttemptSummary) => boolean): boolean {
  return attempts.filter(such).length * 2 > attempts.length;
}

/** Returns whether the whole timeout passed. More time doesn't help an attempt that was ended for lack of output. */
function ranOutOfTime({ verdict, durationMs, timeoutSeconds }: AttemptSummary): boolean {
  return verdict === 'timed_out' && durationMs >= timeoutSeconds * 1000 * UNBLOCKING.ranOutShare;
}
