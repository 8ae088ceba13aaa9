import type { SnakeKeys } from 'ralph-kit/snake-keys';
import { CONSEQUENCES, type Unavailable } from '../domain/service.ts';

/** Returns why an agent can't work and until when, in ISO 8601 UTC. */
export function unavailableText(
  name: string,
  { kind, until, reset_known, message }: SnakeKeys<Unavailable>,
): string {
  const when =
    until === null ? 'given up in the last run' : reset_known ? `until ${until}` : `next try at ${until}`;
  return `${name}: ${CONSEQUENCES[kind].words}, ${when} (${message})`;
}
