import { hostname } from 'node:os';
import type { LoopEvent } from '../../domain/loop-event.ts';
import type { Ports } from '../../domain/ports.ts';
import { inCopy } from '../../io/box/in-copy.ts';
import type { Box } from '../../io/box/index.ts';
import { realPathOf } from '../../io/files/real-path.ts';
import { watchFiles } from '../../io/files/watch-files.ts';
import { NO_HANDLERS, openHandlers } from '../../io/handlers/open-handlers.ts';
import { systemIds } from '../../io/ids.ts';
import type { ModuleHost } from '../../io/modules/index.ts';
import { openNotify } from '../../io/notify/index.ts';
import { openGateFiles } from '../../io/proc/gate-files.ts';
import { type LaunchAgent, openProc } from '../../io/proc/index.ts';
import { openTelemetry } from '../../io/telemetry/index.ts';
import { metricFamilies } from '../../state/index.ts';
import { VERSION } from '../version.ts';
import { ordersOf } from './box.ts';
import { heldOutOf } from './held-out.ts';
import { ownCommands } from './own-commands.ts';
import type { Project } from './project.ts';

/**
 * Everything through which a run touches the world. `close` ends what it started.
 *
 * @param host Where your modules run; absent: none is asked.
 */
export function openPorts(
  project: Project,
  emit: (event: LoopEvent) => void,
  stop: Ports['stop'],
  box: Box | null,
  { host, launchAgent }: { readonly host?: ModuleHost; readonly launchAgent?: LaunchAgent } = {},
): { readonly ports: Ports; readonly close: () => Promise<void> } {
  const { root, config, clock, store, git, tracker, readFile, exists, work, line } = project;
  const { env } = process;
  const ids = systemIds();
  const { handlers: named, strategy } = config.interventions;
  // Without a host there is no attempt that could be judged.
  const handlers =
    host === undefined
      ? NO_HANDLERS
      : openHandlers({ handlers: named, strategyModule: strategy.module, host, env });
  const onProblem = (message: string) => emit({ kind: 'warning', message });
  const proc = openProc({ clock, env, root, box, ...(launchAgent === undefined ? {} : { launchAgent }) });
  const telemetry = openTelemetry({
    ...{ env, clock, ids, version: VERSION, onProblem },
    metricsOf: metricFamilies,
  });
  return {
    ports: {
      ...{ clock, ids, store, git, work, line, tracker, readFile, exists, handlers },
      ...{ telemetry, emit, stop },
      proc,
      gateFiles: openGateFiles({
        env,
        root: box === null ? work.shown.files : root,
        at: inCopy(root, work.shown, () => [...ordersOf(project), ...heldOutOf(project.gates)]),
      }),
      watchOutside: async () => {
        if (box !== null) return async () => ({ files: [], git: [] });
        const [files, ofGit] = [watchFiles(root, ordersOf(project)), await git.watch()];
        return async () => ({ files: files(), git: await ofGit() });
      },
      realPath: realPathOf,
      notify: openNotify({
        ...{ settings: config.notify, ofStops: config.interventions.notification_channels },
        ...{ clock, root, env, box },
        runsRepository: ownCommands(root, env),
        atTerminal: process.stdout.isTTY === true,
      }),
      process: { pid: process.pid, host: hostname(), version: VERSION },
    },
    close: () => telemetry.flush(),
  };
}
