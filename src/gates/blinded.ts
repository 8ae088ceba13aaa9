import { allowingLine, type RefusedHosts } from '../domain/run-report.ts';

/** What a gate needs that the box takes away: the words for it, and the line of `[box]` that gives it back. */
export type Opening = { readonly needs: string; readonly line: string };

/** A path as messages give it: in quotation marks, or as a word. */
const PATH = /["'‘`]((?:\/|~\/)[^"'’`]+)["'’`]|(?:^|[\s:=(])((?:\/|~\/)[^\s"':,;()]+)/;
const READ_ONLY = /read-only file ?system|EROFS/i;
const DOCKER = /docker(?:\.sock| daemon)|podman(?:\.sock|\/)/i;
const SOCKET =
  /(\/(?:var\/)?run\/[^\s"':,;()]+|\/[^\s"':,;()]+\.sock(?:et)?\b|\/[^\s"':,;()]*\.s\.PGSQL\.\d+)/;

/**
 * Why a gate that passes outside of the box fails in it, from what it printed and asked for; `null` where that doesn't show it.
 *
 * @param home The home folder, to be written as `~`.
 * @param refused Hosts that gates couldn't reach.
 */
export function openingFor(
  output: string,
  home: string,
  [refused]: readonly RefusedHosts[] = [],
): Opening | null {
  const lines = output.split('\n');
  if (lines.some((line) => DOCKER.test(line)))
    return { needs: 'the socket of docker', line: 'docker = true' };
  for (const line of lines.filter((one) => READ_ONLY.test(one))) {
    const match = PATH.exec(line);
    const path = (match?.[1] ?? match?.[2] ?? '').replace(/[.,:]+$/, '');
    if (path === '' || /\/\.git(?:\/|$)|\/\.ralph(?:\/|$)/.test(path)) continue;
    const short = withTilde(path, home);
    return { needs: `to write ${short}`, line: `writable = [${JSON.stringify(folderOf(short))}]` };
  }
  for (const line of lines) {
    const socket = SOCKET.exec(line)?.[1];
    if (socket !== undefined)
      return { needs: `the socket ${socket}`, line: `sockets = [${JSON.stringify(placeOf(socket))}]` };
  }
  return refused === undefined
    ? null
    : { needs: `to reach ${refused.hosts.join(', ')}`, line: allowingLine(refused) };
}

/** What to say of a gate that passes outside alone. */
export function blindedText(name: string, opening: Opening | null): string {
  const why = opening === null ? '' : `, as it needs ${opening.needs}`;
  const line = opening === null ? '' : `[box] ${opening.line}, or `;
  return `Gate "${name}" passes outside of the box and fails in it${why}. Add to .ralph/ralph.toml: ${line}box = false for this gate.`;
}

function withTilde(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** In the home folder what tools make stands at its top (`~/.nuget/…`); elsewhere the folder around a file. */
function folderOf(path: string): string {
  const [, top] = /^(~\/[^/]+)\/./.exec(path) ?? [];
  if (top !== undefined && !/^~\/\.(?:config|cache|local)$/.test(top)) return top;
  const [, below] = /^(~\/\.(?:config|cache|local\/\w+)\/[^/]+)\/./.exec(path) ?? [];
  return below ?? (path.startsWith('~/') ? path : parentOf(path));
}

/** The folder of a socket, as servers make theirs anew; not one that holds those of others. */
function placeOf(socket: string): string {
  const folder = parentOf(socket);
  return /^(?:\/|(?:\/var)?\/(?:run|tmp)|(?:\/var)?\/run\/user\/\d+)$/.test(folder) ? socket : folder;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
