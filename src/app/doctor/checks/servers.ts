import { homedir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS, type NamedServers, namedServers } from 'ralph-agents';
import { counted } from 'ralph-kit/counted';
import { plainText } from 'ralph-kit/files/plain-file';
import { realPathOf } from 'ralph-kit/files/real-path';
import { firstFew, onOneLine } from 'ralph-kit/text';
import { boxStatusOf } from '../../setup/box.ts';
import { check, info } from '../check.ts';

type ServersFile = NamedServers & { readonly file: string };

/** Files of a repository that several agents read. */
const OF_SEVERAL = ['.mcp.json', '.vscode/mcp.json'];

export const serversCheck = check({
  gather: ({ root, config }) => {
    const home = process.env.HOME ?? homedir();
    const isBoxed = config.box.mode !== 'off' && boxStatusOf({ root }).kind === 'on';
    const places = Object.values(ADAPTERS).map(({ servers }) => servers);
    const ofUser = places
      .flatMap((place) => place.home)
      .map((file) => ({ path: join(home, file), file: `~/${file}` }));
    const ofRepository = [...OF_SEVERAL, ...places.flatMap(({ repository }) => repository)].map((file) => ({
      path: join(root, file),
      file,
    }));
    const servers = [...ofUser, ...ofRepository].flatMap(({ path, file }) => {
      const found = namedServers(plainText(realPathOf(path), MAX_BYTES) ?? '', root);
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

function count(servers: readonly ServersFile[], kind: 'local' | 'remote'): number {
  return servers.reduce((sum, one) => sum + one[kind].length, 0);
}

const MAX_BYTES = 16_000_000;
