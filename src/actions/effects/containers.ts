import { isAtOrBelow, placedPath } from '../../lib/paths.ts';
import {
  type Container,
  exactField,
  type Field,
  fieldText,
  hasFlag,
  type Inner,
  type Mount,
  programName,
  type SimpleCommand,
  shownField,
  splitArguments,
} from '../shell/index.ts';
import { programNamed } from './catalogue/index.ts';
import { credentialsAt } from './credentials.ts';
import type { Effect, EffectPlace } from './effect.ts';

const ENGINE = /^(?:docker|podman|nerdctl|kubectl|oc|docker-compose)$/;
const MOUNTS = ['-v', '--volume', '--mount', '--device', '--volumes-from'];
const VALUED = [
  ...MOUNTS,
  ...[
    '-e',
    '--env',
    '--env-file',
    '-w',
    '--workdir',
    '-u',
    '--user',
    '--name',
    '-p',
    '--publish',
    '--network',
    '--net',
  ],
  ...[
    '--entrypoint',
    '-h',
    '--hostname',
    '-l',
    '--label',
    '-m',
    '--memory',
    '--cpus',
    '--platform',
    '--pid',
    '--ipc',
  ],
  ...[
    '--uts',
    '--userns',
    '--cap-add',
    '--cap-drop',
    '--security-opt',
    '--add-host',
    '--gpus',
    '--restart',
    '--pull',
  ],
  ...[
    '--ulimit',
    '--tmpfs',
    '--shm-size',
    '--log-driver',
    '--link',
    '--expose',
    '-c',
    '--container',
    '-n',
    '--namespace',
  ],
  ...[
    '-f',
    '--file',
    '--profile',
    '--project-name',
    '--context',
    '-H',
    '--host',
    '--index',
    '--scale',
    '--detach-keys',
  ],
];

type Call = {
  readonly verb: string;
  readonly flags: readonly string[];
  readonly values: ReadonlyMap<string, readonly Field[]>;
  readonly rest: readonly Field[];
};

/** `docker run …`, `docker compose exec …`: what follows the verb. */
function containerCall(argv: readonly Field[]): Call | null {
  if (!ENGINE.test(programName(argv[0]))) return null;
  const outer = splitArguments(
    argv.slice(1),
    [
      '-f',
      '--file',
      '-p',
      '--project-name',
      '-H',
      '--host',
      '--context',
      '-n',
      '--namespace',
      '--kubeconfig',
      '--profile',
    ],
    true,
  );
  const words =
    outer.operands[0]?.head === 'compose' || outer.operands[0]?.head === 'container'
      ? splitArguments(outer.operands.slice(1), ['-f', '--file', '-p', '--project-name', '--profile'], true)
          .operands
      : outer.operands;
  const [verb, ...args] = words;
  if (verb === undefined) return null;
  const { flags, values, operands } = splitArguments(args, VALUED, true);
  return { verb: fieldText(verb), flags, values, rest: operands };
}

/** Images that start the program which they are called after. */
const IMAGES =
  /(?:^|\/)(git|kubectl|helm|terraform|tofu|curl|rclone|restic|aws|gcloud|az|psql|redis-cli|mc|vault)(?:-cli)?(?:[:@].*)?$/;

/** The command that runs in a container: what it does to files there isn't done to those of this machine. */
export function containerCommand(argv: readonly Field[]): Inner[] {
  const call = containerCall(argv);
  if (call === null || !/^(?:run|exec|debug)$/.test(call.verb)) return [];
  const [image, ...command] = call.rest;
  const own = command[0]?.head === '--' ? command.slice(1) : command;
  const entry = call.values.get('--entrypoint')?.[0];
  const program = image === undefined || call.verb !== 'run' ? undefined : IMAGES.exec(image.head)?.[1];
  const named =
    program === undefined || programNamed(programName(own[0])) !== undefined ? [] : [exactField(program)];
  const whole = entry === undefined ? [...named, ...own] : [entry, ...own];
  const elsewhere = /^(?:kubectl|oc)$/.test(programName(argv[0])) ? 'machine' : containerOf(call);
  return whole.length === 0 ? [] : [{ kind: 'argv', argv: whole, assigned: [], elsewhere }];
}

/** The container of a call: where the command starts in it, and what it can change of this machine. */
function containerOf({ verb, values }: Call): Container {
  const given = (...names: string[]) => names.flatMap((name) => values.get(name) ?? []).map(fieldText);
  const [workdir = null] = given('-w', '--workdir');
  const volumes = given('-v', '--volume').map((text) => {
    const [source = '', inside, options = ''] = text.split(':');
    return { source, inside, readOnly: /(?:^|,)ro(?:,|$)/.test(options) };
  });
  const named = given('--mount').map((text) => ({
    source: /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? '',
    inside: /(?:^|,)(?:target|destination|dst)=([^,]*)/.exec(text)?.[1],
    readOnly: /(?:^|,)(?:ro|readonly)(?:=(?:true|1))?(?:,|$)/.test(text),
  }));
  const mounts = [...volumes, ...named].flatMap(({ source, inside, readOnly }): Mount[] => {
    // A name without a slash is a volume of the engine's own.
    const isHere = /^[/.~\uE000-\uE005]/.test(source);
    if (readOnly || !isHere || inside === undefined || !inside.startsWith('/')) return [];
    return [{ inside: placedPath(inside, '/', (same) => same, false), source: exactField(source) }];
  });
  const stored = [...volumes, ...named].flatMap(({ source, inside, readOnly }) =>
    !readOnly && /^\w[\w.-]*$/.test(source) && inside?.startsWith('/')
      ? [inside.replace(/(?<=.)\/+$/, '')]
      : [],
  );
  const keeps = verb === 'exec' || values.has('--volumes-from') ? 'all' : stored;
  return { workdir: workdir?.startsWith('/') ? workdir : null, mounts, keeps };
}

/** What a container gets of this machine. */
export function mountEffects(command: SimpleCommand, place: EffectPlace): readonly Effect[] {
  const call = containerCall(command.argv);
  const by = programName(command.argv[0]);
  if (call === null || !/^(?:run|create|debug)$/.test(call.verb) || by === 'kubectl') return [];
  const of = (...names: string[]) => names.flatMap((name) => call.values.get(name) ?? []);
  const sources = [
    ...of('-v', '--volume').map(volumeSource),
    ...of('--mount').map(mountSource),
    ...of('--device').map(volumeSource),
  ];
  const paths = sources.flatMap((source) => (source === null ? [] : mounted(source, command, place)));
  const open =
    hasFlag(call.flags, '--privileged') ||
    of('--pid', '--ipc', '--uts', '--userns', '--network', '--net').some(
      ({ head }, index) =>
        head === 'host' &&
        index >= 0 &&
        of('--pid', '--ipc', '--userns').some((each) => each.head === 'host'),
    ) ||
    of('--cap-add').some(({ head }) => /^(?:ALL|(?:CAP_)?SYS_)/i.test(head)) ||
    of('--security-opt').some(({ head }) => /unconfined|disable/.test(head));
  const shown = command.argv.map(shownField).join(' ').slice(0, 120);
  return [
    ...paths.map((path): Effect => ({ kind: 'mounts', by, shown, path })),
    ...(open ? [{ kind: 'mounts' as const, by, shown, path: null }] : []),
  ];
}

function volumeSource(value: Field): Field | null {
  const [source = ''] = value.head.split(':');
  const known = value.head.includes(':') || value.kind === 'exact';
  // A name without a slash is a volume of the engine's own.
  if (known) return /^[/.~]/.test(source) ? { kind: 'exact', head: source, tail: '' } : null;
  return value;
}

function mountSource(value: Field): Field | null {
  const [, source] = /(?:^|,)(?:source|src)=([^,]*)/.exec(value.head) ?? [];
  return source === undefined || !/^[/.~]/.test(source) ? null : { kind: 'exact', head: source, tail: '' };
}

/** A folder outside of the work tree that may matter. */
function mounted(source: Field, { cwds }: SimpleCommand, place: EffectPlace): readonly string[] {
  return cwds.flatMap((cwd) => {
    const path = place.realPath(placedPath(source.head, cwd ?? '/', (same) => same, false));
    if (isAtOrBelow(path, place.root)) return [];
    const secret = credentialsAt(path, place) === 'yours';
    const harmless =
      /^\/(?:private\/)?(?:tmp|var\/tmp)(?:\/|$)|^\/etc\/(?:localtime|timezone|passwd|group)$|^\/dev\/(?:null|shm|dri|kvm|snd|video\d*|fuse|net\/tun)/.test(
        path,
      );
    return harmless && !secret ? [] : [path];
  });
}
