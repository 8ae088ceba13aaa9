import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { detectBox } from 'ralph-box';
import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { type Agent, agents } from './given.ts';
import { doesTheWork, says, shell } from './talk.ts';

const state = detectBox(false);
const isWhole = state.kind === 'on' && state.level === 'full';

/** A file of yours that it takes settings from, and one that it signs in with; `null`: it has none that it refreshes. */
const FILES: Readonly<Record<string, { readonly settings: string; readonly signIn: string | null }>> = {
  claude: { settings: '.claude/settings.json', signIn: '.claude/.credentials.json' },
  codex: { settings: '.codex/AGENTS.md', signIn: '.codex/auth.json' },
  copilot: { settings: '.copilot/mcp-config.json', signIn: null },
  gemini: { settings: '.gemini/GEMINI.md', signIn: '.gemini/oauth_creds.json' },
  opencode: { settings: '.config/opencode/AGENTS.md', signIn: '.local/share/opencode/auth.json' },
  pi: { settings: '.pi/agent/AGENTS.md', signIn: '.pi/agent/auth.json' },
  droid: { settings: '.factory/AGENTS.md', signIn: null },
  qwen: { settings: '.qwen/QWEN.md', signIn: '.qwen/oauth_creds.json' },
};
const SETTINGS = '{ "mcpServers": {} }\n';
const signInWith = (token: string) => `{ "of-nobody": { "type": "api", "key": "${token}" } }\n`;

/** Its folder in the box: gemini is given a home folder of its own. */
const HOME = '"$' + '{GEMINI_CLI_HOME:-$HOME}"';

/** Written by a script, as no review sees what a script does: the kernel alone stands between. */
function script({ settings, signIn }: (typeof FILES)[string], tries: readonly string[]): string {
  const files = [...tries, `${HOME}/${settings}`].map(
    (path) => `if (echo x >> ${path}) 2>/dev/null; then echo wrote; else echo kept; fi >> said.txt`,
  );
  const swap = signIn === null ? [] : [`sed -i s/token-1/token-2/ ${HOME}/${signIn}`];
  return `${[...files, ...swap].join('\n')}\n`;
}

describe.skipIf(!isWhole).each(agents())('$name in the box', (agent) => {
  it('changes nothing of yours through a script, and no key that you sign in with', async () => {
    const files = FILES[agent.name];
    if (files === undefined) throw new Error(`${agent.name} has no row`);
    const tries = ['~/new.txt', '~/documents/keep.txt', '.ralph/ralph.toml', '.ralph/PRD.md'];
    const outcome = await runWith(agent, {
      name: 'writes-outside',
      timeoutSeconds: 140,
      home: {
        [files.settings]: SETTINGS,
        ...(files.signIn === null ? {} : { [files.signIn]: signInWith('token-1') }),
      },
      files: { 'tidy.sh': script(files, tries), '.gitignore': 'said.txt\n' },
      runner: withoutOwnSandbox(agent),
      scenario: (place) => ({
        turns: [says('I tidy up.', shell('sh ./tidy.sh; cat said.txt')), ...doesTheWork(place)],
      }),
    });
    const home = dirname(outcome.precious);
    const seen = JSON.stringify(outcome.requests.at(-1)?.results);
    // In the copy, which the next task has for itself: the agent shows it.
    // The home folder in the box is its own.
    expect(seen?.match(/wrote(?=\\|")/g), seen).toHaveLength(1);
    expect(existsSync(join(home, 'new.txt'))).toBe(false);
    expect(seen?.match(/kept(?=\\|")/g), seen).toHaveLength(tries.length);
    expect(readFileSync(join(home, files.settings), 'utf8')).toBe(SETTINGS);
    expect(readFileSync(join(home, 'documents/keep.txt'), 'utf8')).toBe('keep me\n');
    if (files.signIn !== null)
      expect(readFileSync(join(home, files.signIn), 'utf8')).toBe(signInWith('token-1'));
    expect(outcome.iterations[0]?.decisions.verdict, seen).toEqual({ kind: 'done' });
    expect(outcome.alive ?? []).toEqual([]);
  });
});

describe.skipIf(!isWhole).each(agents())('$name in a box that reaches its model alone', (agent) => {
  it('does the work, and what it asks elsewhere is refused', async () => {
    const outcome = await runWith(agent, {
      name: 'network-by-list',
      config: (url) => `[box]\nnetwork = ["${new URL(url).host}"]\n`,
      runner: withoutOwnSandbox(agent),
      scenario: (place) => ({
        turns: [says('I look.', shell('curl -s http://elsewhere.example/ || true')), ...doesTheWork(place)],
      }),
    });
    const seen = JSON.stringify(outcome.requests.at(-1)?.results);
    expect(outcome.iterations[0]?.decisions.verdict, seen).toEqual({ kind: 'done' });
    expect(seen).toContain("isn't listed in [box] network");
  });
});

describe.skipIf(!isWhole).each(agents())('$name, whose model is far away', (agent) => {
  it('reaches it by the proxy in its box, and by yours', async () => {
    const userProxy = await openUserProxy();
    const { proxy } = userProxy;
    const env: Agent['env'] = (place) => ({ ...agent.env(place), http_proxy: proxy, https_proxy: proxy });
    try {
      const outcome = await runWith(
        { ...agent, env },
        {
          name: 'model-by-proxy',
          config: (url) => `[box]\nnetwork = ["${new URL(url).host}"]\n`,
          address: (url) => url.replace('127.0.0.1', 'model.example'),
          runner: withoutOwnSandbox(agent),
          scenario: (place) => ({ turns: doesTheWork(place) }),
        },
      );
      expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
      expect([...userProxy.asked]).toContain('model.example');
    } finally {
      userProxy.close();
    }
  });
});

/** A proxy that takes every host for one of this machine. */
async function openUserProxy() {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { hostname, port, pathname, search } = new URL(request.url ?? '');
    asked.add(hostname);
    const { method, headers } = request;
    const sent = requestHttp({ port, method, headers, path: `${pathname}${search}` }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  server.on('connect', ({ url = '' }, client, head) => {
    const [hostname = '', port] = url.split(':');
    asked.add(hostname);
    const host = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      host.write(head);
      host.pipe(client).pipe(host);
    });
    host.on('error', () => client.destroy());
    client.on('error', () => host.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const proxy = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { proxy, asked, close };
}

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isWhole || !isRoot).each(agents().filter(({ name }) => name === 'claude'))(
  '$name as root, which was not told that it is in a sandbox',
  (agent) => {
    it('works in the box', async () => {
      const env: Agent['env'] = (place) => {
        const { IS_SANDBOX: _, ...rest } = agent.env(place);
        return rest;
      };
      const outcome = await runWith(
        { ...agent, env },
        { name: 'root-in-the-box', scenario: (place) => ({ turns: doesTheWork(place) }) },
      );
      expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
    });
  },
);

/** What codex runs has a sandbox around it already: the box alone has to hold. */
function withoutOwnSandbox({ name }: Agent): string {
  return name === 'codex' ? 'extra_args = ["--sandbox", "danger-full-access"]' : '';
}
