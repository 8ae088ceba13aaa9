import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { BIN, env, median, programs, ROOT, run, scratch } from '../tools.mjs';

/** Seconds of the modelled agent, which only waits, and of the gate; number of tasks for each worker. */
const [AGENT, GATES, EACH] = [45, 0.4, 2];
/** A command in a namespace that may make networks; all its processes end with the first one. */
const JAIL = ['unshare', '-Urnmp', '--fork', '--kill-child', '--mount-proc'];
/** Numbers of machines, with the promised share of the ideal speed, in which agents work without a break. */
const PROMISED = [
  [1, 0.85],
  [2, 0.85],
  [4, 0.8],
  [8, 0.7],
];
/** Nights of one worker with a short and with a long list, which show what an attempt costs beside its agent. */
const SHORT = { workers: 1, tasks: 2, agent: 0.2, gates: GATES };
const LONGER = { ...SHORT, tasks: 8 };
const LISTED = { ...SHORT, tasks: 6, listed: 2000 };
/** A night with more results than the run can land in time. */
const FULL = { workers: 8, tasks: 16, agent: 2, gates: GATES };
/**
 * Factor by which the model may differ from a real night; a model that is further off says nothing about larger fleets.
 */
const OFF = 1.25;
const PROCESSORS = 2;
/**
 * The simulated nights: agents of ten minutes, a tenth more or less, three tasks for each worker, and seconds of the
 * gates.
 */
const [NIGHT_AGENT, SPREAD, EACH_SIMULATED, NIGHT_GATES] = [600, 0.1, 3, [1, 10, 120]];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000];

const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
const print = (text) => process.stdout.write(`${text}\n`);

export const fleet = {
  id: 'fleet',
  run: async () => {
    const missing = whatIsMissing();
    if (missing !== null) {
      print(`fleet: not run, ${missing}`);
      return [];
    }
    const nights = PROMISED.map(([workers]) => ({
      ...{ workers, tasks: workers * EACH, agent: AGENT, gates: GATES },
    }));
    const played = await play([SHORT, LONGER, LISTED, ...nights, FULL]);
    const [short, longer, listed, ...measured] = played;
    const costsOf = costsFrom(short, longer, listed);
    print(
      `fleet: seconds of an attempt beside its agent and its gate: ${JSON.stringify(rounded(costsOf(8)))}`,
    );
    print(`fleet: the same with ${LISTED.listed} tasks: ${JSON.stringify(rounded(costsOf(LISTED.listed)))}`);
    const points = await compared(measured, costsOf);
    for (const { workers, agent, real, structure, whole, ideal, others } of points)
      print(
        `fleet: ${workers} machines, agent ${agent} s: ${real.toFixed(2)} tasks/min of ${ideal.toFixed(2)}; model ${off(structure, real)} off with what parts took that night, ${off(whole, real)} with what they take one worker alone; other programs used ${others.toFixed(1)} processors`,
      );
    await showLarger(costsOf);
    const worst = Math.max(
      ...points.map(({ real, structure }) => Math.max(real / structure, structure / real)),
    );
    return [
      ...PROMISED.map(([workers, atLeast], at) => ({
        what: `${workers} machines of a fleet to agents that work without a break (agent ${AGENT} s, gate ${GATES} s, ${workers * EACH} tasks)`,
        ...{ value: points[at].real, baseline: points[at].ideal, unit: 'tasks/min', atLeast, rounds: 1 },
      })),
      {
        what: `the model of a fleet to ${points.length} measured nights, by what parts took in each: the worst`,
        ...{ value: worst, baseline: 1, unit: '×', atMost: OFF, rounds: 1 },
      },
    ];
  },
};

function whatIsMissing() {
  const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!works('redis-server', '--version')) return 'it needs redis-server';
  const bridge = ['ip', 'link', 'add', 'fleet', 'type', 'bridge'];
  return works(...JAIL, ...bridge) ? null : 'it needs Linux, unshare, ip, and the right to make namespaces';
}

/** Plays nights of real fleets, whose machines are network namespaces on this machine. */
async function play(nights) {
  const script = join(programs, 'fleet-nights.mjs');
  await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'fleet-nights.ts'), script);
  const asked = JSON.stringify({ bin: BIN, nights });
  return lines(run([...JAIL, process.execPath, script, asked], { env: { ...env, TMPDIR: scratch } }));
}

async function simulate(nights) {
  const script = join(programs, 'fleet.mjs');
  await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'fleet.ts'), script);
  return lines(run([process.execPath, script, JSON.stringify(nights)]));
}

function lines({ stdout }) {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const perMinute = (tasks, seconds) => (60 * tasks) / seconds;
const off = (model, real) => `${model < real ? '' : '+'}${((model / real - 1) * 100).toFixed(0)} %`;

/**
 * Compares each night with the model: `structure` uses the durations measured in that same night, so that only the
 * order of waiting is compared; `whole` uses the durations of one worker, with processors that all machines share.
 */
async function compared(nights, costsOf) {
  const asked = ({ workers, tasks, agent, gates }) => ({ workers, tasks, agent, gates, places: 1 });
  const alone = { run: 0, worker: 0 };
  const [structure, whole] = [
    nights.map((night) => ({
      ...{ ...asked(night), processors: 1, together: false },
      costs: { ...partsOf(night, mean), share: alone },
    })),
    nights.map((night) => ({
      ...{ ...asked(night), processors: PROCESSORS, together: true, costs: costsOf(night.tasks) },
    })),
  ];
  const [one, other] = [await simulate(structure), await simulate(whole)];
  return nights.map((night, at) => ({
    ...night,
    real: perMinute(night.tasks, secondsOf(night)),
    structure: perMinute(night.tasks, one[at].seconds),
    whole: perMinute(night.tasks, other[at].seconds),
    ideal: perMinute(night.workers, night.agent),
  }));
}

/** Returns the seconds from the first recorded attempt until the last result is on the remote. */
function secondsOf({ attempts }) {
  return (
    Math.max(...attempts.map(({ pushed }) => pushed)) - Math.min(...attempts.map(({ started }) => started))
  );
}

/** Average wait of a worker for its next question for a job, in seconds. It isn't part of the cost of a claim. */
const ASKED_IN = 0.25;

/**
 * Returns the costs for a list of a given length, which is also the number of the remote's refs: interpolated between
 * the two measured lengths, and extrapolated beyond.
 */
function costsFrom(short, longer, listed) {
  const [at, other] = [partsOf(longer), partsOf(listed)];
  const more = LONGER.tasks - SHORT.tasks;
  const each = (who) => who.reduce((total, name) => total + (longer.cpu[name] - short.cpu[name]) / more, 0);
  const share = {
    run: Math.min(1, each(['coordinator', 'servers']) / (at.step + at.offer + at.look + at.take + at.merge)),
    worker: Math.min(1, each(['workers']) / (at.claim + at.begin + at.deliver)),
  };
  return (tasks) => {
    const part = (tasks - LONGER.tasks) / (LISTED.listed - LONGER.tasks);
    const names = Object.keys(at);
    const costs = names.map((name) => [
      name,
      Math.max(at[name] / 2, at[name] + part * (other[name] - at[name])),
    ]);
    return { ...Object.fromEntries(costs), share };
  };
}

/**
 * Returns the durations of an attempt's parts, chosen by `pick` from all attempts. A start counts from the end of the
 * attempt before; with several workers, from its start.
 */
function partsOf({ attempts, workers, gates, look }, pick = median) {
  const ordered = attempts.toSorted((one, other) => one.started - other.started);
  const part = (seconds) => pick(ordered.map(seconds));
  const starts = workers === 1 ? ordered : ordered.slice(0, workers);
  const before = workers === 1 ? 'pushed' : 'started';
  return {
    look,
    step: pick(starts.slice(1).map(({ started }, at) => started - starts[at][before])),
    offer: part(({ started, offered }) => offered - started),
    claim: Math.max(0, part(({ offered, claimed }) => claimed - offered) - ASKED_IN),
    begin: part(({ claimed, agentBegan }) => agentBegan - claimed),
    deliver: part(({ agentEnded, delivered }) => delivered - agentEnded),
    take: part(({ delivered, gates: began, waited }) => began - delivered - waited),
    merge: part(({ gates: began, pushed }) => pushed - began) - gates,
  };
}

function rounded({ share, ...costs }) {
  const short = (values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(2))]));
  return { ...short(costs), share: short(share) };
}

/**
 * Prints modelled fleets of up to 1,000 workers with machines of their own; the run's machine has as many processors as
 * the measured one.
 */
async function showLarger(costsOf) {
  for (const gates of NIGHT_GATES) {
    const nights = SIZES.map((workers) => ({
      ...{ workers, tasks: workers * EACH_SIMULATED, agent: NIGHT_AGENT, spread: SPREAD, gates, places: 1 },
      ...{ processors: PROCESSORS, together: false, costs: costsOf(workers * EACH_SIMULATED) },
    }));
    const went = await simulate(nights);
    print(
      `fleet, simulated: agent ${NIGHT_AGENT / 60} min, gate ${gates} s, ${EACH_SIMULATED} tasks for each worker`,
    );
    for (const [at, { workers, tasks }] of nights.entries()) {
      const { seconds, busy } = went[at];
      const [real, ideal] = [60 * perMinute(tasks, seconds), 60 * perMinute(workers, NIGHT_AGENT)];
      const parts = Object.entries(busy).map(([name, part]) => `${name} ${(part * 100).toFixed(0)} %`);
      print(
        `  ${workers} workers: ${real.toFixed(0)} of ${ideal.toFixed(0)} tasks/h; busy: ${parts.join(', ')}`,
      );
    }
  }
}
