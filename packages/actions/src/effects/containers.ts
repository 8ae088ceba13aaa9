import { isAtOrBelow, placedPath } from 'ralph-kit/paths';
import {
  type Container,
  type Field,
  fieldText,
  hasFlag,
  type Inner,
  programName,
  type SimpleCommand,
  shownField,
  splitArguments,
} from '../shell/index.ts';
import { credentialsAt } from './credentials.ts';
import type { Effect, EffectPlace } from './effect.ts';

const ENGINE = /^(?:docker|podman|nerdctl|kubectl|oc|docker-compose)$/;
/** Options that take a value, in front of the verb. */
const OUTER = '-f --file -p --project-name -H --host --context -n --namespace --kubeconfig --profile'.split(
  ' ',
);
const VALUED = [
  ...OUTER,
  ...'-v --volume --mount --device --volumes-from -e --env --env-file -w --workdir -u --user --name'.split(
    ' ',
  ),
  ...'--publish --network --net --entrypoint -h --hostname -l --label -m --memory --cpus --platform'.split(
    ' ',
  ),
  ...'--pid --ipc --uts --userns --cap-add --cap-drop --security-opt --add-host --gpus --restart'.split(' '),
  ...'--pull --ulimit --tmpfs --shm-size --log-driver --link --expose -c --container --index'.split(' '),
];

type Call = {
  readonly verb: string;
  readonly flags: readonly string[];
  readonly values: ReadonlyMap<string, readonly Field[]>;
  readonly rest: readonly Field[];
};

function containerCall(argv: readonly Field[]): Call | null {
  if (!ENGINE.test(programName(argv[0]))) return null;
  const outer = splitArguments(argv.slice(1), OUTER, true).operands;
  const isGroup = /^(?:compose|container)$/.test(outer[0]?.head ?? '');
  const [verb, ...args] = isGroup ? splitArguments(outer.slice(1), OUTER, true).operands : outer;
  if (verb === undefined) return null;
  const { flags, values, operands } = splitArguments(args, VALUED, true);
  return { verb: fieldText(verb), flags, values, rest: operands };
}

/** Returns the command that runs in a container, marked so that its changes of files don't count for this machine. */
export function containerCommand(argv: readonly Field[]): Inner[] {
  const call = containerCall(argv);
  if (call === null || !/^(?:run|exec|debug)$/.test(call.verb)) return [];
  const [, ...command] = call.rest;
  const own = command[0]?.head === '--' ? command.slice(1) : command;
  const entry = call.values.get('--entrypoint')?.[0];
  const whole = entry === undefined ? own : [entry, ...own];
  const elsewhere = /^(?:kubectl|oc)$/.test(programName(argv[0])) ? 'machine' : containerOf(call);
  return whole.length === 0 ? [] : [{ kind: 'argv', argv: whole, assigned: [], elsewhere }];
}

function containerOf({ verb, values }: Call): Container {
  const workdir = values.get('-w')?.[0] ?? values.get('--workdir')?.[0];
  return { workdir: workdir?.head.startsWith('/') ? fieldText(workdir) : '/', lasts: verb === 'exec' };
}

/** Paths of programs and data that a running container may have. */
const OF_A_CONTAINER =
  /^\/(?:$|(?:etc|usr|bin|sbin|lib\w*|boot|home|root|srv|data|opt)(?:\/|$)|var\/(?:lib|www|mail|spool)(?:\/|$))/;
const MADE_AGAIN =
  /\/(?:node_modules|dist|build|target|coverage|\.?cache|tmp|log|logs|__pycache__|\.next)(?:\/|$)/;

/** Returns the effects that matter outside of a container: on its own paths, only deletion of lasting data counts. */
export function leftInContainer(effect: Effect, { lasts }: Container): readonly Effect[] {
  if (!('spots' in effect)) return [effect];
  const { kind, recursive, by, shown } = effect;
  const takes =
    lasts &&
    kind === 'deletes' &&
    recursive &&
    effect.spots().some((spot) => {
      if (spot.kind === 'anywhere') return false;
      const path = spot.kind === 'path' ? spot.path : spot.folder;
      return OF_A_CONTAINER.test(path) && !MADE_AGAIN.test(path);
    });
  return takes ? [{ kind: 'destroys', by, shown: `${by} ${shown}`, what: 'local' }] : [];
}

export function mountEffects(command: SimpleCommand, place: EffectPlace): readonly Effect[] {
  const call = containerCall(command.argv);
  const by = programName(command.argv[0]);
  if (call === null || !/^(?:run|create|debug)$/.test(call.verb) || by === 'kubectl') return [];
  const of = (...names: string[]) => names.flatMap((name) => call.values.get(name) ?? []).map(fieldText);
  const sources = [
    ...of('-v', '--volume', '--device').map((text) => text.split(':')[0] ?? ''),
    ...of('--mount').map((text) => /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? ''),
  ];
  const paths = sources
    .filter((source) => /^[/.~]/.test(source))
    .flatMap((source) => mounted(source, command, place));
  const open =
    hasFlag(call.flags, '--privileged') ||
    of('--pid', '--ipc', '--userns').includes('host') ||
    of('--cap-add').some((name) => /^(?:ALL|(?:CAP_)?SYS_)/i.test(name)) ||
    of('--security-opt').some((option) => /unconfined|disable/.test(option));
  const shown = command.argv.map(shownField).join(' ').slice(0, 120);
  return [...paths, ...(open ? [null] : [])].map((path) => ({ kind: 'mounts', by, shown, path }));
}

function mounted(source: string, { cwds }: SimpleCommand, place: EffectPlace): readonly string[] {
  return cwds.flatMap((cwd) => {
    const path = place.realPath(placedPath(source, cwd ?? '/', (same) => same, false));
    if (isAtOrBelow(path, place.root)) return [];
    const secret = credentialsAt(path, place) === 'user';
    const harmless =
      /^\/(?:private\/)?(?:tmp|var\/tmp)(?:\/|$)|^\/etc\/(?:localtime|timezone|passwd|group)$|^\/dev\/(?:null|shm|dri|kvm|snd|video\d*|fuse|net\/tun)/.test(
        path,
      );
    return harmless && !secret ? [] : [path];
  });
}
