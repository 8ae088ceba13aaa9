import { counted } from 'ralph-kit/counted';
import { WHY_WAITING } from '../domain/fleet.ts';

/** Returns a text such as "Coordinated by process 12 on host." */
export function coordinatorText({ coordinator }: { readonly coordinator: string | null }): string {
  return coordinator === null ? 'No run coordinates the fleet.' : `Coordinated by ${coordinator}.`;
}

type Queue = {
  readonly agent: string;
  readonly labels: readonly string[];
  readonly held: boolean;
  readonly why: keyof typeof WHY_WAITING;
  /** Tasks of the attempts that wait. */
  readonly waiting: readonly string[];
};

/** Returns texts about waiting attempts, and about accounts at their limit even if no attempt waits for them. */
export function waitingTexts({ queues }: { readonly queues: readonly Queue[] }): string[] {
  return queues.flatMap(({ agent, labels, held, why, waiting }) => {
    const who = [agent, ...labels].join(', ');
    if (waiting.length > 0)
      return [
        `${counted(waiting.length, 'attempt')} for ${who} waiting, ${WHY_WAITING[why]}: ${waiting.join(', ')}`,
      ];
    return held ? [`${who} is held: ${WHY_WAITING.held}`] : [];
  });
}
