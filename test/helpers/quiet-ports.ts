import type { Config } from '../../src/domain/config.ts';
import type { Clock, Ids, Ports } from '../../src/domain/ports.ts';
import { openHandlers } from '../../src/io/handlers/index.ts';
import { openNotify } from '../../src/io/notify/index.ts';
import { openTelemetry } from '../../src/io/telemetry/index.ts';

/** The ports to people, modules and traces, with nothing configured. */
export function quietPorts(options: {
  readonly config: Config;
  readonly root: string;
  readonly clock: Clock;
  readonly ids: Ids;
}): Pick<Ports, 'notify' | 'handlers' | 'telemetry'> {
  const { config, root, clock, ids } = options;
  return {
    notify: openNotify({ settings: config.notify, clock, root, env: {} }),
    handlers: openHandlers({ handlers: {}, strategyModule: '', root, clock, env: {} }),
    telemetry: openTelemetry({ env: {}, clock, ids, version: '0', onProblem: () => undefined }),
  };
}
