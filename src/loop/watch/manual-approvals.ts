import { actionPaths, describeAction } from 'ralph-actions/review';
import { type Action, type Ruling, waitsForApproval } from 'ralph-kit/actions/action';
import { redactor } from 'ralph-kit/redact';
import { requestFrom } from '../../decide/index.ts';
import { type GatedAction, type GateRequest, NO_GATE_FACTS } from '../../domain/human/gate.ts';
import { actionRequestsOf } from '../../domain/human/state.ts';
import type { JournalBody } from '../../domain/records/journal.ts';
import { type State, taskStateOf } from '../../domain/records/state.ts';
import type { Task } from '../../domain/task.ts';
import { isLate, timeoutRecords } from '../../respond/human/index.ts';
import { actionDetail, alternativesFor } from '../../tell/index.ts';
import type { LoopContext } from '../context.ts';
import type { DestructivePreview } from './destructive-preview.ts';
import type { OpenWaiting } from './waiting.ts';

/** Milliseconds between two checks for a decision made in another terminal. */
const SLICE_MS = 250;
/** Maximum number of actions of a task that may wait at once. Further ones are denied until you decide some. */
const MOST_OPEN = 20;

export type ManualApprovals = {
  /** Whether every action waits for you, except for reading. */
  readonly everyAction: boolean;
  readonly concerns: (action: Action) => boolean;
  /** Resolves with your decision, or with a denial when the wait is over. */
  readonly approve: (action: Action, gone: AbortSignal) => Promise<Ruling>;
  readonly open: () => string[];
  /** Ends the attempt's waits. Requests stay open, but their answers reach no agent. */
  readonly close: () => void;
};

export type ManualOptions = {
  readonly task: Task;
  readonly iteration: number;
  readonly agent: string;
  /** Id of the incident after which you chose to approve each action; `null`: you didn't choose that. */
  readonly because: string | null;
  /** Finds destructive actions; `null`: they aren't looked for. */
  readonly preview: DestructivePreview | null;
  /** Seconds that the agent's hook waits for an answer. */
  readonly waitsSeconds: number;
  readonly waiting: OpenWaiting;
};

export function openManualApprovals(context: LoopContext, options: ManualOptions): ManualApprovals {
  const { store, clock, ids } = context.ports;
  const { task, because, waiting } = options;
  const over = new AbortController();

  const takes = previewOnce(options.preview);
  const concerns = (action: Action) =>
    (because !== null && waitsForApproval(action)) || takes(action) !== null;

  function rulingOrRequest(action: Action, sha256: string): Ruling | GateRequest {
    let found: Ruling | GateRequest = denied(`${MOST_OPEN} other actions wait for the user already.`);
    store.commit((state): JournalBody[] => {
      const known = knownOf(state, options, sha256);
      if (known !== null) {
        found = known.decision;
        return known.records;
      }
      if (actionRequestsOf(state.human, task.id).length >= MOST_OPEN) return [];
      const opened = requestAbout(context, options, { action, sha256, preview: takes(action) }, state);
      found = opened;
      return [{ type: 'human_gate_opened', request: opened }];
    });
    return found;
  }

  async function approve(action: Action, gone: AbortSignal): Promise<Ruling> {
    const sha256 = ids.sha256(JSON.stringify([action.tool, action.cwd, action.input]));
    // A destructive action is denied at once, because the agent is told another way.
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

  /** Returns whether a request is still open. One whose time is over is ended here. */
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
    everyAction: because !== null,
    concerns,
    approve,
    open: () => actionRequestsOf(store.refresh().human, task.id).map(({ id }) => id),
    close: () => over.abort(),
  };
}

function knownOf(
  state: State,
  { task, iteration }: ManualOptions,
  sha256: string,
): { readonly decision: Ruling | GateRequest; readonly records: JournalBody[] } | null {
  const { human } = state;
  const { decisions } = taskStateOf(state, task.id);
  const approved = decisions.actions.find((one) => one.sha256 === sha256);
  if (approved !== undefined) {
    const record = { type: 'gated_action_allowed', taskId: task.id, request: approved.request } as const;
    return { decision: { decision: 'allow' }, records: [record] };
  }
  const isThis = ({ action, facts }: GateRequest) => facts.taskId === task.id && action?.sha256 === sha256;
  const refused = human.decided.findLast(
    ({ request, option }) => isThis(request) && request.iteration === iteration && option !== 'approve',
  );
  if (refused !== undefined) return { decision: refusal(refused), records: [] };
  const open = human.requests.find(isThis);
  return open === undefined ? null : { decision: open, records: [] };
}

type Waits = {
  readonly action: Action;
  readonly sha256: string;
  readonly preview: ReturnType<DestructivePreview>;
};

function requestAbout(
  { ports, secrets, run, config, root }: LoopContext,
  { task, iteration, agent, because }: ManualOptions,
  { action, sha256, preview }: Waits,
  { human }: State,
): GateRequest {
  const hide = redactor(secrets);
  const at = ports.clock.now();
  const gated: GatedAction = {
    tool: action.tool,
    shown: hide(describeAction(action)),
    detail: actionDetail(action, hide),
    sha256,
    ...(preview === null ? {} : { signs: preview.signs }),
  };
  const opening = { at, run, iteration, gates: config.human.gates };
  if (preview !== null) return requestFrom({ draft: { ...preview.draft, action: gated }, ...opening }, human);
  const facts = {
    ...NO_GATE_FACTS,
    taskId: task.id,
    title: task.title,
    agent,
    detectedAt: at,
    files: actionPaths(action, root),
  };
  const text = `After ${because} you chose to approve each action.`;
  const draft = {
    gate: 'MANUAL' as const,
    facts,
    action: gated,
    triggers: [{ gate: 'MANUAL' as const, name: 'manual' as const, text }],
  };
  return requestFrom({ draft, ...opening }, human);
}

/** Returns a preview that keeps its answer for each call, because a call is checked several times. */
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

/** Returns a denial that doesn't count against the agent, which did nothing wrong. */
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
