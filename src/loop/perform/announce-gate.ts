import type { GateRequest } from '../../domain/human/gate.ts';
import { StoreError } from '../../domain/ports.ts';
import { redact } from '../../lib/redact.ts';
import { gateText } from '../../respond/human/index.ts';
import type { LoopContext } from '../context.ts';
import { tellPeople } from './tell-people.ts';

/** Notifies you of a request on record, and comments on the issue of a GitHub tracker. An answer there decides nothing. */
export async function announceGate(context: LoopContext, request: GateRequest): Promise<void> {
  const { secrets } = context;
  const { id, iteration, facts, escalated } = request;
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
    ports.store.commit([
      { type: 'warned', message: `${facts.taskId} could not be commented on: ${error.message}` },
    ]);
  }
}
