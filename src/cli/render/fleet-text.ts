import type { FleetStatusResult } from '../../app/commands/fleet/control.ts';
import { counted } from '../../lib/counted.ts';

type Queue = FleetStatusResult['queues'][number];

const WHY: Readonly<Record<Queue['why'], string>> = {
  paused: 'the fleet is paused (ralph fleet resume)',
  held: 'the account is at its limit',
  no_worker: 'no worker has that agent and these labels',
  busy: 'all workers for it are at work',
  starting: 'about to start',
};

/** "Coordinated by process 12 on host." */
export function coordinatorText({ coordinator }: Pick<FleetStatusResult, 'coordinator'>): string {
  return coordinator === null ? 'No run coordinates the fleet.' : `Coordinated by ${coordinator}.`;
}

/** What waits for workers, and why; accounts at their limit, too, where nothing waits for them. */
export function waitingTexts({ queues }: Pick<FleetStatusResult, 'queues'>): string[] {
  return queues.flatMap(({ agent, labels, held, why, waiting }) => {
    const who = [agent, ...labels].join(', ');
    if (waiting.length > 0)
      return [`${counted(waiting.length, 'attempt')} for ${who} waiting, ${WHY[why]}: ${waiting.join(', ')}`];
    return held ? [`${who} is held: ${WHY.held}`] : [];
  });
}
