import { nameOf, placedPath } from '../../lib/paths.ts';
import {
  DOWNLOADED_MARK,
  exactField,
  type Field,
  fieldText,
  programName,
  type SimpleCommand,
  splitArguments,
} from '../shell/index.ts';
import type { Effect } from './effect.ts';
import { hostOf, LOCAL, REGISTRY } from './network/hosts.ts';
import type { WrittenFiles } from './written-files.ts';

/** Programs that run what the folder says in which they are called; with these words, where there are any. */
const BUILDERS: readonly (readonly [programs: RegExp, words: RegExp | null])[] = [
  [
    /^(?:g?make|ninja|just|task|rake|gradle|mvn|tox|nox|pytest|ctest|scons|waf|buck2?|sbt|lein|phpunit|rspec)$/,
    null,
  ],
  [
    /^(?:npm|pnpm|bun)$/,
    /^(?:i|install|ci|add|run|run-script|t|test|start|build|rebuild|exec|x|link|pack)\b/,
  ],
  [/^yarn$/, /^(?!--version|info|why|audit|config)/],
  [/^(?:npx|bunx|tsx|ts-node)$/, null],
  [/^pip\d?$/, /^install\b/],
  [/^(?:poetry|uv|pdm|hatch|rye|pipenv)$/, /^(?:install|sync|run|build|lock)\b/],
  [/^cargo$/, /^(?:b|build|r|run|t|test|bench|install|check|clippy|doc)\b/],
  [/^go$/, /^(?:run|test|generate|install)\b/],
  [
    /^(?:cmake|meson|bazel|zig|swift|dotnet|nix|mix|stack|cabal|dune|composer|bundle)$/,
    /(?:^|\s)(?:--build|setup|compile|build|run|test|develop|install|exec)\b/,
  ],
  [/^(?:docker|podman)$/, /^(?:build|buildx build|compose (?:\S+ )*(?:up|build|run))\b/],
  [/^docker-compose$/, /(?:^|\s)(?:up|build|run)\b/],
  [/^(?:vagrant|skaffold|tilt)$/, /^(?:up|run|dev|build)\b/],
  [/^direnv$/, /^allow\b/],
];
/** Options that name the folder to work in. */
const FOLDERS = [
  '-C',
  '--directory',
  '--prefix',
  '--dir',
  '--cwd',
  '--manifest-path',
  '--project-directory',
  '-p',
  '-f',
  '--file',
];

/**
 * Builds, installs or tests what the same command fetched from somewhere: that runs what lies there. Not where
 * repositories and packages lie that others look after.
 */
export function buildEffects(
  command: SimpleCommand,
  { files }: WrittenFiles,
  all: readonly SimpleCommand[],
): readonly Effect[] {
  const name = programName(command.argv[0]);
  const builder = BUILDERS.find(([programs]) => programs.test(name));
  if (builder === undefined || files.size === 0) return [];
  const downloaded = [...files].flatMap(([path, texts]) =>
    path.endsWith('/') && texts.some((text) => text.includes(DOWNLOADED_MARK)) ? [path] : [],
  );
  const sources = downloaded.length === 0 ? [] : all.flatMap(strangeSources);
  if (sources.length === 0) return [];
  const args = command.argv.slice(1);
  const line = args.map(fieldText).join(' ');
  if (builder[1]?.test(line) === false) return [];
  const isBuilt = foldersOf(args, command).some((folder) =>
    downloaded.some((path) => isFetched(folder, path, sources)),
  );
  return isBuilt
    ? [{ kind: 'runs_text', by: name, shown: `${name} ${line}`.slice(0, 120), from: 'download' }]
    : [];
}

/** Where it works: here, in a folder that an option names, or in one that it is given. */
function foldersOf(args: readonly Field[], { cwds }: SimpleCommand): readonly string[] {
  const { values, operands } = splitArguments(args, FOLDERS);
  const named = [
    ...FOLDERS.flatMap((option) => values.get(option) ?? []),
    ...operands.filter(({ head }) => /^\.{0,2}\/|^[\w-]+\/?$/.test(head)),
  ];
  return cwds.flatMap((cwd) =>
    [exactField('.'), ...named].map((folder) =>
      placedPath(fieldText(folder), cwd ?? '/', (same) => same, false),
    ),
  );
}

/** Whether a folder is what was cloned, or what came out of an archive by its name: others lie beside that. */
function isFetched(folder: string, path: string, sources: readonly string[]): boolean {
  if (!`${folder}/`.startsWith(path)) return false;
  const own = nameOf(path.slice(0, -1));
  if (sources.includes(own)) return true;
  const [inside = ''] = folder.slice(path.length).split('/');
  return inside !== '' && sources.some((source) => source.startsWith(inside) || inside.startsWith(source));
}

const CLIENTS = /^(?:git|hg|svn|gh|curl|wget|aria2c|axel|https?|xhs?)$/;

/**
 * Names of what a command fetches from an address of which nothing is known: of an archive, and of its own folder. Who
 * is let in by a key is known there.
 */
function strangeSources({ argv }: SimpleCommand): readonly string[] {
  if (!CLIENTS.test(programName(argv[0]))) return [];
  const words = argv.slice(1).map(fieldText);
  const addresses = words.filter((word) => /^(?!ssh:)[a-z+]+:\/\/|^[\w-]+(?:\.[\w-]+)+\/./.test(word));
  const strange = addresses.filter((address) => {
    const host = hostOf(address);
    return host !== null && !LOCAL.test(host) && !REGISTRY.test(host);
  });
  if (strange.length === 0) return [];
  const folder = words.at(-1) ?? '';
  return [...strange, folder].map((address) =>
    nameOf(address.replace(/[?#].*$|\/+$/g, '').replace(/:/g, '/')).replace(
      /\.(?:git|zip|t?[gx]z|tar(?:\.\w+)?|tbz2?)$/,
      '',
    ),
  );
}
