import { counted } from 'ralph-kit/counted';
import { shareable } from 'ralph-kit/redact-deep';
import { onOneLine } from 'ralph-kit/text';
import { GitError, type PushOutcome } from '../../domain/ports.ts';
import type { PushResult } from '../../domain/push.ts';
import type { RunEnd } from '../../domain/records/run-record.ts';
import type { DoneTask } from '../../domain/run-report.ts';
import type { Task } from '../../domain/task.ts';
import type { LoopContext } from '../context.ts';
import { reportOfRun } from '../report-of-run.ts';

/** State of the run when something is pushed. `end`: `null` while the run is running. */
type Now = { readonly tasks: readonly Task[]; readonly end: RunEnd | null };

/** Pushes results and updates the pull request. A failure is recorded and doesn't end the run. */
export async function publish(context: LoopContext, now: Now): Promise<void> {
  const { config, ports, turns } = context;
  if (config.git.push === 'never' || config.git.commit === 'never') return;
  try {
    await turns.pushing(() => publishNow(context, now));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    ports.store.commit([{ type: 'warned', message: `Nothing was pushed: ${error.message}` }]);
  }
}

async function publishNow(context: LoopContext, now: Now): Promise<void> {
  const { ports, config, run, secrets } = context;
  const { git, line, store } = ports;
  // The run that lands the results by now continues from the branch as the remote has it.
  if ((await context.remoteWorkers?.isTakenOver()) === true) return;
  const { pull_request: wanted, branch_prefix: prefix } = config.git;
  // Results may land on another branch than the one you have checked out.
  const known = await line.current();
  const landed = (known?.results ?? []).flatMap(({ taskId, status }) =>
    status.kind === 'landed' ? [[taskId, status.commit] as const] : [],
  );
  const moves = context.remoteWorkers?.landings(new Map(landed)) ?? [];
  const outcome = await git.push(known?.branch ?? null, wanted === 'never' ? null : prefix, moves);
  if (outcome === null) return;
  if (outcome.kind === 'pushed') context.remoteWorkers?.moved(moves);
  const { remote } = outcome;
  const isFailed = outcome.kind === 'failed';
  const { push: before } = store.state;
  const proposed = isFailed || wanted === 'never' ? null : await proposeFor(context, outcome, now);
  const isSame = before?.remote === remote && before.branch === outcome.branch;
  const problem = isFailed ? outcome : proposed?.ok === false ? proposed : null;
  const isKnown = isSame && !isFailed && (problem !== null || before.commit === outcome.commit);
  const result: PushResult = shareable(
    {
      run,
      remote,
      branch: outcome.branch,
      commit: isFailed ? null : outcome.commit,
      // If the code host can't be asked, the known pull request counts as open.
      pullRequest: proposed?.url ?? (isKnown ? before.pullRequest : null),
      problem: problem === null ? null : { reason: problem.reason, next: problem.next },
    },
    secrets,
  );
  const isNews = outcome.kind !== 'there' || result.problem !== null;
  if (isNews || JSON.stringify({ ...before, run }) !== JSON.stringify(result))
    store.commit(() => [{ type: 'push_ended', ...result, isNews }]);
}

/** Opens or updates the pull request. Returns `null` if there is nothing to propose. */
async function proposeFor(
  context: LoopContext,
  { kind, urls, branch, commit, base, ahead }: Exclude<PushOutcome, { kind: 'failed' }>,
  { tasks, end }: Now,
) {
  if (base === null || ahead.length === 0) return null;
  const { ports, config, run, secrets } = context;
  const { push: before } = ports.store.state;
  const mayOpen = kind === 'pushed' || before?.commit !== commit || before.pullRequest === null;
  const commits = new Set(ahead);
  const earlier = ports.store.state.runs.filter(
    (one) => one.run !== run && one.work.some((work) => work.commits.some((made) => commits.has(made))),
  );
  // The text of a pull request doesn't report the push that brings it.
  const known = { ...(await reportOfRun(context, { tasks, end, earlier })), push: null };
  const report = shareable(known, secrets);
  const draft = config.git.pull_request === 'draft';
  const title = titleOf(report.doneInRun);
  return ports.openPullRequest({ urls, head: branch, base, draft, mayOpen, title, report });
}

function titleOf([first, ...others]: readonly DoneTask[]): string {
  if (first === undefined) return 'Work of ralph';
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more task')}`;
  return onOneLine(`${first.title} (${first.id})${more}`);
}
