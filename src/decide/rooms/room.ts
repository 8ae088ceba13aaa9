import type { FactSections } from '../../domain/records/iteration.ts';
import type { Judgement } from '../../domain/verdict.ts';

/** The verdict of one room. The strictest one is the verdict on the attempt. */
export type RoomVerdict = Judgement & { readonly room: string };

/** Decisions of one room by name. `verdicts` are collected over all rooms. */
export type Decided = { readonly verdicts?: readonly Judgement[]; readonly [name: string]: unknown };

/**
 * A function that makes a part of the decisions. It gets the facts of its section, and the facts and decisions of
 * earlier rooms.
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
 * Type of the decisions of all rooms in order. If a room needs facts or decisions of a later room, the name of that
 * room, so that it doesn't compile.
 */
export type InOrder<Rooms, Facts, Before> = Rooms extends readonly [
  Room<infer Name, infer Sees, infer Hears, infer Decides>,
  ...infer Others,
]
  ? [Facts & FactsOfRoom<Name>, Before] extends [Sees, Hears]
    ? InOrder<Others, Facts & FactsOfRoom<Name>, Before & Omit<Decides, 'verdicts'>>
    : Name
  : Before;
