import { expect, it } from 'vitest';
import { serversCheck } from '../../../src/app/doctor/checks/servers.ts';

it('doctor says what they reach', () => {
  const servers = [{ file: '.mcp.json', local: ['files', 'b'], remote: ['web'] }];
  const [boxed] = serversCheck.judge({ isBoxed: true, servers });
  expect(boxed?.detail).toBe(
    '.mcp.json: files, b, web. 2 programs run in the box with the agent, and can reach what the agent can; 1 service elsewhere gets what the agent sends',
  );
  expect(serversCheck.judge({ isBoxed: false, servers })[0]?.detail).toContain('run as you');
  expect(serversCheck.judge({ isBoxed: true, servers: [] })).toEqual([]);
});
