import { counted } from 'ralph-kit/counted';
import type { FleetStatusResult } from '../../app/commands/fleet/control.ts';
import { WHY_WAITING } from '../../domain/fleet.ts';

/** Returns a text such as "Coordinated by process 12 on host." */
export function coordinatorText({ coordinator }: Pick<FleetStatusResult, 'coordinator'>): string {
  return coordinator === null ? 'No run coordinates the fleet.' : `Coordinated by ${coordinator}.`;
}

/** Returns texts about waiting attempts, and about accounts at their limit even if no attempt waits for them. */
export function waitingTexts({ queues }: Pick<FleetStatusResult, 'queues'>): string[] {
  return queues.flatMap(({ agent, labels, held, why, waiting }) => {
    const who = [agent, ...labels].join(', ');
    if (waiting.length > 0)
      return [
        `${counted(waiting.length, 'attempt')} for ${who} waiting, ${WHY_WAITING[why]}: ${waiting.join(', ')}`,
      ];
    return held ? [`${who} is held: ${WHY_WAITING.held}`] : [];
  });
}
