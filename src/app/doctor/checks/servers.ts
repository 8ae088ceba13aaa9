import { homedir } from 'node:os';
import { join } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { realPathOf } from 'ralph-kit/files/real-path';
import { isObject } from 'ralph-kit/is-object';
import { firstFew, onOneLine } from 'ralph-kit/text';
import stripJsonComments from 'strip-json-comments';
import { plainText } from '../../../store/index.ts';
import { boxStatusOf } from '../../setup/box.ts';
import { check, info } from '../check.ts';

/** Tool servers (MCP) named in a file: programs that the agent starts, and addresses that it contacts. */
export type NamedServers = {
  readonly file: string;
  readonly local: readonly string[];
  readonly remote: readonly string[];
};

/** Settings files of agents in the home folder; `OF_THE_REPOSITORY` has those in a repository. */
const OF_THE_USER = [
  '.claude.json',
  '.codex/config.toml',
  '.copilot/mcp-config.json',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.factory/mcp.json',
  '.config/opencode/opencode.json',
  '.config/opencode/opencode.jsonc',
];
const OF_THE_REPOSITORY = [
  '.mcp.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.factory/mcp.json',
  '.vscode/mcp.json',
  'opencode.json',
  'opencode.jsonc',
];

export const serversCheck = check({
  gather: ({ root, config }) => {
    const home = process.env.HOME ?? homedir();
    const isBoxed = config.box.mode !== 'off' && boxStatusOf({ root }).kind === 'on';
    const ofUser = OF_THE_USER.map((file) => ({ path: join(home, file), file: `~/${file}` }));
    const ofRepository = OF_THE_REPOSITORY.map((file) => ({ path: join(root, file), file }));
    const servers = [...ofUser, ...ofRepository].flatMap(({ path, file }) => {
      const found = serversIn(plainText(realPathOf(path), MAX_BYTES) ?? '', root);
      return found === null ? [] : [{ file, ...found }];
    });
    return { isBoxed, servers };
  },
  judge: ({ isBoxed, servers }) => {
    if (servers.length === 0) return [];
    const named = servers.map(
      ({ file, local, remote }) => `${file}: ${firstFew([...local, ...remote].map(onOneLine), 5)}`,
    );
    const [local, remote] = [count(servers, 'local'), count(servers, 'remote')];
    const reach = [
      ...(local === 0
        ? []
        : [
            `${counted(local, 'program')} ${local === 1 ? 'runs' : 'run'} ${isBoxed ? 'in the box with the agent, and' : 'as you, and'} can reach what the agent can`,
          ]),
      ...(remote === 0
        ? []
        : [`${counted(remote, 'service')} elsewhere ${remote === 1 ? 'gets' : 'get'} what the agent sends`]),
    ];
    const fix = 'Remove those that runs should not have (docs/BOX.md).';
    return [info('agents.servers', 'tool servers (MCP)', `${named.join('; ')}. ${reach.join('; ')}`, fix)];
  },
});

function count(servers: readonly NamedServers[], kind: 'local' | 'remote'): number {
  return servers.reduce((sum, one) => sum + one[kind].length, 0);
}

const MAX_BYTES = 16_000_000;

/** Returns the servers named in an agent's settings file; `null`: none. claude keeps some servers per `root`. */
export function serversIn(text: string, root: string): Omit<NamedServers, 'file'> | null {
  const all = new Map([...inToml(text), ...inJson(text, root)]);
  if (all.size === 0) return null;
  const names = (isRemote: boolean) => [...all].filter(([, one]) => one === isRemote).map(([name]) => name);
  return { local: names(false), remote: names(true) };
}

type Found = readonly (readonly [name: string, isRemote: boolean])[];

function inJson(text: string, root: string): Found {
  let settings: unknown;
  try {
    settings = JSON.parse(stripJsonComments(text, { trailingCommas: true }));
  } catch {
    return [];
  }
  if (!isObject(settings)) return [];
  const { mcpServers, servers, mcp, projects } = settings;
  const own = isObject(projects) && isObject(projects[root]) ? projects[root].mcpServers : undefined;
  return [mcpServers, servers, mcp, own].flatMap((group) =>
    Object.entries(isObject(group) ? group : {}).flatMap(([name, server]) =>
      isObject(server) ? [[name, isRemote(server)] as const] : [],
    ),
  );
}

function isRemote({ url, httpUrl }: Readonly<Record<string, unknown>>): boolean {
  return url !== undefined || httpUrl !== undefined;
}

/** codex names a server in `[mcp_servers.NAME]`. */
function inToml(text: string): Found {
  return text.split(/^(?=\[)/m).flatMap((part) => {
    const name = /^\[mcp_servers\.("[^"\n]+"|[\w-]+)\]/.exec(part)?.[1];
    return name === undefined ? [] : [[name.replaceAll('"', ''), /^url\s*=/m.test(part)] as const];
  });
}
