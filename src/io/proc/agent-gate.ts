import { readFileSync } from 'node:fs';
import type { AgentEvent, AgentPlan, GateMessage } from '../../domain/agent.ts';
import type { AgentProcessRequest, GateRequest } from '../../domain/ports.ts';
import type { Ruling } from '../../domain/review.ts';
import { openGate, overlaySettings } from '../gate/index.ts';
import { type Channel, openChannel } from './channel.ts';
import type { Environment } from './running.ts';

/** What has to be there before an agent starts: its plan, and the door by which it asks. */
export type Prepared = {
  readonly plan: AgentPlan;
  readonly channel: Channel | null;
  readonly close: () => void;
};

/** Seconds that an agent waits for its gate beyond the time that the attempt may take. */
const PATIENCE_BEYOND_SECONDS = 300;

/**
 * Opens the gate of an attempt.
 *
 * @param env what the agent starts from, without what its plan adds.
 * @throws The Node error when it cannot be made, SettingsError when the person's settings are in the way.
 */
export async function prepareGate(
  { cwd, limits, onEvent }: AgentProcessRequest,
  { contract, folder, onMessage, plan }: GateRequest,
  env: Environment,
): Promise<Prepared> {
  const gate = await openGate({
    folder,
    cwd,
    patienceSeconds: Math.ceil((limits.wallMs + limits.graceMs) / 1000) + PATIENCE_BEYOND_SECONDS,
    onMessage: (text) => {
      if (contract.transport === 'control channel') return { text: '', exitCode: 2 };
      const message = contract.read(text);
      if (message.kind === 'events') for (const event of message.events) onEvent(event);
      return contract.answer(message, ruled(onMessage, message));
    },
  });
  let channel: Channel | null = null;
  const close = () => {
    channel?.close();
    gate.close();
  };
  try {
    const asking = plan(gate.place);
    gate.write(asking.files);
    if (asking.overlay !== undefined) overlaySettings(gate.place.folder, asking.overlay, env);
    if (asking.stdin === 'channel') channel = openChannel(gate.place.folder);
    return { plan: asking, channel, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A reviewer that breaks allows nothing. */
function ruled(onMessage: (message: GateMessage) => Ruling, message: GateMessage): Ruling {
  try {
    return onMessage(message);
  } catch {
    return { decision: 'deny', rule: 'no_answer', reason: 'ralph: the reviewer failed, so this is denied.' };
  }
}

/** Leads the talk on a control channel: asks for the gate, gives the prompt, answers, and ends it with the result. */
export function converse(channel: Channel, request: AgentProcessRequest): (event: AgentEvent) => void {
  if (request.gate?.contract.transport !== 'control channel') throw new Error('a channel needs its contract');
  const { contract, onMessage, onOpen } = request.gate;
  const { opening, message: wrap, answer } = contract;
  channel.send(opening);
  return (event) => {
    if (event.kind === 'result') channel.end();
    if (event.kind !== 'gate') return;
    const ruling = ruled(onMessage, event.message);
    if (event.message.kind !== 'ready') {
      channel.send(answer(event.message, ruling));
      return;
    }
    channel.send(wrap(readFileSync(request.promptFile, 'utf8')));
    onOpen?.((text) => channel.send(wrap(text)));
  };
}
