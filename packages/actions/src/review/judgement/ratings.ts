import type { Action } from 'ralph-kit/actions/action';
import type { Severity } from 'ralph-kit/severity';
import type { Effect, EffectKind, NetworkEffect, PathEffect } from '../../effects/index.ts';
import type { ReviewPlace } from '../../forms/place.ts';
import { placesAlong } from '../made.ts';
import { isReadOnly } from './history.ts';
import { type Location, locationOf, mayAffectExisting } from './scope.ts';

export const SIDE_EFFECTS = ['file', 'process', 'network', 'resource', 'system'] as const;

export type Rating = {
  readonly effect: Effect;
  /** Side effect; `null` without a lasting one. */
  readonly side: SideEffect | null;
  /** Base risk, 0 to 1. */
  readonly risk: number;
  /** The effect gets or changes rights, or reaches beyond the repository. */
  readonly privilege: boolean;
};

export type SideEffect = {
  readonly type: (typeof SIDE_EFFECTS)[number];
  /** Description in two or three words. */
  readonly what: string;
  /** A path, host or command; not redacted. */
  readonly target: string;
  /** The effect can be undone: the attempt's checkpoint has the file, or the attempt made it. */
  readonly reversible: boolean;
  readonly severity: Severity;
  /** Limits the damage, as a sentence; empty if unknown. */
  readonly mitigation: string;
};

/** Base risks by effect, 0 to 1 (docs/STEP_REVIEW.md). */
export const BASE_RISK = {
  read: 0.1,
  creation: 0.3,
  modification: 0.4,
  network: 0.6,
  /** A command without known effects. */
  command: 0.7,
  deletion: 0.8,
  /** Commands that can't be parsed, and unknown tools. */
  unknown: 0.8,
} as const;

type Scene = { readonly action: Action; readonly place: ReviewPlace };
type Rated = Omit<Rating, 'effect'>;
type Of<Kind extends EffectKind> = Kind extends PathEffect['kind']
  ? PathEffect
  : Extract<Effect, { kind: Kind }>;
/** Every kind needs an entry, or this doesn't compile. */
type Raters = { readonly [Kind in EffectKind]: (effect: Of<Kind>, scene: Scene) => Rated };

/** Characters of a command that are shown. */
const LONGEST_TARGET = 2000;
const SILENT: Rated = { side: null, risk: 0, privilege: false };

/** Places in order of severity, mildest first. */
const WORSE: readonly Location[] = [
  'nowhere',
  'inside',
  'own',
  'new',
  'unknown',
  'git',
  'outside',
  'protected',
];

function worstPlace(effect: PathEffect, place: ReviewPlace): Location {
  const all = effect.spots().map((spot) => locationOf(spot, place, effect.kind === 'deletes'));
  return all.toSorted((one, other) => WORSE.indexOf(other) - WORSE.indexOf(one))[0] ?? 'nowhere';
}

const isKept = (where: Location) => where === 'inside' || where === 'own' || where === 'new';

function remedy(where: Location, effect: PathEffect, place: ReviewPlace): string {
  switch (where) {
    case 'inside':
      // A pattern may stand for files of before the attempt.
      return effect.spots().some((spot) => spot.kind !== 'path' || mayAffectExisting(spot, place))
        ? 'The checkpoint before the attempt has it, unless git ignores it (ralph checkpoints).'
        : "It wasn't there before the attempt: nothing of yours is lost.";
    case 'own':
      return 'The attempt made it, or it is a temporary file: nothing of yours is lost.';
    case 'new':
      return 'It is new there, and no checkpoint has it: remove it afterwards.';
    case 'git':
      return 'Use git itself.';
    case 'protected':
      return 'Leave it as it is.';
    case 'unknown':
      return 'Write the path out.';
    default:
      return BEYOND[effect.kind] ?? '';
  }
}

const BEYOND: Readonly<Partial<Record<PathEffect['kind'], string>>> = {
  writes: 'Write inside the repository.',
  deletes: 'Delete only what lies in the repository, by its name.',
  permissions: 'Change permissions inside the repository only.',
};

function written(effect: Of<'writes'>, { action, place }: Scene): Rated {
  const where = worstPlace(effect, place);
  if (where === 'nowhere') return SILENT;
  const beyond = where === 'outside' || where === 'git' || where === 'protected';
  const isNew =
    action.kind === 'file_create' || !effect.spots().some((spot) => mayAffectExisting(spot, place));
  return {
    risk: isNew ? BASE_RISK.creation : BASE_RISK.modification,
    privilege: where === 'outside' || where === 'new',
    side: {
      type: 'file',
      what: isNew ? 'file creation' : 'file modification',
      target: effect.shown,
      // No checkpoint has files outside of the repository, so new ones there stay.
      reversible: (isKept(where) && where !== 'new') || effect.keeps,
      severity: where === 'protected' ? 'critical' : beyond ? 'high' : 'medium',
      mitigation: remedy(where, effect, place),
    },
  };
}

function deleted(effect: Of<'deletes'>, { place }: Scene): Rated {
  const where = worstPlace(effect, place);
  if (where === 'nowhere') return SILENT;
  const lost = where === 'outside' && effect.spots().some((spot) => mayAffectExisting(spot, place));
  return {
    risk: BASE_RISK.deletion,
    privilege: where === 'outside',
    side: {
      type: 'file',
      what: 'file deletion',
      target: effect.shown || 'unknown files',
      reversible: isKept(where),
      severity: where === 'protected' || lost ? 'critical' : 'high',
      mitigation: remedy(where, effect, place),
    },
  };
}

function permitted(effect: Of<'permissions'>, { place }: Scene): Rated {
  const where = worstPlace(effect, place);
  const beyond = where === 'outside' || where === 'protected';
  return {
    risk: BASE_RISK.modification,
    privilege: true,
    side: {
      type: 'file',
      what: 'change of permissions',
      target: effect.shown,
      reversible: isKept(where),
      severity: where === 'protected' ? 'critical' : beyond ? 'high' : 'medium',
      mitigation: remedy(where, effect, place),
    },
  };
}

function requested(effect: NetworkEffect): Rated {
  const { sends, reach, direction, host } = effect;
  const target = host ?? effect.by;
  const side = (severity: Severity, what: string, mitigation: string): SideEffect => ({
    type: 'network',
    what,
    target,
    reversible: direction === 'in',
    severity,
    mitigation,
  });
  if (sends === 'credentials' && reach !== 'local') {
    const critical = side('critical', 'credentials sent out', 'Leave keys and tokens out of the request.');
    return { risk: 1, privilege: false, side: critical };
  }
  if (sends === 'file' && reach === 'external') {
    const high = side('high', 'file sent out', 'Send only what the task names.');
    return { risk: Math.max(BASE_RISK.network, 0.8), privilege: false, side: high };
  }
  return {
    risk: BASE_RISK.network,
    privilege: false,
    side: side('medium', direction === 'out' ? 'network write' : 'network request', ''),
  };
}

type Worth = {
  readonly risk: number;
  readonly type: SideEffect['type'];
  readonly what: string;
  readonly severity: Severity;
  readonly reversible?: true;
  readonly mitigation?: string;
  readonly privilege?: true;
};

function worth({ risk, type, what, severity, reversible, mitigation = '', privilege }: Worth) {
  return ({ shown }: { readonly shown: string }): Rated => ({
    risk,
    privilege: privilege === true,
    side: { type, what, target: shown, reversible: reversible === true, severity, mitigation },
  });
}

const HISTORY: Readonly<Record<Of<'history'>['does'], Worth>> = {
  adds: { risk: 0.4, type: 'file', what: 'commit or branch', severity: 'low', reversible: true },
  rewrites: { risk: 0.7, type: 'file', what: 'rewritten history', severity: 'medium', reversible: true },
  discards: { risk: 0.7, type: 'file', what: 'discarded changes', severity: 'high', reversible: true },
  deletes: { risk: 0.7, type: 'file', what: 'deleted refs', severity: 'high', reversible: true },
  overwrites_remote: { risk: 0.9, type: 'network', what: 'overwritten remote history', severity: 'high' },
};

const DESTROYS: Readonly<Record<Of<'destroys'>['what'], Worth>> = {
  local: { risk: 0.9, type: 'resource', what: 'destroyed data', severity: 'high' },
  database: { risk: 0.9, type: 'resource', what: 'destroyed database', severity: 'high' },
  remote: { risk: 0.9, type: 'network', what: 'destroyed remote data', severity: 'high' },
  disk: { risk: 1, type: 'system', what: 'destroyed disk', severity: 'critical' },
};

const PROCESSES: Readonly<Record<Of<'processes'>['which'], Worth>> = {
  own: { risk: 0.3, type: 'process', what: 'ends its own processes', severity: 'low', reversible: true },
  ids: { risk: 0.6, type: 'process', what: 'ends a process', severity: 'medium' },
  name: { risk: 0.7, type: 'process', what: 'ends processes by name', severity: 'high' },
  all: { risk: 0.9, type: 'process', what: 'ends all processes', severity: 'high' },
};

const RATERS: Raters = {
  reads: () => ({ ...SILENT, risk: BASE_RISK.read }),
  writes: written,
  deletes: deleted,
  permissions: permitted,
  names: () => ({ ...SILENT, risk: BASE_RISK.creation }),
  network: requested,
  history: (effect) => worth(HISTORY[effect.does])(effect),
  credentials: (effect) =>
    worth({
      risk: effect.whose === 'project' ? BASE_RISK.modification : 0.8,
      type: 'resource',
      what: 'reads credentials',
      mitigation: 'Name the variable, not its value.',
      severity: effect.whose === 'project' ? 'medium' : 'high',
    })(effect),
  shares: () => ({ ...SILENT, risk: 0 }),
  publishes: worth({ risk: 0.9, type: 'network', what: 'publication', severity: 'high' }),
  privileges: (effect) =>
    worth({
      risk: effect.how === 'command' ? BASE_RISK.command : 0.9,
      type: 'system',
      what: 'privilege escalation',
      severity: 'high',
      privilege: true,
    })(effect),
  disables: (effect) =>
    worth({
      risk: effect.what === 'hooks' ? 0.7 : 0.8,
      type: 'system',
      what: 'disabled check',
      severity: 'high',
      mitigation: 'Let the check run, and fix what it finds.',
    })(effect),
  approves: worth({ risk: 1, type: 'system', what: 'approval in your place', severity: 'critical' }),
  installs: (effect) =>
    worth({
      risk: BASE_RISK.command,
      type: 'file',
      what: 'installation',
      severity: 'medium',
      reversible: true,
    })(effect),
  runs_text: worth({ risk: 0.9, type: 'process', what: 'runs text as a program', severity: 'high' }),
  runs_script: (effect) =>
    worth({ risk: BASE_RISK.unknown, type: 'process', what: 'runs an unread script', severity: 'medium' })(
      effect,
    ),
  destroys: (effect) => worth(DESTROYS[effect.what])(effect),
  processes: (effect) => worth(PROCESSES[effect.which])(effect),
  environment: worth({ risk: 0.6, type: 'process', what: 'variable that runs code', severity: 'medium' }),
  schedules: worth({ risk: 0.9, type: 'system', what: 'scheduled command', severity: 'high' }),
  mounts: worth({ risk: 0.8, type: 'system', what: 'folder given to a container', severity: 'high' }),
  system: worth({ risk: 0.9, type: 'system', what: 'change of system state', severity: 'high' }),
  exhausts: worth({ risk: 0.95, type: 'resource', what: 'uses up the machine', severity: 'high' }),
  opens_shell: worth({ risk: 1, type: 'network', what: 'shell for another machine', severity: 'critical' }),
  prompts: worth({
    risk: 0.4,
    type: 'process',
    what: 'open program',
    severity: 'medium',
    reversible: true,
    mitigation: 'Give the program its commands in one call.',
  }),
  executes: ({ text }, { action }) => ({
    risk: isReadOnly(action) ? BASE_RISK.read : 0,
    privilege: false,
    side: isReadOnly(action)
      ? null
      : {
          type: 'process',
          what: 'process creation',
          target: text.slice(0, LONGEST_TARGET),
          reversible: true,
          severity: 'medium',
          mitigation: '',
        },
  }),
  unfollowed: (_, { action }) => ({
    risk: BASE_RISK.unknown,
    privilege: false,
    side: {
      type: 'system',
      what: 'unknown effects',
      target: (action.command ?? action.tool).slice(0, LONGEST_TARGET),
      reversible: false,
      severity: 'medium',
      mitigation: 'Write it more simply, one step in a call.',
    },
  }),
};

/** Returns a rating for each effect. Files that an earlier effect creates count as the attempt's own. */
export function rateEffects(effects: readonly Effect[], scene: Scene): readonly Rating[] {
  const placeAt = placesAlong(effects, scene.place);
  return effects.map((effect) => {
    const rate = RATERS[effect.kind] as (effect: Effect, scene: Scene) => Rated;
    return { effect, ...rate(effect, { ...scene, place: placeAt(effect) }) };
  });
}
