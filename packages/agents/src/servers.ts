import { evaluate, parse } from '@humanwhocodes/momoa';
import { isObject } from 'ralph-kit/is-object';

/** Tool servers (MCP) named in a file: programs that the agent starts, and addresses that it contacts. */
export type NamedServers = { readonly local: readonly string[]; readonly remote: readonly string[] };

/**
 * Returns the servers that a settings file of an agent names, in JSON or TOML; `null`: none. @param root The repository:
 * claude keeps some servers for each.
 */
export function namedServers(text: string, root: string): NamedServers | null {
  const all = new Map([...inToml(text), ...inJson(text, root)]);
  if (all.size === 0) return null;
  const names = (isRemote: boolean) => [...all].filter(([, one]) => one === isRemote).map(([name]) => name);
  return { local: names(false), remote: names(true) };
}

type Found = readonly (readonly [name: string, isRemote: boolean])[];

function inJson(text: string, root: string): Found {
  const settings = parsed(text);
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

/** Returns the value of a JSON text, with comments or without; `undefined`: it isn't JSON. */
function parsed(text: string): unknown {
  try {
    // Some of these files have megabytes, and the reader of comments makes a tree of them.
    return JSON.parse(text);
  } catch {
    try {
      return evaluate(parse(text, { mode: 'jsonc', allowTrailingCommas: true }));
    } catch {
      return undefined;
    }
  }
}
