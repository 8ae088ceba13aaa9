import { own } from 'ralph-kit/own';
import type { GateChange, GateSource, GateSources, GateSpec } from '../../domain/gate.ts';
import type { GateBaseline } from '../../domain/gate-baseline.ts';

/**
 * Returns changes of the gates' sources between readings, and earlier changes after which a source checks nothing.
 * @param reference Sources as last approved by you or a verified task.
 */
export function gateChanges(readings: readonly GateSources[], reference: GateSources | null): GateChange[] {
  const found = new Map<string, GateChange>();
  const keep = (changes: readonly GateChange[]) => {
    for (const change of changes) {
      const key = JSON.stringify([change.gate, change.source]);
      const known = found.get(key);
      if (known === undefined || (known.hollow === null && change.hollow !== null))
        found.set(key, { ...change, now: known?.now ?? change.now });
    }
  };
  for (const [index, reading] of readings.entries()) {
    const before = readings[index - 1];
    if (before !== undefined) keep(compare(before, reading, true));
    // A changed source counts even if it is restored later, because gates may have run it meanwhile.
    if (reference !== null && index > 0)
      keep(compare(reference, reading, false).filter(({ hollow: why }) => why !== null));
  }
  return [...found.values()];
}

/**
 * Returns the sources for the next comparison. Changes by an unfinished attempt aren't taken over, nor are sources that
 * check nothing, unless the gate's command changed.
 * @param accepted Whether the changes are yours, or those of a verified task.
 */
export function nextSources(
  previous: GateBaseline | null,
  specs: readonly GateSpec[],
  now: GateSources,
  accepted: boolean,
): GateSources {
  return Object.fromEntries(
    specs.map(({ name: gate, run }) => {
      const sources = own(now, gate) ?? [];
      const known = previous === null ? undefined : own(previous.sources, gate);
      if (known === undefined || own(previous?.commands ?? {}, gate) !== run) return [gate, sources];
      const isVacuous = compareGate(gate, known, sources, false).some((change) => change.hollow !== null);
      return [gate, accepted && !isVacuous ? sources : known];
    }),
  );
}

function compare(from: GateSources, to: GateSources, now: boolean): GateChange[] {
  return Object.entries(to).flatMap(([gate, sources]) =>
    compareGate(gate, own(from, gate) ?? sources, sources, now),
  );
}

function compareGate(
  gate: string,
  from: readonly GateSource[],
  to: readonly GateSource[],
  now: boolean,
): GateChange[] {
  const isOf = (name: string) => (source: GateSource) => source.name === name;
  const names = new Set([...from, ...to].map(({ name }) => name));
  return [...names].flatMap((name): GateChange[] => {
    const before = from.find(isOf(name));
    const after = to.find(isOf(name));
    const common = { gate, source: name, now };
    if (before === undefined && after !== undefined) {
      return [{ ...common, path: after.path, change: 'added', hollow: after.direct ? after.hollow : null }];
    }
    if (before === undefined) return [];
    if (after === undefined) {
      return [
        {
          ...common,
          path: before.path,
          change: 'removed',
          // An indirect source may no longer be needed, but a missing source of the command itself makes the gate fail.
          hollow: before.direct && before.hollow === null ? 'is gone' : null,
        },
      ];
    }
    if (before.path === after.path && before.content === after.content && before.version === after.version)
      return [];
    return [{ ...common, path: after.path, change: 'changed', hollow: whyVacuous(before, after) }];
  });
}

function whyVacuous(before: GateSource, after: GateSource): string | null {
  if (before.hollow !== null) return null;
  if (after.hollow !== null) return after.hollow;
  // A package that was installed again may have another version, or the same file in another folder.
  const isPackage = after.version !== null;
  if (isPackage && (after.version !== before.version || after.content === before.content)) return null;
  const replaced = before.version !== null || after.path.includes('node_modules/');
  if (replaced) return `isn't the ${after.name} of its package any more`;
  return after.path !== before.path && !after.path.startsWith('/') ? `replaces ${before.path}` : null;
}
