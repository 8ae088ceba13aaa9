/** @module-tag slow */

import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { fleetProject } from '../helpers/fleet.ts';
import { HAS_REDIS } from '../helpers/redis.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

describe.skipIf(!HAS_REDIS)('watches a fleet', () => {
  let stop = async (): Promise<void> => undefined;
  afterAll(() => stop());

  it('wait once for an engine that is away, and see it when it is back', async () => {
    const { server, project } = await fleetProject(named(1), { acts: OWN_FILE, together: 1 });
    ({ stop } = server);
    // The module reads the address when it is loaded, so it is imported late.
    const { openFleetView } = await import('../../src/app/commands/fleet/view.ts');
    const look = openFleetView({ cwd: project.root });
    expect((await look())?.problem).toBeNull();
    await server.kill();
    const away = await look();
    expect(away).toMatchObject({ status: null, problem: expect.stringContaining("doesn't answer") });
    expect(await Promise.race([look(), setImmediate('it waits')])).toEqual(away);
    await server.start();
    await eventually(async () => expect((await look())?.problem).toBeNull());
  });
});
