import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor } from 'ralph-agents';
import type { AgentEvent, HookMessage } from 'ralph-agents/event';
import type { HookContract, HookPlace } from 'ralph-agents/hook';
import type { Ruling } from 'ralph-kit/actions/action';
import type { AgentEnd } from '../../src/domain/agent.ts';
import { systemClock } from '../../src/io/clock.ts';
import { openProc } from '../../src/io/proc/index.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { agentEnv, makeRepository, type Place, writeAll } from './bench.ts';
import type { Agent } from './given.ts';
import { endLeftovers } from './leftovers.ts';
import type { Scenario } from './model/scenario.ts';
import { type ModelRequest, startModel } from './model/server.ts';
import { recordGate } from './recording.ts';

export type DirectTrial = {
  /** Names the recording of what came over the gate; without a name none is made. */
  readonly name?: string;
  readonly scenario: (place: Place) => Scenario;
  /** What the reviewer says. */
  readonly onMessage: (message: HookMessage, place: Place) => Ruling;
  /** Sends the agent to another door than the one that is open. */
  readonly misdirect?: (place: HookPlace, scratch: string) => Promise<HookPlace>;
  /** Changes how a control channel is spoken. */
  readonly garble?: (contract: HookContract) => HookContract;
  readonly extraArgs?: readonly string[];
  readonly wallSeconds?: number;
  readonly onOpen?: (send: (text: string) => boolean) => void;
  readonly onEvent?: (event: AgentEvent) => void;
};

export type DirectOutcome = Place & {
  readonly end: AgentEnd;
  readonly requests: readonly ModelRequest[];
  readonly events: readonly AgentEvent[];
};

/** An agent under ralph's supervision and gate, without the loop around it. */
export async function runDirect(agent: Agent, trial: DirectTrial): Promise<DirectOutcome> {
  const scratch = temporaryFolder();
  const home = join(scratch, 'home');
  const place: Place = { root: join(scratch, 'project'), precious: join(home, 'documents') };
  const { root, precious } = place;
  const model = await startModel(trial.scenario(place), root);
  const stops = { polite: new AbortController().signal, forced: new AbortController().signal };
  const events: AgentEvent[] = [];
  const heard: string[] = [];
  try {
    writeAll(home, { 'documents/keep.txt': 'keep me\n', ...agent.files({ url: model.url, home }) });
    mkdirSync(join(scratch, 'tmp'));
    makeRepository(root, { 'README.md': '# Scratch\n', 'src/index.js': 'export {};\n' });
    const promptFile = join(scratch, 'prompt.md');
    writeAll(scratch, { 'prompt.md': 'Create src/hello.txt.\n' });
    const choice = adapterFor(agent.name, {});
    if (!choice.ok || choice.adapter.hook === null) throw new Error(`${agent.name} has no hook`);
    const { adapter } = choice;
    const planWith = (hook: HookPlace | null) =>
      adapter.plan({
        prompt: 'Create src/hello.txt.\n',
        ...{
          promptFile,
          cwd: root,
          model: null,
          extraArgs: trial.extraArgs ?? [],
          env: {},
          resume: null,
          session: '00000000-0000-8000-8000-000000000001',
          title: 'Write the parser',
          boxed: false,
          reportFile: join(scratch, 'state', 'report', 'report.json'),
          hook,
        },
      });
    const contract = listening(trial.garble?.(choice.adapter.hook) ?? choice.adapter.hook, heard);
    const door = trial.misdirect;
    let misdirected: HookPlace | null = null;
    if (door !== undefined) {
      const nowhere = { folder: '', client: '', socket: '', token: 'token', patienceSeconds: 600 };
      misdirected = await door(nowhere, scratch);
    }
    const proc = openProc({
      clock: systemClock(),
      env: agentEnv([agent], { url: model.url, home, scratch }),
      root,
    });
    const { end } = await proc.runAgent({
      plan: planWith(null),
      hook: {
        contract,
        folder: join(scratch, 'state', 'gates'),
        plan: (open) => planWith(misdirected === null ? open : { ...misdirected, folder: open.folder }),
        onMessage: (message) => trial.onMessage(message, place),
        ...(trial.onOpen === undefined ? {} : { onOpen: trial.onOpen }),
      },
      promptFile,
      cwd: root,
      agent: agent.name,
      home: null,
      inherits: { which: 'all', additional: [] },
      limits: { wallMs: (trial.wallSeconds ?? 90) * 1000, idleMs: 0, graceMs: 1000 },
      outputFile: join(scratch, 'output.log'),
      errorFile: join(scratch, 'errors.log'),
      parse: adapter.parse,
      onEvent: (event) => {
        events.push(event);
        trial.onEvent?.(event);
      },
      stop: { ...stops, reason: () => null },
    });
    if (trial.name !== undefined)
      recordGate({ agent, name: trial.name, scratch, root, url: model.url }, heard);
    return { root, precious, end, requests: model.requests, events };
  } finally {
    endLeftovers(scratch);
    await model.close();
  }
}

/** The same contract, and what comes over it is written down. */
function listening(contract: HookContract, heard: string[]): HookContract {
  if (contract.transport === 'control channel' || contract.transport === 'ACP') return contract;
  return {
    ...contract,
    read: (text) => {
      heard.push(text);
      return contract.read(text);
    },
  };
}
