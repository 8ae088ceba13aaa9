import { counted, timesText } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { firstFew, onOneLine, quotedNames } from 'ralph-kit/text';
import type { OffGate } from '../domain/gate.ts';
import type { Grade } from '../domain/proof.ts';
import type { MutantCounts } from '../domain/proof-run.ts';
import { allowingLine, type DoneTask, type RunReport } from '../domain/run-report.ts';
import { STATUS_WORD } from '../domain/task.ts';
import { budgetText, spentParts } from './money.ts';
import { localTime } from './times.ts';

/** Returns a sentence that says why no gate checks a run; `null`: one does, or there are no gates. */
export function uncheckedText(gates: readonly OffGate[], isOver: boolean): string | null {
  if (gates.length === 0) return null;
  const named = (why: OffGate['why']) => gates.filter((one) => one.why === why).map(({ gate }) => gate);
  const [fails, missing] = [named('fails'), named('cannot_run')];
  const fail = isOver ? 'failed' : fails.length === 1 ? 'already fails' : 'already fail';
  const whys = [
    ...(fails.length === 0 ? [] : [`${fails.join(', ')} ${fail} before it`]),
    ...(missing.length === 0 ? [] : [`${missing.join(', ')} ${isOver ? "couldn't" : "can't"} run`]),
  ];
  return `Nothing ${isOver ? 'checked' : 'checks'} this run: ${whys.join(', ')}. See why: ralph gates`;
}

/** Returns a sentence on whether the gates pass on the last verified tree. */
export function treeText({ tree }: Pick<RunReport, 'tree'>): string {
  const { state, failing, passing, tests, empty } = tree;
  const checks = passing.map((gate) => {
    const reported = tests.find((one) => one.gate === gate)?.reported;
    return reported === undefined ? gate : `${gate} (${withoutAllPassed(reported)})`;
  });
  const none = empty.length === 0 ? '' : `Gate ${quotedNames(empty)} ran no tests.`;
  return {
    green: `All checks pass: ${firstFew(checks, 10)}.${none === '' ? '' : ` ${none}`}`,
    red: `Checks fail: ${quotedNames(failing)} failed before the run or by your changes, and still fails.`,
    unknown:
      none === ''
        ? "No gate has run, so whether the tree works isn't known."
        : `${none} Whether the tree works isn't known.`,
  }[state];
}

/** Returns "12 tests" for "12 tests: 12 passed"; other texts unchanged. */
function withoutAllPassed(reported: string): string {
  return reported.replace(/^(([\d,]+) tests?): \2 passed$/, '$1');
}

/** Returns the run's usage, exit code, start, end, agent and id, separated by commas. */
export function factsText(report: RunReport, now: Date): string {
  const { run, agent, startedAt, endedAt, iterations, durationMs, endedWith } = report;
  const from = localTime(startedAt, now, true);
  const heard = report.ending === 'crashed' ? ', when it was last heard of' : '';
  const until = endedAt === null ? 'now' : `${localTime(endedAt, now, true)}${heard}`;
  const code = endedWith === null ? [] : [`exit code ${endedWith}`];
  const used = [
    `${counted(iterations, 'iteration')} in ${formatDuration(durationMs)}`,
    ...spentParts(report.spent),
  ];
  const which = report.runs.length > 1 ? `${report.runs.length} runs, the newest ${run}` : run;
  return [...used, ...code, `${from} to ${until}`, agent, which].join(', ');
}

/** Returns a sentence that names the pushed branch and commit; `null`: nothing was pushed. */
export function pushedText({ push }: Pick<RunReport, 'push'>): string | null {
  if (push === null || push.commit === null) return null;
  const { remote, branch, commit, pullRequest } = push;
  return `Pushed to ${remote}/${branch} (${commit.slice(0, 10)})${pullRequest === null ? '' : `, pull request ${pullRequest}`}.`;
}

/** Words for a task that was removed from the list after its work was done. */
export const NOT_LISTED = 'no longer in the list';

/** Returns a done task's commits, attempts, time, cost and proof, in brackets. */
export function doneFacts(task: DoneTask): string {
  const { attempts, conflicts, durationMs, status } = task;
  const parts = [commitsText(task)];
  if (attempts > 0)
    parts.push(counted(attempts, 'attempt'), formatDuration(durationMs), ...spentParts(task.spent));
  if (conflicts > 0) parts.push(`${counted(conflicts, 'conflict')} before`);
  parts.push(...gradeParts(task));
  const unchecked = task.criteria.filter(({ standing: status }) => status !== 'shown').length;
  const of = unchecked < task.criteria.length ? `${unchecked} of ` : '';
  const criteria = counted(task.criteria.length, 'criterion', 'criteria');
  if (unchecked > 0) parts.push(`${of}${criteria} not checked`);
  if (status === null) parts.push(NOT_LISTED);
  else if (status !== 'done') parts.push(`now ${STATUS_WORD[status]}`);
  return `(${parts.join(', ')})`;
}

/** Returns a task's commits, and their branch if it isn't yours. */
function commitsText({ commits, branch }: Pick<DoneTask, 'commits' | 'branch'>): string {
  if (commits.length === 0) return 'not committed';
  return `${commits.map((id) => id.slice(0, 10)).join(', ')}${branch === null ? '' : ` on ${branch}`}`;
}

/** Sentence for each grade of proof. */
export const GRADE_TEXT: Readonly<Record<Grade, string>> = {
  none: 'Nothing shows that it works.',
  gates: 'Gates pass.',
  tests: 'Tests or checks fail without the work and pass with it.',
  'held-out': 'A gate passes that the agent never saw.',
};

export function gradeParts({ grade, mutants }: Pick<DoneTask, 'grade' | 'mutants'>): string[] {
  return [
    ...(grade === 'none' ? [] : [`proof: ${grade}`]),
    ...(mutants === null ? [] : [mutantsText(mutants)]),
  ];
}

/** `mutants: 4 of 5 killed`. */
export function mutantsText({ tried, killed, leftOut }: MutantCounts): string {
  const left = leftOut === 0 ? '' : `, no time for ${leftOut}`;
  return `mutants: ${tried === 0 ? 'none tried' : `${killed} of ${tried} killed`}${left}`;
}

/** Returns further sentences about the runs. `isWarning`: you may have to act. */
export function detailTexts(
  report: RunReport,
): readonly { readonly text: string; readonly isWarning: boolean }[] {
  const { liesCaught, budget, commandsRefused, commandsRewritten, deniedActions, iterations } = report;
  const plain = (...texts: readonly (string | null)[]) =>
    texts.flatMap((text) => (text === null ? [] : [{ text, isWarning: false }]));
  const warned = (texts: readonly string[]) => texts.map((text) => ({ text, isWarning: true }));
  return [
    ...plain(
      pushedText(report),
      liesCaught === 0 ? null : falseClaimsText(report),
      perTaskText(report),
      budget === null ? null : `Budget: ${budgetText(budget.limits, budget.spent)}.`,
      ...roleTexts(report),
      ...proposalTexts(report),
    ),
    ...warned([
      ...(commandsRefused === 0
        ? []
        : [
            `${counted(commandsRefused, 'command')} of ralph refused, called by the agent or a gate: ralph interventions`,
          ]),
      ...refusedHostTexts(report),
      ...(commandsRewritten === 0
        ? []
        : [
            `${counted(commandsRewritten, 'command')} changed after review by a hook of yours: ralph interventions`,
          ]),
      ...report.failedRules,
      ...report.unreachable,
    ]),
    ...plain(
      iterations === 0 ? null : timeText(report),
      ...retriedTexts(report),
      speedUpText(report),
      deniedActions.count === 0 ? null : deniedText(deniedActions),
    ),
    ...warned(
      report.gateLost.map(({ agent, why }) => `Actions of ${agent} were seen only once started: ${why}.`),
    ),
  ];
}

/** Returns how the run's time is split between agents, gates and waits. */
function timeText({ time: { agentMs, checksMs, waitedMs, otherMs }, speedUp }: RunReport): string {
  const parts = [
    `agents ${formatDuration(agentMs)}`,
    `gates and checks ${formatDuration(checksMs)}`,
    ...(waitedMs < 1000 ? [] : [`waiting for a turn ${formatDuration(waitedMs)}`]),
    // Among several workers it is seldom that none is at work.
    ...(speedUp === null && otherMs > 0 ? [`waits and between attempts ${formatDuration(otherMs)}`] : []),
  ];
  return `Time: ${parts.join(', ')}.`;
}

/** Returns, for each agent, how often its requests were sent again and how long that took. Tasks aren't charged for this time. */
function retriedTexts({ retried }: Pick<RunReport, 'retried'>): string[] {
  return retried.map(
    ({ agent, tries, waitedMs, answer }) =>
      `${agent} sent requests again ${timesText(tries)}, in ${formatDuration(waitedMs)} that no task is charged for: ${answer}.`,
  );
}

/** Smallest speed-up from several workers that is reported as a gain. */
const LEAST_GAIN = 1.1;

/**
 * Returns what several workers gained, or why they gained nothing; `null`: there was one worker, or the gain can't be
 * calculated.
 */
function speedUpText({
  speedUp,
  durationMs,
  time: { waitedMs, otherMs },
}: Pick<RunReport, 'speedUp' | 'durationMs' | 'time'>): string | null {
  if (speedUp === null) return null;
  const { workers, workMs, factor, conflicts, lostMs } = speedUp;
  const work = `${workers} workers: ${formatDuration(workMs)} of work in ${formatDuration(durationMs)}`;
  const conflicted = `${counted(conflicts, 'conflict')} cost ${formatDuration(lostMs)}`;
  if (factor >= LEAST_GAIN) {
    const gained = `${work}, ${factor.toFixed(1)} times as fast as one after the other.`;
    return conflicts === 0 ? gained : `${gained} ${conflicted}.`;
  }
  const why = [
    ...(waitedMs < 1000 ? [] : [`attempts waited ${formatDuration(waitedMs)} for a turn`]),
    ...(conflicts === 0 ? [] : [conflicted]),
    ...(otherMs < 1000 ? [] : [`for at least ${formatDuration(otherMs)} no attempt was running`]),
  ];
  return `${work}. Working in parallel saved no time${why.length === 0 ? '' : `: ${why.join('; ')}`}.`;
}

/** Returns what each role except the maker did and cost, and what happened to its findings. */
function roleTexts({ prover, roles, deferredWarnings }: RunReport): string[] {
  const lines = roles.map(({ role, agents, runs, failed, findings, resolved, shadows, wrote, spent }) => {
    const parts = [
      timesText(runs),
      ...(failed === 0 ? [] : [`${failed} failed`]),
      findings === 0 ? 'no findings' : counted(findings, 'finding'),
      ...(resolved === 0 ? [] : [`${resolved} resolved`]),
      ...(shadows === 0 ? [] : [`its shadow in ${counted(shadows, 'iteration')}`]),
      ...(wrote === 0 ? [] : [`wrote in ${wrote}, undone`]),
      ...spentParts(spent),
    ];
    return `Role ${role}${agents.length === 0 ? '' : ` (${agents.join(', ')})`}: ${parts.join(', ')}.`;
  });
  if (prover !== null) {
    const { agents, kept, withdrawn, ...spent } = prover;
    const parts = [
      `${counted(kept, 'check')} kept`,
      ...(withdrawn === 0 ? [] : [`${withdrawn} withdrawn`]),
      ...spentParts(spent),
    ];
    lines.push(`Role prover (${agents.join(', ')}): ${parts.join(', ')}.`);
  }
  if (deferredWarnings > 0) lines.push(`${counted(deferredWarnings, 'warning')} deferred in accepted work.`);
  return lines;
}

/** Returns the tasks that agents proposed, with the command that accepts them. */
function proposalTexts({ proposals }: RunReport): string[] {
  return proposals.map(
    ({ id, taskId, titles }) =>
      `Proposed in ${taskId}: ${titles.map(onOneLine).join('; ')}. ralph plan accept ${id}`,
  );
}

/** Returns the number of false claims, and the tasks in which they were made. */
export function falseClaimsText({ liesCaught, falseClaims }: RunReport): string {
  const tasks = falseClaims.map(({ taskId, count }) => (count === 1 ? taskId : `${taskId} (${count})`));
  return `${counted(liesCaught, 'false claim')} caught: ${firstFew(tasks, 10)}.`;
}

/** Returns the number of refused hosts, and the setting that allows them. */
function refusedHostTexts({ refusedHosts }: RunReport): string[] {
  return refusedHosts.map((refused) => {
    const { length } = refused.hosts;
    return `${counted(length, 'host')} refused. To allow ${length === 1 ? 'it' : 'them'}: [box] ${allowingLine(refused)}`;
  });
}

/** Returns time and cost per verified task; `null`: no task was verified. */
function perTaskText({ perVerifiedTask: each }: RunReport): string | null {
  if (each === null) return null;
  return `For each verified task: ${[formatDuration(each.durationMs), ...spentParts(each.spent)].join(', ')}.`;
}

function deniedText({ count, begun, iterations }: RunReport['deniedActions']): string {
  const where = iterations.length === 1 ? ` in #${iterations[0]}` : '';
  const late = begun === 0 ? '' : begun === count ? ', once started' : `, ${begun} of them once started`;
  return `${counted(count, 'action')} denied${where}${late}: ralph interventions`;
}
