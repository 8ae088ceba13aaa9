import { describe, expect, it } from 'vitest';
import { serversCheck, serversIn } from '../../../src/app/doctor/checks/servers.ts';

const local = { command: 'npx', args: ['-y', 'a-server'] };
const remote = { type: 'http', url: 'https://example.com/mcp' };

describe('servers of tools', () => {
  it.each([
    ['.mcp.json', JSON.stringify({ mcpServers: { files: local, web: remote } })],
    [
      '.claude.json',
      JSON.stringify({
        mcpServers: { files: local },
        projects: { '/repo': { mcpServers: { web: remote } } },
      }),
    ],
    ['gemini', JSON.stringify({ mcpServers: { files: local, web: { httpUrl: 'https://example.com' } } })],
    [
      'opencode',
      '{ // mine\n "mcp": { "files": { "type": "local", "command": ["a"] }, "web": { "type": "remote", "url": "https://e" } }, }',
    ],
    ['vscode', JSON.stringify({ servers: { files: local, web: remote } })],
    [
      'codex',
      'model = "m"\n[mcp_servers.files]\ncommand = "npx"\n[mcp_servers.files.env]\nurl = "x"\n[mcp_servers."web"]\nurl = "https://e"\n',
    ],
  ])('%s', (_, text) => expect(serversIn(text, '/repo')).toEqual({ local: ['files'], remote: ['web'] }));

  it.each([
    '',
    '{',
    '[]',
    '{"mcpServers": {}}',
    '{"mcpServers": [1], "projects": {"/other": {"mcpServers": {"a": {}}}}}',
    'mcp_servers = 1',
  ])('%j names none', (text) => expect(serversIn(text, '/repo')).toBeNull());

  it('doctor says what they reach', () => {
    const servers = [{ file: '.mcp.json', local: ['files', 'b'], remote: ['web'] }];
    const [boxed] = serversCheck.judge({ isBoxed: true, servers });
    expect(boxed?.detail).toBe(
      '.mcp.json: files, b, web. 2 programs run in the box with the agent, and can reach what the agent can; 1 service elsewhere gets what the agent sends',
    );
    expect(serversCheck.judge({ isBoxed: false, servers })[0]?.detail).toContain('run as you');
    expect(serversCheck.judge({ isBoxed: true, servers: [] })).toEqual([]);
  });
});
