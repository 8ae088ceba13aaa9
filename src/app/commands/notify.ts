import { EXIT } from '../../domain/exit.ts';
import type { Delivery } from '../../domain/ports.ts';
import { openNotify } from '../../io/notify/index.ts';
import { failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { ownCommands } from '../setup/own-commands.ts';
import { inProject } from '../setup/project.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type NotifyInput = ProjectInput & { readonly trust: TrustMode };

export type NotifyResult = { readonly deliveries: readonly Delivery[] };

/** `ralph notify test`: sends a notification on every channel of `[notify]`; exit 1 where one doesn't take it. */
export function notifyTest(input: NotifyInput) {
  return inProject(input, async ({ root, stateHome, config, configEntries, clock, box }) => {
    const untrusted = await requireTrust({ root, stateHome, config, entries: configEntries() }, input.trust);
    if (untrusted !== null) return untrusted;
    const planned = box();
    if (!planned.ok) return planned;
    const channels = openNotify({
      ...{ settings: config.notify, ofStops: [], clock, root, env: process.env },
      ...{ box: planned.box, runsRepository: ownCommands(root, process.env) },
      atTerminal: process.stdout.isTTY === true,
    });
    const deliveries = await channels.send({
      ...{ kind: 'test', at: clock.now(), run: 'none', taskId: null, incident: null, severity: 'info' },
      title: 'ralph: a test',
      text: 'ralph notifies you like this when a run ends or needs you.',
      ...{ next: ['ralph status'], result: null },
    });
    if (deliveries.length === 0)
      return failure(
        'Nothing can be sent: [notify] names no command, webhook, email or desktop.',
        'ralph doctor --config',
      );
    const result: NotifyResult = { deliveries };
    return success(result, deliveries.every(({ ok }) => ok) ? EXIT.ok : EXIT.unexpected);
  });
}
