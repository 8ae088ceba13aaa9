import { addToReport, startReport, usageSoFar } from 'ralph-agents';
import type { AgentEvent, ModelUsage } from 'ralph-agents/event';
import { type AgentAdapter, lineReader } from 'ralph-agents/protocol';
import { parseJson } from 'ralph-kit/parse-json';
import { costOfCutOff, sessionToResume } from '../decide/index.ts';
import type { Cost } from '../domain/policy.ts';
import { iterationPath, roleFolder } from '../domain/records/iteration-path.ts';
import { type OpenIteration, taskStateOf } from '../domain/records/state.ts';
import { STARTED_ROLE, StartedRole, SupportRole } from '../domain/workflow/roles.ts';
import type { LoopContext } from './context.ts';

/**
 * Returns the cost to charge to the budget for an attempt whose end wasn't seen, estimated from the output of all its
 * agents.
 */
export function chargeFor(context: LoopContext, open: OpenIteration): Cost {
  const { ports, adapters, config } = context;
  const { store, clock } = ports;
  const { taskId, agent, startedAt, timeoutSeconds } = open;
  const folder = iterationPath(open);
  const adapter = adapters.find(({ name }) => name === agent);
  const session =
    adapter?.cumulativeUsage === true && config.loop.resume
      ? sessionToResume(taskStateOf(store.state, taskId), adapter)
      : null;
  const before = session?.usage ?? [];
  const maker = shownBy(context, folder, adapter, { asked: adapter?.model ?? null, before });
  const roles = startedRoles(context, folder);
  return costOfCutOff({
    agents: [maker, ...roles],
    prices: config.budget.prices,
    known: store.state.policy,
    elapsedMs: Date.parse(clock.now()) - Date.parse(startedAt),
    timeoutMs: timeoutSeconds * 1000 * (1 + roles.length),
  });
}

type Shown = { readonly usage: readonly ModelUsage[]; readonly began: boolean };

function shownBy(
  { ports }: LoopContext,
  folder: string,
  adapter: AgentAdapter | undefined,
  {
    asked: requestedModel,
    before: earlierUsage,
  }: { readonly asked: string | null; readonly before: readonly ModelUsage[] },
): Shown {
  const output = ports.store.readDocument(`${folder}/output.log`) ?? '';
  let report = startReport({ sessionId: null, requestedModel, earlierUsage });
  const parse = adapter === undefined ? (): readonly AgentEvent[] => [] : lineReader(adapter);
  for (const event of output.split('\n').flatMap((line) => parse(line))) report = addToReport(report, event);
  return { usage: usageSoFar(report), began: output !== '' };
}

function startedRoles(context: LoopContext, folder: string): readonly Shown[] {
  const { ports, workflow, prover } = context;
  const ofRoles = [...(workflow?.agents.values() ?? [])].flatMap(({ first, others }) => [first, ...others]);
  const others = prover === null ? ofRoles : [...ofRoles, prover];
  const all = [...context.adapters, ...others.map(({ adapter }) => adapter)];
  const shown: Shown[] = [];
  for (let number = 1; ; number += 1) {
    const places = SupportRole.options.map((role) => `${folder}/roles/${roleFolder({ number, role })}`);
    const found = places.filter((place) => ports.store.readDocument(`${place}/${STARTED_ROLE}`) !== null);
    if (found.length === 0) return shown;
    for (const one of found) {
      // `null`: the document is damaged, so the agent's usage is unknown.
      const started = parseJson(ports.store.readDocument(`${one}/${STARTED_ROLE}`), StartedRole);
      const adapter = all.find(({ name }) => name === started?.agent);
      const asked = started?.model ?? adapter?.model ?? null;
      for (const place of [one, `${one}/repair`])
        shown.push(shownBy(context, place, adapter, { asked, before: [] }));
    }
  }
}
