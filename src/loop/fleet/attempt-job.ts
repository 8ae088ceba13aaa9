import { isLimit } from 'ralph-agents/event';
import type { AgentAdapter } from 'ralph-agents/protocol';
import type { Claim } from 'ralph-fleet';
import { type Begun, type FleetRemote, type Refused, type Signed, workAtJob } from 'ralph-fleet/jobs';
import { own } from 'ralph-kit/own';
import { parseJson } from 'ralph-kit/parse-json';
import { redactor } from 'ralph-kit/redact';
import { redactDeep } from 'ralph-kit/redact-deep';
import { onOneLine, shortened } from 'ralph-kit/text';
import { unjudgedWork } from '../../decide/index.ts';
import type { Entry } from '../../domain/entry.ts';
import { FleetJob, FleetResult } from '../../domain/fleet.ts';
import { WORKER_STOPPED } from '../../domain/ports.ts';
import { DECIDER_VERSION } from '../../domain/records/iteration.ts';
import { setUpCopy } from '../../lab/index.ts';
import { unjudgedText } from '../../prompt/index.ts';
import type { LoopContext } from '../context.ts';
import { type Ran, runHere } from '../start/run-here.ts';
import { openLedger } from '../watch/budget-watch.ts';
import { planReview } from '../watch/plan-review.ts';
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

type Job = { readonly asked: FleetJob; readonly adapter: AgentAdapter };

/** Makes the attempt of a job in this worker's copy and delivers the result, which isn't judged here. */
export function attemptJob(context: LoopContext, place: WorkerPlace) {
  const { claim, remote, leaseMs, name } = place;
  const { clock, stop, store, process } = context.ports;
  return workAtJob<Job>({
    claim,
    remote,
    clock,
    stop,
    leaseMs,
    name,
    warn: (message) => store.commit([{ type: 'warned', message }]),
    accept: (signed) => {
      const asked = jobFrom(signed, place, process.version);
      if ('kind' in asked) return asked;
      const adapter = context.adapters.find((one) => one.name === asked.agent);
      return adapter === undefined ? null : { asked, adapter };
    },
    attempt: (job, begun) => deliveryOf(context, place, job, begun),
  });
}

/** Makes the attempt, and returns its delivery; `null`: the account has reached its limit meanwhile. */
async function deliveryOf(
  context: LoopContext,
  { claim, account, name, log }: WorkerPlace,
  { asked, adapter }: Job,
  { stop, ...begun }: Begun,
) {
  const { ports } = context;
  const { clock, store, work } = ports;
  const { task: taskId, job: commit } = claim.job;
  log(`${taskId}: started (attempt ${asked.facts.attempt})`);
  const began = clock.now();
  const hide = redactor(context.secrets);
  const endLog = store.follow((entry) => {
    const line = lineOf(entry);
    if (line !== null) claim.log(hide(line));
  });
  try {
    const reason = () => ports.stop.reason() ?? (stop.polite.aborted ? WORKER_STOPPED : null);
    const worker = { ...context, ports: { ...ports, stop: { ...stop, reason } } };
    const made = await attempt(worker, adapter, asked, begun, account);
    if (made === null) return null;
    const { ran, path } = made;
    if (isLimit(ran.facts.report.infrastructure?.kind)) await account.limit();
    const inner = await work.keepRepositories(`${context.root}/.ralph/${path}`, []);
    const { tree } = await work.git.snapshot();
    const moved = await work.submoduleCommits(tree);
    const packs = moved.flatMap(({ commit, pack }) =>
      pack === null ? [] : [[packName(commit), pack.toString('base64')] as const],
    );
    const repositories = inner.map(({ path: at, kept, leadsTo }) => ({
      path: at,
      leadsTo,
      kept: kept === null ? null : `${ports.process.host}:${context.root}/${kept}`,
    }));
    return {
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
  } finally {
    endLog();
  }
}

function jobFrom(signed: Signed, { claim, key, commands }: WorkerPlace, version: string): FleetJob | Refused {
  const { task } = claim.job;
  const refused = (message: string, next: string, passes = false): Refused => ({
    kind: 'refused',
    message,
    next,
    passes,
  });
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

/**
 * Makes the attempt. Returns `null` if the account has reached its limit meanwhile.
 * @param path The attempt's folder, relative to `.ralph/`.
 */
async function attempt(
  context: LoopContext,
  adapter: AgentAdapter,
  { facts, branch, timeouts }: FleetJob,
  { base, baseTree, startTree, wasBegun }: Omit<Begun, 'stop'>,
  { isLimited }: Account,
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
