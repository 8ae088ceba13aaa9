import type { SnakeKeys } from 'ralph-kit/snake-keys';
import { CONSEQUENCES, type Unavailable } from '../../domain/service.ts';
import { withLocalTimes } from '../../io/ui/index.ts';

export function unavailableText(
  name: string,
  { kind, until, reset_known, message }: SnakeKeys<Unavailable>,
): string {
  const when =
    until === null ? 'given up in the last run' : reset_known ? `until ${until}` : `next try at ${until}`;
  return withLocalTimes(`${name}: ${CONSEQUENCES[kind].words}, ${when} (${message})`, new Date());
}
