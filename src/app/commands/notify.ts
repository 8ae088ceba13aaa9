import { EXIT } from '../../domain/exit.ts';
import type { Delivery } from '../../domain/ports.ts';
import { failure, success } from '../result.ts';
import { requireTrust, type TrustMode } from '../setup/check-trust.ts';
import { notifyOf } from '../setup/notify-of.ts';
import { inProject } from '../setup/project.ts';
import type { ProjectInput } from '../setup/workspace.ts';

export type NotifyInput = ProjectInput & { readonly trust: TrustMode };

export type NotifyResult = { readonly deliveries: readonly Delivery[] };

/** Sends a test notification on every channel of `[notify]`. Exit code 1 means that a channel didn't accept it. */
export function notifyTest(input: NotifyInput) {
  return inProject(input, async (project) => {
    const { root, stateHome, config, configEntries, clock, box } = project;
    const untrusted = await requireTrust({ root, stateHome, config, entries: configEntries() }, input.trust);
    if (untrusted !== null) return untrusted;
    const planned = box();
    if (!planned.ok) return planned;
    const channels = notifyOf(project, planned.box);
    const deliveries = await channels.send({
      kind: 'test',
      at: clock.now(),
      run: 'none',
      taskId: null,
      incident: null,
      severity: 'info',
      title: 'ralph: a test',
      text: 'ralph notifies you like this when a run ends or needs you.',
      next: ['ralph status'],
      result: null,
      waits: null,
    });
    if (deliveries.length === 0)
      return failure(
        'Nothing can be sent: [notify] names no command, webhook, desktop, telegram or ntfy.',
        'Add [notify] desktop = true to .ralph/ralph.toml.',
      );
    const unreadable = await channels.unreadable();
    const result: NotifyResult = {
      deliveries: deliveries.map((one) => {
        const lost = unreadable.find(({ channel }) => channel === one.channel);
        return one.ok && lost !== undefined
          ? { ...one, ok: false, error: `answers can't be read: ${lost.error}` }
          : one;
      }),
    };
    return success(result, result.deliveries.every(({ ok }) => ok) ? EXIT.ok : EXIT.unexpected);
  });
}
