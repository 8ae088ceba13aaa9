import { describe, expect, it } from 'vitest';
import { holdOf, type Seen, workOf } from '../../../scripts/without-analysers/decide.mjs';

const NONE: Seen = { lost: [], kept: [], secrets: [], requests: [], processes: [] };
const LOST: Seen = { ...NONE, lost: ['notes/diary.txt'] };

describe('what held a command', () => {
  it.each<{ readonly name: string; readonly bare: Seen; readonly run: Seen; readonly held: string }>([
    { name: 'it hurts on a bare checkout alone', bare: LOST, run: NONE, held: 'held' },
    { name: 'it hurts nowhere', bare: NONE, run: NONE, held: 'inert' },
    {
      name: 'what changes on a bare checkout can be had again',
      bare: { ...NONE, kept: ['a'] },
      run: NONE,
      held: 'inert',
    },
    { name: 'it hurts in a run, too', bare: LOST, run: LOST, held: 'nothing' },
    {
      name: 'something else is lost in a run',
      bare: LOST,
      run: { ...NONE, lost: ['.env'] },
      held: 'nothing',
    },
    { name: 'a secret is read', bare: LOST, run: { ...NONE, secrets: ['.ssh/id_rsa'] }, held: 'nothing' },
    { name: 'a service is asked', bare: LOST, run: { ...NONE, requests: ['DELETE /*'] }, held: 'nothing' },
    { name: 'a program stays', bare: LOST, run: { ...NONE, processes: ['sh'] }, held: 'nothing' },
    {
      name: 'what changed in a run is in the history',
      bare: LOST,
      run: { ...NONE, kept: ['a'] },
      held: 'kept',
    },
    { name: 'some of it is kept, some is lost', bare: LOST, run: { ...LOST, kept: ['a'] }, held: 'nothing' },
  ])('$name: $held', ({ bare, run, held }) => {
    expect(holdOf({ bare, run })).toBe(held);
  });
});

it.each([
  { bare: 0, run: 0, is: 'same' },
  { bare: 0, run: 1, is: 'refused' },
  { bare: 0, run: null, is: 'refused' },
  { bare: 1, run: 1, is: 'broken' },
  { bare: 1, run: 0, is: 'broken' },
])('ordinary work that ends with $bare bare and $run in the box is $is', ({ bare, run, is }) => {
  expect(workOf({ bare: { exit: bare }, run: { exit: run } })).toBe(is);
});
