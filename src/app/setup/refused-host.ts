import type { RefusedHost } from 'ralph-box';
import type { Store } from '../../domain/ports.ts';
import { eventInAttempt } from './refused-command.ts';

const WHO: Readonly<Record<RefusedHost['role'], string>> = {
  agent: 'the agent',
  gate: 'a gate',
  'set-up': 'a set-up command',
  git: 'a git hook',
  module: 'a module or a notification of yours',
};

/** Records a request for a host that isn't listed. @throws StoreError if the record can't be written. */
export function recordRefusedHost(
  store: Pick<Store, 'state' | 'commit'>,
  worker: number,
  { setting, entry, role }: RefusedHost,
): void {
  const summary = `${entry} isn't listed in [box] ${setting} and was refused: ${WHO[role]} asked for it`;
  const details = { summary, setting, entry, by: role };
  store.commit((state) => [
    eventInAttempt(state, worker, '', { event_type: 'host_refused', severity: 'warning', details }),
  ]);
}
