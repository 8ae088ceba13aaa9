import type { GateRequest } from '../../domain/human/gate.ts';
import { StoreError } from '../../domain/ports.ts';
import { redact } from '../../lib/redact.ts';
import { gatePanel, gateText } from '../../respond/human/index.ts';
import type { LoopContext } from '../context.ts';
import { tellPeople } from './tell-people.ts';

/** Fits every terminal. */
const PANEL_WIDTH = 60;

/**
 * Shows a request on record, notifies you, and comments on the issue of a GitHub tracker. An answer there decides nothing.
 *
 * @param notifies false: it is shown alone, as you were notified of another one that it waits with.
 */
export async function announceGate(
  context: LoopContext,
  request: GateRequest,
  notifies = true,
): Promise<void> {
  const { ports, secrets } = context;
  const { id, iteration, facts, escalated } = request;
  const panel = redact(gatePanel(request, PANEL_WIDTH), secrets);
  ports.emit({ kind: 'human_gate', id, taskId: facts.taskId, panel });
  if (!notifies) return;
  const text = redact(gateText(request), secrets);
  // Of single actions there are too many for an issue.
  if (request.action === null) await commentOn(context, request, text);
  await tellPeople(context, iteration, {
    kind: 'awaiting_human',
    taskId: facts.taskId,
    incident: null,
    severity: escalated || facts.severity === 'critical' ? 'critical' : 'warning',
    title: `ralph: ${request.action === null ? 'task' : 'an action of'} ${facts.taskId} waits for you (${id})`,
    text,
    next: [`ralph approvals show ${id}`, `ralph approvals decide ${id}`],
    result: null,
  });
}

async function commentOn({ ports }: LoopContext, { facts }: GateRequest, text: string): Promise<void> {
  try {
    await ports.tracker.comment(facts.taskId, text);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    ports.emit({ kind: 'warning', message: `${facts.taskId} could not be commented on: ${error.message}` });
  }
}
