import { isLimit } from 'ralph-agents/event';
import type { AgentAdapter } from 'ralph-agents/protocol';
import { own } from 'ralph-kit/own';
import { parseJson } from 'ralph-kit/parse-json';
import { redactor } from 'ralph-kit/redact';
import { redactDeep } from 'ralph-kit/redact-deep';
import { onOneLine, shortened } from 'ralph-kit/text';
import { unjudgedWork } from '../../decide/index.ts';
import type { Entry } from '../../domain/entry.ts';
import { FleetJob, FleetResult } from '../../domain/fleet.ts';
import type { Claim, FleetRemote } from '../../domain/ports/fleet.ts';
import { GitError, type StopSignal, WORKER_STOPPED } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { setUpCopy } from '../../lab/index.ts';
import { unjudgedText } from '../../prompt/index.ts';
import type { LoopContext } from '../context.ts';
import { type Ran, runHere } from '../start/run-here.ts';
import { openLedger } from '../watch/budget-watch.ts';
import { planReview } from '../watch/plan-review.ts';
import { keepLease } from './keep-lease.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';
import { packName, RECORD_FILES } from './run-remotely.ts';

type WorkerPlace = {
  readonly claim: Claim;
  readonly remote: FleetRemote;
  readonly leaseMs: number;
  readonly account: Account;
  readonly key: string;
  readonly commands: string;
  /** Name of the worker, as shown in the status of the fleet. */
  readonly name: string;
  readonly log: (line: string) => void;
};

/** An agent's account, which workers on other machines use, too. */
type Account = {
  readonly isLimited: () => Promise<boolean>;
  /** Reports that the account reached its limit. No worker starts with it until the run says for how long. */
  readonly limit: () => Promise<void>;
};

/** Result of work on a job. `refused`: this worker makes no attempts for the machine that offered the job. */
type WorkedAt =
  | { readonly kind: 'over' | 'delivered' | 'late' | 'lost' | 'given_back' }
  /** `passes`: whether the reason for refusing may not apply to later jobs. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly next: string;
      readonly passes: boolean;
    };

/**
 * Makes the attempt in this worker's copy and delivers the result, which isn't judged here. Only this process renews
 * the lease. If the lease is lost, the agent is ended and only its record is pushed. If the engine can't be reached,
 * the attempt continues: once another worker has taken over the claim, this one can't deliver.
 */
export async function workAtJob(context: LoopContext, place: WorkerPlace): Promise<WorkedAt> {
  const { claim, remote, name, leaseMs, account, log } = place;
  const { ports } = context;
  const { clock, store } = ports;
  const { task: taskId, job: commit } = claim.job;
  const [lost, asked, over] = [new AbortController(), new AbortController(), new AbortController()];
  const stop: StopSignal = {
    polite: AbortSignal.any([ports.stop.polite, lost.signal, asked.signal]),
    forced: AbortSignal.any([ports.stop.forced, lost.signal]),
    reason: () =>
      ports.stop.reason() ?? (lost.signal.aborted || asked.signal.aborted ? WORKER_STOPPED : null),
  };
  const beating = keepLease({
    clock,
    leaseMs,
    beat: claim.beat,
    over: over.signal,
    onBeat: (beat) => {
      if (beat === 'lost') lost.abort();
      if (beat === 'cancelled') asked.abort();
    },
  });
  const warn = (message: string) => store.commit([{ type: 'warned', message }]);
  let endLog = () => {};
  const patient = <T>(work: () => Promise<T>, until = stop) =>
    retryUntilAnswered(work, { clock, stop: until, warn, waitMs: leaseMs });
  try {
    const now = await patient(() => remote.look(taskId));
    const isOffered = now !== null && now.kind !== 'none' && now.job === commit;
    const job = isOffered ? await jobFrom(place, ports.process.version).catch(asNone(warn)) : null;
    if (job !== null && 'kind' in job) {
      await claim.release();
      return job;
    }
    const adapter = context.adapters.find((one) => one.name === job?.agent);
    const claimed =
      job === null || adapter === undefined ? null : await patient(() => remote.claim(taskId, commit, name));
    if (job === null || adapter === undefined || claimed === null) {
      await (stop.polite.aborted ? claim.release() : claim.finish());
      return { kind: stop.polite.aborted ? 'given_back' : 'over' };
    }
    log(`${taskId}: started (attempt ${job.facts.attempt})`);
    const began = clock.now();
    const hide = redactor(context.secrets);
    endLog = store.follow((entry) => {
      const line = lineOf(entry);
      if (line !== null) claim.log(hide(line));
    });
    const worker = { ...context, ports: { ...ports, stop } };
    const made = await attempt(worker, adapter, job, {
      ...(await remote.begin(commit)),
      // Another worker's lost attempt may have changed something outside of this copy.
      wasBegun: now !== null && 'claim' in now,
      isLimited: account.isLimited,
    });
    if (made === null) {
      await patient(() => remote.giveBack(taskId, claimed));
      await claim.release();
      return { kind: 'given_back' };
    }
    const { ran, path } = made;
    if (isLimit(ran.facts.report.infrastructure?.kind)) await account.limit();
    const inner = await ports.work.keepRepositories(`${context.root}/.ralph/${path}`, []);
    const { tree } = await ports.work.git.snapshot();
    const moved = await ports.work.submoduleCommits(tree);
    const packs = moved.flatMap(({ commit, pack }) =>
      pack === null ? [] : [[packName(commit), pack.toString('base64')] as const],
    );
    const repositories = inner.map(({ path: at, kept, leadsTo }) => ({
      path: at,
      leadsTo,
      kept: kept === null ? null : `${ports.process.host}:${context.root}/${kept}`,
    }));
    const delivery = {
      taskId,
      claim: claimed,
      tree,
      files: { ...recordFiles(worker, path, hide), ...Object.fromEntries(packs) },
      document: (record: string) =>
        JSON.stringify(
          redactDeep(
            FleetResult.parse({
              $schema: 'ralph.fleet-result.v1',
              job: commit,
              record,
              worker: name,
              host: ports.process.host,
              began,
              ended: ran.agentEnded,
              facts: { ...ran.facts, machine: ports.process.machine },
              commits: ran.commits,
              repositories,
              submodules: moved.map(({ path: at, commit: id, known }) => ({ path: at, commit: id, known })),
            }),
            context.secrets,
          ),
        ),
    };
    // After the first stop signal, a finished result is still delivered. The second signal gives up.
    const isIn = lost.signal.aborted
      ? false
      : await patient(() => remote.deliver(delivery), { ...stop, polite: stop.forced });
    if (isIn === true) {
      await claim.finish();
      return { kind: 'delivered' };
    }
    await patient(() => remote.keepRecord(delivery));
    return { kind: lost.signal.aborted ? 'lost' : 'late' };
  } finally {
    endLog();
    over.abort();
    await beating;
  }
}

/**
 * Returns a handler that reports a damaged or wrongly signed job as a warning and returns `null`, so that the job is
 * skipped.
 */
function asNone(warn: (message: string) => void) {
  return (error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    warn(error.message);
    return null;
  };
}

async function jobFrom(
  { claim, remote, key, commands }: WorkerPlace,
  version: string,
): Promise<FleetJob | Extract<WorkedAt, { kind: 'refused' }>> {
  const { task, job } = claim.job;
  const refused = (message: string, next: string, passes = false) => ({
    kind: 'refused' as const,
    message,
    next,
    passes,
  });
  const signed = await remote.job(task, job);
  if (signed.kind === 'unknown')
    return refused(
      `${task} comes from a machine that isn't enrolled here.`,
      `ralph fleet enrol ${signed.key}`,
      true,
    );
  const data = parseJson(signed.document, FleetJob);
  if (data?.decider !== DECIDER_VERSION || data.version !== version)
    return refused(
      `${task} comes from another version of ralph than ${version}.`,
      'Install the same version everywhere.',
    );
  if (data.commands !== commands)
    return refused(`The commands of ralph.toml here aren't those where ${task} comes from.`, 'git pull');
  if (!data.workers.includes(key))
    return refused(
      `This worker isn't enrolled where ${task} comes from.`,
      `Run there: ralph fleet enrol ${key}`,
      true,
    );
  return data;
}

/** Maximum number of characters of a log line for other machines. */
const LINE_CHARS = 500;

/**
 * Returns the agent's text or action for someone who follows the attempt from another machine; `null`: the entry has
 * neither.
 */
function lineOf(entry: Entry): string | null {
  if (entry.type !== 'agent_reported') return null;
  const text = entry.action ?? (entry.event.kind === 'text' ? entry.event.text : '');
  return text.trim() === '' ? null : shortened(onOneLine(text.trimEnd()), LINE_CHARS);
}

type Beginning = Pick<Account, 'isLimited'> & {
  readonly base: string;
  readonly baseTree: string;
  readonly startTree: string;
  /** Whether another worker started the same attempt, and its end wasn't seen. */
  readonly wasBegun: boolean;
};

/**
 * Makes the attempt. Returns `null` if the account has reached its limit meanwhile.
 * @param path The attempt's folder, relative to `.ralph/`.
 */
async function attempt(
  context: LoopContext,
  adapter: AgentAdapter,
  { facts, branch, timeouts }: FleetJob,
  { base, baseTree, startTree, wasBegun, isLimited }: Beginning,
): Promise<{ readonly ran: Ran; readonly path: string } | null> {
  const { ports, root, run, config } = context;
  const { work, store, clock } = ports;
  // A worker's clone has no iterations of its own, so the folder is named for the job. The coordinator keeps the
  // record.
  const path = `runs/${run}/jobs/${facts.iteration}`;
  const folder = `${root}/.ralph/${path}`;
  const { iteration, taskState, promptText, budget } = facts;
  const cutOff = [...taskState.cutOff, iteration];
  const begun = wasBegun ? `${unjudgedText(unjudgedWork({ ...taskState, cutOff }, null))}\n\n` : '';
  const prompt = `${begun}${promptText}`;
  store.writeDocument(`${path}/prompt.md`, prompt);
  const renew = () => work.reset({ commit: base, tree: baseTree, branch, taskId: facts.task.id }, startTree);
  await renew();
  const what = { place: 'agents-copy', commit: base, tree: startTree, folder } as const;
  await setUpCopy(context, { copy: () => work, renew }, what);
  // Preparing the copy may take long, so the limit is checked again.
  if (await isLimited()) return null;
  const ledger = openLedger(
    { limits: budget.limits, before: () => budget.spent },
    config.budget.prices,
    clock,
  );
  const ran = await runHere(context, {
    adapter,
    ledger,
    prompt,
    promptFile: `${folder}/prompt.md`,
    folder,
    path,
    review: planReview(adapter, context.review, null),
    // Sessions can only be resumed on the machine where they were made.
    facts: {
      ...facts,
      resumed: null,
      timeoutSeconds: own(timeouts, ports.process.machine) ?? facts.timeoutSeconds,
    },
  });
  return { ran, path };
}

/** Logs of reviews are stored without secrets already. */
function recordFiles(
  { ports: { store } }: LoopContext,
  path: string,
  hide: (text: string) => string,
): Record<string, string> {
  const texts = RECORD_FILES.map((name) => [name, store.readDocument(`${path}/${name}`)] as const);
  return Object.fromEntries(
    texts.flatMap(([name, text]) =>
      text === null ? [] : [[name, name === 'reviews.jsonl' ? text : hide(text)] as const],
    ),
  );
}
