import { begunBefore } from '../../decide/index.ts';
import type { AgentAdapter } from '../../domain/agent.ts';
import type { Entry } from '../../domain/entry.ts';
import { FleetJob, FleetResult } from '../../domain/fleet.ts';
import type { Claim, FleetRemote } from '../../domain/ports/fleet.ts';
import { GitError, type StopSignal, WORKER_STOPPED } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { own } from '../../lib/own.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { redactor } from '../../lib/redact.ts';
import { redactDeep } from '../../lib/redact-deep.ts';
import { onOneLine, shortened } from '../../lib/text.ts';
import { begunText } from '../../prompt/index.ts';
import type { LoopContext } from '../context.ts';
import { setUpCopy } from '../lab/index.ts';
import { type Ran, runHere } from '../start/run-here.ts';
import { openLedger } from '../watch/budget-watch.ts';
import { planReview } from '../watch/plan-review.ts';
import { keepLease } from './keep-lease.ts';
import { patiently } from './patiently.ts';
import { packName, RECORD_FILES } from './run-away.ts';

type WorkerPlace = {
  readonly claim: Claim;
  readonly remote: FleetRemote;
  readonly leaseMs: number;
  /** What the agent uses up; others on other machines use it, too. */
  readonly account: Account;
  /** The public key of this machine, and what the configuration runs here. */
  readonly key: string;
  readonly commands: string;
  /** Of the worker, for who reads the status of the fleet. */
  readonly name: string;
  /** What became of it, as it happens. */
  readonly tell: (line: string) => void;
};

/** The account of an agent, as all workers see it. */
type Account = {
  /** Whether it is known to be at its limit. */
  readonly isLimited: () => Promise<boolean>;
  /** It is: no worker starts with it before the run says for how long. */
  readonly limit: () => Promise<void>;
};

/** What became of a job; `refused`: this worker makes no attempt for who offered it. */
type WorkedAt =
  | { readonly kind: 'over' | 'delivered' | 'late' | 'lost' | 'given_back' }
  /** `passes`: the next job may be another matter. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly next: string;
      readonly passes: boolean;
    };

/**
 * Works at a job as a run works at an attempt: brings its copy to what the job begins with, runs the agent, and delivers what it left. Nothing is
 * decided here.
 *
 * The lease is renewed by this process alone, which has the agent. Once it is lost, the agent is ended with all that it started, and nothing
 * but its record is pushed; while the engine is away, the attempt continues: a claim that others took over can't deliver.
 */
export async function workAtJob(context: LoopContext, place: WorkerPlace): Promise<WorkedAt> {
  const { claim, remote, name, leaseMs, account, tell } = place;
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
    ...{ clock, leaseMs, beat: claim.beat, over: over.signal },
    onBeat: (beat) => {
      if (beat === 'lost') lost.abort();
      if (beat === 'cancelled') asked.abort();
    },
  });
  const warn = (message: string) => store.commit([{ type: 'warned', message }]);
  let endLog = () => {};
  const patient = <T>(work: () => Promise<T>, until = stop) =>
    patiently(work, { clock, stop: until, warn, waitMs: leaseMs });
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
    tell(`${taskId}: started (attempt ${job.facts.attempt})`);
    const began = clock.now();
    const hide = redactor(context.secrets);
    endLog = store.follow((entry) => {
      const line = lineOf(entry);
      if (line !== null) claim.log(hide(line));
    });
    const worker = { ...context, ports: { ...ports, stop } };
    const made = await attempt(worker, adapter, job, {
      ...(await remote.begin(commit)),
      // Another worker took it and lost it: its agent may have done anything but change this copy.
      wasBegun: now !== null && 'claim' in now,
      isLimited: account.isLimited,
    });
    if (made === null) {
      await patient(() => remote.giveBack(taskId, claimed));
      await claim.release();
      return { kind: 'given_back' };
    }
    const { ran, path } = made;
    if (ran.facts.report.infrastructure?.kind === 'rate_limited') await account.limit();
    const inner = await ports.work.keepRepositories(`${context.root}/.ralph/${path}`, []);
    const { tree } = await ports.work.git.snapshot();
    const moved = await ports.work.submoduleCommits(tree);
    const packs = moved.flatMap(({ commit, pack }) =>
      pack === null ? [] : [[packName(commit), pack.toString('base64')] as const],
    );
    const repositories = inner.map(({ path: at, kept, leadsTo }) => ({
      ...{ path: at, leadsTo },
      kept: kept === null ? null : `${ports.process.host}:${context.root}/${kept}`,
    }));
    const delivery = {
      ...{ taskId, claim: claimed, tree },
      files: { ...recordFiles(worker, path, hide), ...Object.fromEntries(packs) },
      document: (record: string) =>
        JSON.stringify(
          redactDeep(
            FleetResult.parse({
              $schema: 'ralph.fleet-result.v1',
              ...{
                job: commit,
                record,
                worker: name,
                host: ports.process.host,
                began,
                ended: ran.agentEnded,
              },
              ...{ facts: { ...ran.facts, machine: ports.process.machine }, commits: ran.commits },
              repositories,
              submodules: moved.map(({ path: at, commit: id, known }) => ({ path: at, commit: id, known })),
            }),
            context.secrets,
          ),
        ),
    };
    // A result that is there is worth a second signal's patience.
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

/** What isn't whole or isn't signed as it says isn't worked at. */
function asNone(warn: (message: string) => void) {
  return (error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    warn(error.message);
    return null;
  };
}

/** A job that this worker may make an attempt of, or why it may not. */
async function jobFrom(
  { claim, remote, key, commands }: WorkerPlace,
  version: string,
): Promise<FleetJob | Extract<WorkedAt, { kind: 'refused' }>> {
  const { task, job } = claim.job;
  const refused = (message: string, next: string, passes = false) => ({
    ...{ kind: 'refused' as const, message, next, passes },
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

/** Characters of a line that others follow. */
const LINE_CHARS = 500;

/** What the agent says or does, for who follows it from another machine; `null`: nothing of that. */
function lineOf(entry: Entry): string | null {
  if (entry.type !== 'agent_reported') return null;
  const text = entry.action ?? (entry.event.kind === 'text' ? entry.event.text : '');
  return text.trim() === '' ? null : shortened(onOneLine(text.trimEnd()), LINE_CHARS);
}

type Beginning = Pick<Account, 'isLimited'> & {
  readonly base: string;
  readonly baseTree: string;
  readonly before: string;
  /** A worker began the same attempt, and its end wasn't seen. */
  readonly wasBegun: boolean;
};

/** The attempt itself, in the copy of this worker. `path`: of its folder, relative to `.ralph/`. `null`: its account met a limit meanwhile. */
async function attempt(
  context: LoopContext,
  adapter: AgentAdapter,
  { facts, branch, timeouts }: FleetJob,
  { base, baseTree, before, wasBegun, isLimited }: Beginning,
): Promise<{ readonly ran: Ran; readonly path: string } | null> {
  const { ports, root, run, config } = context;
  const { work, store, clock } = ports;
  // None of this clone's own iterations: the record is the coordinator's.
  const path = `runs/${run}/jobs/${facts.iteration}`;
  const folder = `${root}/.ralph/${path}`;
  const { iteration, taskState, promptText, budget } = facts;
  const cutOff = [...taskState.cutOff, iteration];
  const begun = wasBegun ? `${begunText(begunBefore({ ...taskState, cutOff }, null))}\n\n` : '';
  const prompt = `${begun}${promptText}`;
  store.writeDocument(`${path}/prompt.md`, prompt);
  const renew = () => work.reset({ commit: base, tree: baseTree, branch, taskId: facts.task.id }, before);
  await renew();
  const what = { place: 'agents-copy', commit: base, tree: before, folder } as const;
  await setUpCopy(context, { copy: () => work, renew }, what);
  // A copy that is set up may have taken its time.
  if (await isLimited()) return null;
  const ledger = openLedger(
    { limits: budget.limits, before: () => budget.spent },
    config.budget.prices,
    clock,
  );
  const ran = await runHere(context, {
    ...{ adapter, ledger, prompt, folder, path },
    review: planReview(adapter, context.review, null),
    // Sessions of agents stay on the machine that they were made on.
    facts: {
      ...facts,
      resumed: null,
      timeoutSeconds: own(timeouts, ports.process.machine) ?? facts.timeoutSeconds,
    },
  });
  return { ran, path };
}

/** What the attempt printed, without what must not be shown; reviews are without that already. */
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
