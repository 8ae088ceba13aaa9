import type { Opened } from 'ralph-box/protocol';
import { parentOf } from 'ralph-kit/paths';
import { allowingLine, type RefusedHosts } from '../../domain/run-report.ts';

/** Access that a gate needs and the box denies: a phrase for it, and the configuration line that grants it. */
export type Opening = { readonly needs: string; readonly line: string };

const PATH = /["'‘`]((?:\/|~\/)[^"'’`]+)["'’`]|(?:^|[\s:=(])((?:\/|~\/)[^\s"':,;()]+)/;
const READ_ONLY = /read-only file ?system|EROFS/i;
const DOCKER = /docker(?:\.sock| daemon)|podman(?:\.sock|\/)/i;
const SOCKET =
  /(\/(?:var\/)?run\/[^\s"':,;()]+|\/[^\s"':,;()]+\.sock(?:et)?\b|\/[^\s"':,;()]*\.s\.PGSQL\.\d+)/;

/**
 * Returns why a gate passes outside of the box and fails in it, by its output and requests; `null` if they don't show it.
 * @param home Home folder, written as `~`.
 * @param refused Hosts that gates couldn't reach.
 */
export function openingFor(
  output: string,
  home: string,
  [refused]: readonly RefusedHosts[] = [],
): Opening | null {
  const lines = output.split('\n');
  if (lines.some((line) => DOCKER.test(line)))
    return { needs: 'the socket of docker', line: '[box] docker = true' };
  for (const line of lines.filter((one) => READ_ONLY.test(one))) {
    const match = PATH.exec(line);
    const path = (match?.[1] ?? match?.[2] ?? '').replace(/[.,:]+$/, '');
    if (path === '' || /\/\.git(?:\/|$)|\/\.ralph(?:\/|$)/.test(path)) continue;
    const short = withTilde(path, home);
    return { needs: `to write ${short}`, line: `[box] writable = [${JSON.stringify(folderOf(short))}]` };
  }
  for (const line of lines) {
    const socket = SOCKET.exec(line)?.[1];
    if (socket !== undefined)
      return { needs: `the socket ${socket}`, line: `[box] sockets = [${JSON.stringify(placeOf(socket))}]` };
  }
  return refused === undefined
    ? null
    : { needs: `to reach ${refused.hosts.join(', ')}`, line: `[box] ${allowingLine(refused)}` };
}

const NOT_SIGNED_IN =
  /\bE401\b|\bENEEDAUTH\b|\bE403\b|\b401\b.{0,20}Unauthorized|\b403\b.{0,20}Forbidden|(?:status(?: code)?|HTTP\/?[\d.]*|error:?) *:? *40[13]\b/i;
/** Files with credentials, by the output of tools that read them. */
const SIGN_INS: readonly (readonly [tool: RegExp, file: string])[] = [
  [/\bpnpm\b|\bnpm\b|\bE40[13]\b|ENEEDAUTH/i, '~/.npmrc'],
  [/\byarn\b|YN00\d\d/i, '~/.yarnrc.yml'],
  [/\bcargo\b|crates/i, '~/.cargo/credentials.toml'],
  [/\bmaven\b|\bmvn\b|\[ERROR\].*artifact/i, '~/.m2/settings.xml'],
  [/\bgradle\b/i, '~/.gradle/gradle.properties'],
  [/\bpip\b|\bpypi\b|\buv\b|simple\//i, '~/.netrc'],
];

export function signInLine(command: string, output: string): string | null {
  const line = output.split('\n').find((one) => NOT_SIGNED_IN.test(one));
  if (line === undefined) return null;
  const file = SIGN_INS.find(([tool]) => tool.test(`${command}\n${line}`))?.[1] ?? '~/.netrc';
  return `[box] readable = [${JSON.stringify(file)}]`;
}

export function openedLine({ paths, variables }: Opened, home: string): Opening {
  const short = paths.map((path) => withTilde(path, home));
  const lines = [
    ...(short.length === 0 ? [] : [`[box] readable = ${JSON.stringify(short)}`]),
    ...(variables.length === 0 ? [] : [`[gates] env = ${JSON.stringify(variables)}`]),
  ];
  return { needs: [...short, ...variables].join(' and '), line: lines.join(' and ') };
}

export function blindedText(name: string, opening: Opening | null): string {
  const why = opening === null ? '' : `, as it needs ${opening.needs}`;
  const line = opening === null ? '' : `${opening.line}, or `;
  return `Gate "${name}" passes outside of the box and fails in it${why}. Add to .ralph/ralph.toml: ${line}box = false for this gate.`;
}

/** Number of links in a message; for more, it names the folders that they lead to. */
const MOST_LINKS = 3;

export function notShownText(paths: readonly string[], home: string): string {
  const short = [...new Set(paths.map((path) => withTilde(path, home)))];
  const around = (path: string) => /^~\/[^/]+/.exec(path)?.[0] ?? parentOf(path);
  const named = short.length <= MOST_LINKS ? short : [...new Set(short.map(around))];
  const it = named.length === 1 ? 'it' : 'them';
  return `Links in what git ignores lead to ${named.join(', ')}, and the box doesn't show ${it}. If a gate needs ${it}, add to .ralph/ralph.toml: [box] readable = ${JSON.stringify(named)}.`;
}

function withTilde(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Returns the folder to open: in the home folder a tool's own one (`~/.nuget/…`), elsewhere the folder around the file. */
function folderOf(path: string): string {
  const [, top] = /^(~\/[^/]+)\/./.exec(path) ?? [];
  if (top !== undefined && !/^~\/\.(?:config|cache|local)$/.test(top)) return top;
  const [, below] = /^(~\/\.(?:config|cache|local\/\w+)\/[^/]+)\/./.exec(path) ?? [];
  return below ?? (path.startsWith('~/') ? path : parentOf(path));
}

/** Returns the folder of a socket, as servers create sockets anew, unless the folder also has those of others. */
function placeOf(socket: string): string {
  const folder = parentOf(socket);
  return /^(?:\/|(?:\/var)?\/(?:run|tmp)|(?:\/var)?\/run\/user\/\d+)$/.test(folder) ? socket : folder;
}
