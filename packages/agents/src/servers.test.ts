import { describe, expect, it } from 'vitest';
import { namedServers } from './servers.ts';

const local = { command: 'npx', args: ['-y', 'a-server'] };
const remote = { type: 'http', url: 'https://example.com/mcp' };

describe('the servers of a settings file', () => {
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
  ])('%s', (_, text) => expect(namedServers(text, '/repo')).toEqual({ local: ['files'], remote: ['web'] }));

  it.each([
    '',
    '{',
    '[]',
    '{"mcpServers": {}}',
    '{"mcpServers": [1], "projects": {"/other": {"mcpServers": {"a": {}}}}}',
    'mcp_servers = 1',
  ])('%j names none', (text) => expect(namedServers(text, '/repo')).toBeNull());
});
