import type { FactSections } from '../../domain/records/iteration.ts';
import type { Judgement } from '../../domain/verdict.ts';

/** A verdict that a room gives: the strictest of all is the one of the attempt. */
export type RoomVerdict = Judgement & { readonly room: string };

/** The decisions of one room by name; `verdicts` are collected over all rooms. */
export type Decided = { readonly verdicts?: readonly Judgement[]; readonly [name: string]: unknown };

/**
 * One part of what follows from an attempt. It sees the facts of the attempt, its own, and those of the rooms before it,
 * and what these decided.
 */
export type Room<Name extends string, Sees, Hears, Decides extends Decided> = {
  readonly name: Name;
  readonly decide: (facts: Sees, before: Hears) => Decides;
};

export function room<const Name extends string, Sees, Hears, Decides extends Decided>(
  name: Name,
  decide: (facts: Sees, before: Hears) => Decides,
): Room<Name, Sees, Hears, Decides> {
  return { name, decide };
}

type FactsOfRoom<Name> = Name extends keyof FactSections ? FactSections[Name] : unknown;

/**
 * All that rooms decide one after the other; the name of the first one that would need the facts or the decisions of a
 * later one.
 */
export type InOrder<Rooms, Facts, Before> = Rooms extends readonly [
  Room<infer Name, infer Sees, infer Hears, infer Decides>,
  ...infer Others,
]
  ? [Facts & FactsOfRoom<Name>, Before] extends [Sees, Hears]
    ? InOrder<Others, Facts & FactsOfRoom<Name>, Before & Omit<Decides, 'verdicts'>>
    : Name
  : Before;
