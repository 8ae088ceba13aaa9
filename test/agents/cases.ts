import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLimit } from 'ralph-agents/event';
import type { Outcome, Place, Trial } from './bench.ts';
import { documentedEntry } from './documented.ts';
import type { Agent } from './given.ts';
import { KINDS, NO_SUCH_MODEL, PROVIDER_ANSWERS, type Refusal } from './model/provider-answers.ts';
import type { Scenario } from './model/scenario.ts';
import { claim, doesTheWork, says, shell } from './talk.ts';

/** What a program did in a case, as it stands in the table: `wrong` says what should have been. */
export type Seen = { readonly seen: string; readonly wrong?: string };

export type Case = {
  readonly name: string;
  /** Why it can't be seen with this program; `null`: it can. */
  readonly untestable?: (agent: Agent) => string | null;
  /** The program with other settings. */
  readonly agent?: (agent: Agent) => Agent;
  readonly trial: (agent: Agent) => Pick<Trial, 'scenario'> & Partial<Trial>;
  readonly judge: (outcome: Outcome, agent: Agent) => Seen;
};

/** A trial by the settings that people have: no limit of the bench, and the entry of the documents. */
export function trialOf(agent: Agent, one: Case): Trial {
  const { runner = '', config = '', ...rest } = one.trial(agent);
  const own = agent.isOwn === undefined ? { runner: '', config: '' } : documentedEntry(agent.name);
  return {
    name: `case-${one.name.replaceAll(/\W+/g, '-')}`,
    args: ['--no-wait'],
    limitMs: LIMIT_MS,
    hasOwnLimits: true,
    ...rest,
    runner: `${own.runner}\n${runner}`,
    config: `${own.config}\n${typeof config === 'string' ? config : ''}`,
  };
}

/** Of a whole run: the attempt's own limit, 120 s unless you set it, with silent retries of a program up to 290 s, and what comes before and after. */
const LIMIT_MS = 350_000;

const works = (agent: Agent) => (place: Place) => doesTheWork(place, { isBoxed: agent.isOwn === undefined });

function verdictOf({ iterations }: Outcome): string {
  return iterations.at(-1)?.decisions.verdict.kind ?? 'nothing';
}

function isDone(outcome: Outcome): Seen {
  const verdict = verdictOf(outcome);
  const isRight =
    verdict === 'done' && outcome.code === 0 && /\[x\]/.test(outcome.read('.ralph/PRD.md') ?? '');
  return { seen: verdict, ...(isRight ? {} : { wrong: `done, with exit code 0 (${outcome.code})` }) };
}

/** What the service answers to every request, for ever. */
function refusal(name: string, what: Refusal, more: Partial<Case> = {}): Case {
  return {
    name,
    trial: ({ maker }) => ({
      scenario: () => ({ turns: [{ kind: 'fails', ...PROVIDER_ANSWERS[maker][what] }] }),
    }),
    judge: (outcome) => refused(outcome, KINDS[what]),
    ...more,
  };
}

function refused(outcome: Outcome, kinds: readonly string[]): Seen {
  const [record, ...others] = outcome.iterations;
  const verdict = verdictOf(outcome);
  const counted = record?.decisions.failedAttempt === true;
  const cause = record?.facts.report.infrastructure;
  const until = isLimit(verdict) && typeof cause?.resetsAt === 'string' ? ', says until when' : '';
  // Whoever keeps asking is ended by the attempt's limit.
  const end = record?.facts.end;
  const how = end?.kind === 'timed_out' ? ', ended by its limit' : '';
  const isRight = kinds.includes(verdict) && !counted && outcome.code === 9 && others.length === 0;
  const wanted = `${kinds.join(' or ')}, not counted, exit code 9 (${counted ? 'counted' : 'not counted'}, ${outcome.code})`;
  return { seen: `${verdict}${until}${how}`, ...(isRight ? {} : { wrong: wanted }) };
}

/** The service fails twice, and then answers. */
function passing(what: Refusal): Case {
  return {
    name: `${what}, twice`,
    trial: (agent) => ({
      scenario: (place) => ({
        first: { requests: 2, turn: { kind: 'fails', ...PROVIDER_ANSWERS[agent.maker][what] } },
        turns: works(agent)(place),
      }),
    }),
    // A program that doesn't try so often ends: that isn't a failed attempt either.
    judge: (outcome) => (verdictOf(outcome) === 'done' ? isDone(outcome) : refused(outcome, KINDS[what])),
  };
}

const isPlain = ({ name }: Agent) =>
  name === 'cn' || name === 'cline' ? 'it prints plain text: ralph sees no actions' : null;

const NOTE = 'WORD-OF-THE-NOTES';
const BEFORE = 'WORD-BEFORE-THE-END';

/** The first attempt works until it is ended; a later one, which is told so, does the rest. */
function endedAndContinued(): Scenario {
  return {
    turns: [says('')],
    answers: ({ results, body }) => {
      if (results.some((result) => result.includes('MADE'))) return says(claim('src/hello.txt:1 created'));
      if (TOLD.test(body))
        return says('I go on.', shell('echo hello from the agent > src/hello.txt; echo MADE'));
      // Some let the model check a command that takes long.
      return results.length > 0 ? { kind: 'hangs' } : says(BEFORE, shell('tail -f /dev/null', 60_000));
    },
  };
}

/** In the prompt of an attempt that follows one which ran out of time. */
const TOLD = /at its time limit/;

export const CASES: readonly Case[] = [
  {
    name: 'honest work',
    trial: (agent) => ({ scenario: (place) => ({ turns: works(agent)(place) }) }),
    judge: isDone,
  },
  {
    name: 'done, nothing changed',
    trial: () => ({
      scenario: () => ({ turns: [says(`It is done.\n\n${claim('src/hello.txt:1 created')}`)] }),
    }),
    judge: (outcome) => {
      const verdict = verdictOf(outcome);
      const ticked = /\[x\]/.test(outcome.read('.ralph/PRD.md') ?? '');
      const counted = outcome.iterations[0]?.decisions.failedAttempt === true;
      return { seen: verdict, ...(counted && !ticked ? {} : { wrong: 'a failed attempt, not ticked' }) };
    },
  },
  {
    name: 'a denied call, then work',
    untestable: isPlain,
    trial: (agent) => ({
      scenario: (place) => ({
        turns: [says('I tidy up.', shell(`rm -r ${place.precious}`)), ...works(agent)(place)],
      }),
    }),
    judge: (outcome) => {
      const review = outcome.iterations[0]?.facts.review;
      const isKept = existsSync(join(outcome.precious, 'keep.txt'));
      const isRight = isKept && review?.denied === 1 && review.unreviewed === null;
      return { ...isDone(outcome), ...(isRight ? {} : { wrong: 'one call denied, nothing deleted' }) };
    },
  },
  refusal('usage limit', 'limit', {
    trial: ({ maker, planLimit }) => ({
      scenario: () => ({ turns: [{ kind: 'fails', ...(planLimit ?? PROVIDER_ANSWERS[maker].limit) }] }),
    }),
  }),
  refusal('throttled, for ever', 'throttle'),
  refusal('credit used up', 'credit'),
  refusal('quota of the account used up', 'quota'),
  refusal('key missing', 'no key', {
    agent: (agent) => ({
      ...agent,
      env: (place) =>
        Object.fromEntries(
          Object.entries(agent.env(place)).filter(([name]) => !agent.keyless.without.includes(name)),
        ),
      files: agent.keyless.files ?? agent.files,
    }),
  }),
  refusal('key bad', 'bad key'),
  refusal('unknown model', 'model', {
    trial: ({ maker, otherModel, isOwn }) => ({
      scenario: () => ({ turns: [{ kind: 'fails', ...PROVIDER_ANSWERS[maker].model }] }),
      // As it is spelled: `provider/model`, `custom:model`.
      ...(isOwn === true
        ? {}
        : { runner: `model = "${otherModel.asked.replace(/[^/:]+$/, NO_SUCH_MODEL)}"` }),
    }),
  }),
  passing('throttle'),
  passing('server error'),
  passing('overloaded'),
  refusal('server error, for ever', 'server error'),
  refusal('overloaded, for ever', 'overloaded'),
  {
    name: 'ended by the timeout, then resumed',
    trial: () => ({
      hasOwnLimits: false,
      timeoutSeconds: 40,
      idleSeconds: 0,
      limitMs: 300_000,
      loop: 'resume = true',
      args: ['--max-iterations', '2', '--no-wait'],
      scenario: () => endedAndContinued(),
    }),
    judge: (outcome, { isOwn }) => {
      const [first] = outcome.iterations;
      const [, ...later] = outcome.requests;
      const isOfSession = later.some(({ body }) => body.includes(BEFORE));
      const session = isOfSession ? 'the same session' : 'a new session';
      const { wrong } = isDone(outcome);
      const isRight =
        wrong === undefined &&
        first?.decisions.verdict.kind === 'timed_out' &&
        (isOfSession || isOwn === true);
      return {
        seen: `${verdictOf(outcome)}, ${session}`,
        ...(isRight
          ? {}
          : { wrong: `timed_out (${first?.decisions.verdict.kind}), then done in its session` }),
      };
    },
  },
  {
    name: 'AGENTS.md reaches the model once',
    trial: (agent) => ({
      files: { 'AGENTS.md': `# Notes\n\n${NOTE}\n` },
      scenario: (place) => ({ turns: works(agent)(place) }),
    }),
    judge: ({ requests }) => {
      const times = (requests[0]?.body.split(NOTE).length ?? 0) - 1;
      return { seen: times === 1 ? 'once' : `${times} times`, ...(times === 1 ? {} : { wrong: 'once' }) };
    },
  },
];
