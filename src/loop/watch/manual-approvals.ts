import { actionPaths, describeAction } from '../../actions/review/index.ts';
import { requestFrom } from '../../decide/index.ts';
import { type GatedAction, type GateRequest, NO_GATE_FACTS } from '../../domain/human/gate.ts';
import { actionRequestsOf } from '../../domain/human/state.ts';
import type { Waiting } from '../../domain/ports.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { type Action, waitsForApproval } from '../../lib/actions/action.ts';
import type { Ruling } from '../../lib/actions/review.ts';
import { redactor } from '../../lib/redact.ts';
import { actionDetail, alternativesFor, isLate, timeoutRecords } from '../../respond/human/index.ts';
import type { LoopContext } from '../context.ts';
import { announceGate } from '../perform/announce-gate.ts';
import type { DestructivePreview } from './destructive-preview.ts';

/** How often a decision from another terminal is looked for. */
const SLICE_MS = 250;
/** Actions of a task that wait at once: further ones are denied until some are decided. */
const MOST_OPEN = 20;

/** Asks you before actions of an attempt: before each, where you chose so, and before those that take something away. */
export type ManualApprovals = {
  /** Each action waits, except for looks. */
  readonly each: boolean;
  readonly concerns: (action: Action) => boolean;
  /** Resolves when you decided, or with a denial when the answer can't be waited for any longer. */
  readonly approve: (action: Action, gone: AbortSignal) => Promise<Ruling>;
  readonly waiting: Waiting;
  /** Requests that are still open. */
  readonly open: () => string[];
  /** The attempt is over: what is still asked stays open, and its answer reaches no agent. */
  readonly close: () => Promise<void>;
};

export type ManualOptions = {
  readonly task: Task;
  readonly iteration: number;
  readonly agent: string;
  /** The incident after which you chose that each action waits; `null`: you didn't. */
  readonly because: string | null;
  /** What an action would take away; `null`: it isn't checked. */
  readonly preview: DestructivePreview | null;
  /** How long the agent's hook waits for an answer. */
  readonly waitsSeconds: number;
};

export function openManualApprovals(context: LoopContext, options: ManualOptions): ManualApprovals {
  const { store, clock, ids } = context.ports;
  const { task, because } = options;
  const over = new AbortController();
  const announced: Promise<unknown>[] = [];
  const waiting = openWaiting(clock);

  const takes = previewOnce(options.preview);
  const concerns = (action: Action) =>
    (because !== null && waitsForApproval(action)) || takes(action) !== null;

  /** What is known of an action by now: a ruling, or the request that you have to decide. */
  function rulingOrRequest(action: Action, sha256: string): Ruling | GateRequest {
    let found: Ruling | GateRequest = denied(`${MOST_OPEN} other actions wait for the user already.`);
    let opened: GateRequest | null = null;
    store.commit((state): JournalBody[] => {
      const known = knownOf(state, options, sha256);
      if (known !== null) {
        found = known.found;
        return known.records;
      }
      if (actionRequestsOf(state.human, task.id).length >= MOST_OPEN) return [];
      opened = requestAbout(context, options, { action, sha256, taken: takes(action) }, state);
      found = opened;
      return [{ type: 'human_gate_opened', request: opened }];
    });
    // It is shown while it waits; you are notified once in an attempt.
    if (opened !== null && announced.length === 0)
      announced.push(announceGate(context, opened).catch(() => undefined));
    return found;
  }

  async function approve(action: Action, gone: AbortSignal): Promise<Ruling> {
    const sha256 = ids.sha256(JSON.stringify([action.tool, action.cwd, action.input]));
    // What takes something away isn't waited for: there is another way, and the agent is told which.
    const waitsSeconds = takes(action) === null ? options.waitsSeconds : 0;
    const until = clock.monotonicMs() + waitsSeconds * 1000;
    const stop = AbortSignal.any([over.signal, gone]);
    const end = waiting.begin();
    try {
      while (!stop.aborted) {
        const found = rulingOrRequest(action, sha256);
        if ('decision' in found) return found;
        while (!stop.aborted && isOpen(found)) {
          if (clock.monotonicMs() >= until) return askAgain(found);
          await clock.sleep(SLICE_MS, stop);
        }
      }
      return denied('The attempt is over.');
    } finally {
      end();
    }
  }

  /** Whether a request still waits; one whose time is over doesn't. */
  function isOpen({ id }: GateRequest): boolean {
    const find = (state: State) => state.human.requests.find((one) => one.id === id);
    const request = find(store.refresh());
    if (request === undefined || !isLate(request, clock.now())) return request !== undefined;
    store.commit((state) => {
      const late = find(state);
      return late === undefined
        ? []
        : timeoutRecords([late], state.human.audit.head, clock.now(), ids.sha256);
    });
    return false;
  }

  return {
    each: because !== null,
    concerns,
    approve,
    waiting,
    open: () => actionRequestsOf(store.refresh().human, task.id).map(({ id }) => id),
    close: async () => {
      over.abort();
      await Promise.all(announced);
    },
  };
}

/** An approval that wasn't used yet, a refusal of this attempt, or the open request about the same action. */
function knownOf(
  state: State,
  { task, iteration }: ManualOptions,
  sha256: string,
): { readonly found: Ruling | GateRequest; readonly records: JournalBody[] } | null {
  const { human } = state;
  const { decisions } = taskStateOf(state, task.id);
  const approved = decisions.actions.find((one) => one.sha256 === sha256);
  if (approved !== undefined) {
    const record = { type: 'gated_action_allowed', taskId: task.id, request: approved.request } as const;
    return { found: { decision: 'allow' }, records: [record] };
  }
  const isThis = ({ action, facts }: GateRequest) => facts.taskId === task.id && action?.sha256 === sha256;
  const refused = human.decided.findLast(
    ({ request, option }) => isThis(request) && request.iteration === iteration && option !== 'approve',
  );
  if (refused !== undefined) return { found: refusal(refused), records: [] };
  const open = human.requests.find(isThis);
  return open === undefined ? null : { found: open, records: [] };
}

type Waits = {
  readonly action: Action;
  readonly sha256: string;
  readonly taken: ReturnType<DestructivePreview>;
};

function requestAbout(
  { ports, secrets, run, config, root }: LoopContext,
  { task, iteration, agent, because }: ManualOptions,
  { action, sha256, taken }: Waits,
  { human }: State,
): GateRequest {
  const hide = redactor(secrets);
  const at = ports.clock.now();
  const gated: GatedAction = {
    tool: action.tool,
    shown: hide(describeAction(action)),
    detail: actionDetail(action, hide),
    sha256,
    ...(taken === null ? {} : { signs: taken.signs }),
  };
  const opening = { at, run, iteration, gates: config.human.gates };
  if (taken !== null) return requestFrom({ draft: { ...taken.draft, action: gated }, ...opening }, human);
  const facts = {
    ...NO_GATE_FACTS,
    ...{ taskId: task.id, title: task.title, agent, detectedAt: at },
    files: actionPaths(action, root),
  };
  const text = `After ${because} you chose to approve each action.`;
  const draft = {
    ...{ gate: 'MANUAL' as const, facts, action: gated },
    triggers: [{ gate: 'MANUAL' as const, name: 'manual' as const, text }],
  };
  return requestFrom({ draft, ...opening }, human);
}

/** Of one call the answer stays: it is checked again when it is asked again. */
function previewOnce(preview: DestructivePreview | null): DestructivePreview {
  const answers = new WeakMap<Action, ReturnType<DestructivePreview>>();
  return (action) => {
    const known = answers.get(action);
    if (known !== undefined) return known;
    const found = preview?.(action) ?? null;
    answers.set(action, found);
    return found;
  };
}

const RULE = 'manual_intervention';

/** Nothing was done wrong, so it counts for nothing. */
function denied(reason: string): Ruling {
  return { decision: 'deny', rule: RULE, reason: `ralph: ${reason} Reading is allowed.`, harmless: true };
}

function askAgain({ id, gate, triggers, facts }: GateRequest): Ruling {
  if (gate !== 'MANUAL') {
    const why = triggers.map(({ text }) => text).join(', ');
    return denied(
      `${why}: this waits for the user's approval (${id}). ${alternativesFor(facts).join(' ')} What replaces a test, or the removal of the code that it tests, comes first. If it has to be so, make exactly the same call again later: it is allowed once it is approved.`,
    );
  }
  return denied(
    `this waits for the user's approval (${id}). Make exactly the same call again: it is allowed once it is approved.`,
  );
}

function refusal({ request, option, reason }: State['human']['decided'][0]): Ruling {
  if (option === 'timeout')
    return denied(`the user didn't approve this in time (${request.id}). Find another way.`);
  const because = reason === '' ? '' : `: ${reason}`;
  return denied(`the user rejected this (${request.id})${because}. Find another way.`);
}

/** Time in which at least one action waits. */
function openWaiting(clock: LoopContext['ports']['clock']) {
  let count = 0;
  let since = 0;
  let total = 0;
  const now = () => (count === 0 ? 0 : clock.monotonicMs() - since);
  return {
    isOpen: () => count > 0,
    totalMs: () => total + now(),
    /** Returns what ends it. */
    begin: () => {
      if (count === 0) since = clock.monotonicMs();
      count += 1;
      return () => {
        if (count === 1) total += now();
        count -= 1;
      };
    },
  };
}
