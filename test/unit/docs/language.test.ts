import { expect, it } from 'vitest';
import { allTexts, messagesOf, paragraphsOf, remarksOf, type Text } from '../../helpers/docs/texts.ts';

/** Words that texts don't use, each with what they say in its place. */
const REPLACED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:take|takes|taken|took|taking) (?:it |them )?up\b(?! to)/i, 'start'],
  [/\b(?:go|goes|going|gone|went) on\b/i, 'continue, run'],
  [/\btells\b(?! the agent)|\bthat tell\b/i, 'report, show'],
  [/\blook(?:s|ed|ing)? at\b/i, 'check, read'],
  [/\b(?:come|comes|came) to\b/i, 'result, verdict'],
  [/\b(?:nobody|somebody|no one|a person)\b/i, 'you, the agent'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)/i, "isn't a"],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b(?!,)/i, "isn't one, doesn't exist"],
  [/\b(?:stand|stands|stood|standing) in the way\b/i, 'block'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\bgates? holds?\b/i, 'work, is in force'],
  [/\bheld against\b/i, 'count'],
  [/\btaken for\b(?! granted)/i, 'counts as'],
  [
    /\b(?:deeds?|stern|sterner|sternness|quietly|dearest)\b/i,
    'action, severity, silently, the most expensive',
  ],
  [/\bparked\b/i, 'waiting'],
  [/\breview gates?\b/i, 'review hook'],
];

/** Places where such a word is right, each with the reason. */
const RIGHT: readonly (readonly [place: RegExp, why: string])[] = [
  [/^docs\/ARCHITECTURE\.md/, 'no user reads it'],
  [/^src\/decide\/timing\/features\.ts/, 'the words by which complexity is recognised'],
  [/^packages\/box\/src\/launch\/shim-script\.ts/, 'a program, with its comments'],
  [/^src\/app\/setup\/demo-files\.ts/, 'what the agent of the demo says'],
];

function found(texts: readonly Text[]): string[] {
  return texts
    .filter(({ place }) => !RIGHT.some(([right]) => right.test(place)))
    .flatMap(({ place, text }) =>
      REPLACED.flatMap(([pattern, instead]) => {
        const at = pattern.exec(text);
        return at ? [`${place}: "${around(text, at.index)}": ${instead}`] : [];
      }),
    );
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - 40), at + 40);

it('no document, message, help text, comment or title of a test uses a word that has a plainer one', () => {
  const texts = allTexts();
  expect(texts.length).toBeGreaterThan(5000);
  expect(found(texts)).toEqual([]);
});

it('finds them in documents, messages and templates of messages, and leaves code alone', () => {
  const paragraph = 'A task that nobody\ntakes up.\n\n```sh\nnobody\n```\n\nWhat `tells` nothing.\n';
  expect(found(paragraphsOf('a.md', paragraph))).toEqual([
    'a.md:1: "A task that nobody takes up.": start',
    'a.md:1: "A task that nobody takes up.": you, the agent',
  ]);
  const source = [
    "const a = 'parked';",
    'const b = `\u0024{a} is no duration`;',
    "const c = 'It goes on. // nobody';",
    '// nobody',
  ].join('\n');
  expect(found(messagesOf('a.ts', source))).toEqual([
    'a.ts:2: "… is no duration": isn\'t a',
    'a.ts:3: "It goes on. // nobody": continue, run',
    'a.ts:3: "It goes on. // nobody": you, the agent',
  ]);
});

it('finds them in comments and titles of tests, and leaves data alone', () => {
  const source = [
    '/** A task that nobody',
    ' * takes up. */',
    "const a = ['nobody', 'parked ones'];",
    '// The status is `parked`. It goes',
    '// on.',
    "it.each(a)('waits for no one: %s', () => {",
    '  // The deed',
    '  // is not last.',
    '});',
  ].join('\n');
  expect(found(remarksOf('a.ts', source))).toEqual([
    'a.ts:1: "A task that nobody takes up.": start',
    'a.ts:1: "A task that nobody takes up.": you, the agent',
    'a.ts:4: "The status is …. It goes on.": continue, run',
    'a.ts:6: "waits for no one: %s": you, the agent',
    'a.ts:7: "The deed is not last.": action, severity, silently, the most expensive',
  ]);
});
