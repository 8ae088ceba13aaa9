import type { AgentAdapter } from 'ralph-agents/protocol';
import {
  attemptNumber,
  configuredLimits,
  decidingSettings,
  limitsFor,
  promptBounds,
  sessionToResume,
  stateFor,
  type timeoutFor,
} from '../../decide/index.ts';
import { addCost } from '../../domain/policy.ts';
import type { IterationFacts } from '../../domain/records/iteration.ts';
import { budgetOf } from '../budget-of.ts';
import type { JudgeContext, LoopContext } from '../context.ts';
import type { Chosen } from './chosen.ts';

/** Number of done tasks whose titles are recorded: the newest ones. */
const TITLES_KEPT = 5;

type Beginning = JudgeContext & Pick<LoopContext, 'workflow'>;

type ChosenTask = Pick<Chosen, 'task' | 'why' | 'choice' | 'tasks'>;

export function factsAtStart(
  context: Beginning,
  {
    task,
    why,
    adapter,
    choice,
    tasks,
  }: ChosenTask & {
    readonly adapter: Pick<AgentAdapter, 'name' | 'output' | 'keepsNoSession'>;
  },
  timeout: ReturnType<typeof timeoutFor>,
  unjudged: IterationFacts['begun'],
) {
  const { ports, config, run, mode, workplace } = context;
  const { state } = ports.store;
  const stateFacts = stateFor(state, task.id, adapter.name);
  const configured = configuredLimits(config);
  return {
    run,
    iteration: state.counters.iteration + 1,
    ...workplace,
    agent: adapter.name,
    agentOutput: adapter.output,
    mode: mode.name,
    startedAt: ports.clock.now(),
    ...stateFacts,
    task,
    choice,
    chosenBecause: why,
    attempt: attemptNumber(stateFacts.taskState),
    begun: unjudged,
    timeoutSeconds: timeout.seconds,
    timeoutReason: timeout.reason,
    modeTimeoutSeconds: mode.timeoutSeconds,
    adaptiveTimeout: config.adaptive_timeout,
    level: timeout.level,
    settings: decidingSettings({ ...context, isBoxed: ports.proc.isBoxed }),
    limits: limitsFor(configured, stateFacts.taskState),
    configuredLimits: configured,
    resumed: config.loop.resume ? sessionToResume(stateFacts.taskState, adapter) : null,
    baseline: state.baseline,
    stateSeq: state.seq,
    effectiveness: state.interventionStats.cells.filter(({ agent }) => agent === adapter.name),
    doneTitles: tasks
      .filter(({ status }) => status === 'done')
      .map(({ title }) => title)
      .slice(-TITLES_KEPT),
    ...policyAtStart(context, choice, adapter.name),
    ...promptBounds(state, task, adapter.name, config),
    promptSha256: '',
    promptText: '',
    inputs: '',
  };
}

function policyAtStart(
  context: Beginning,
  { policy }: Chosen['choice'],
  agent: string,
): Pick<IterationFacts, 'breaks' | 'budget'> {
  const { ports, config } = context;
  const { agentFailures, blockedTasks, cycles, armed } = ports.store.state.policy;
  return {
    breaks: { strict: config.policy.break.strict, agentFailures, blockedTasks, cycles, armed },
    // Money that is reserved for other workers counts as spent.
    budget: budgetOf(
      context,
      { agent, role: 'maker' },
      { limits: policy.limits, spent: addCost(policy.spent, policy.reserved) },
    ),
  };
}
