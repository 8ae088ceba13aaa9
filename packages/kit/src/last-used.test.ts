import { expect, it } from 'vitest';
import { lastUsed } from './last-used.ts';

function counting(most: number) {
  const made: string[] = [];
  const forgotten: string[] = [];
  const kept = lastUsed<string>(most, (answer) => {
    answer.then(
      (text) => forgotten.push(text),
      () => undefined,
    );
  });
  const ask = (key: string) =>
    kept.ask(key, async () => {
      made.push(key);
      return key;
    });
  return { kept, ask, made, forgotten };
}

it('makes each answer once, and forgets the one that was asked for longest ago', async () => {
  const { ask, made, forgotten } = counting(2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await ask(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
  expect(forgotten).toEqual(['b', 'c']);
});

it('asks again after a failure, and for what was forgotten', async () => {
  const { kept, ask, made, forgotten } = counting(2);
  await expect(kept.ask('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask('a')).toBe('a');
  kept.forget('a');
  await ask('a');
  expect(made).toEqual(['a', 'a']);
  expect(forgotten).toEqual(['a']);
});

it('replaces an answer that is still the one that is kept, and no other', async () => {
  const { kept, ask, made } = counting(2);
  const first = ask('a');
  kept.replace('a', Promise.resolve('a'), Promise.resolve('never'));
  expect(await ask('a')).toBe('a');
  kept.replace('a', first, Promise.resolve('short'));
  expect(await ask('a')).toBe('short');
  expect(made).toEqual(['a']);
});
