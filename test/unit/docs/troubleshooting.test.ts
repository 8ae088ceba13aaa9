import { describe, expect, it } from 'vitest';
import { textsOf } from '../../helpers/docs/printed-commands.ts';
import { SOURCES } from '../../helpers/source-files.ts';

const [[, DOCUMENT] = ['', '']] = textsOf(['docs/TROUBLESHOOTING.md'], /\.md$/);

/** Matches a string in source, in any of its three kinds of quotes. */
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
/** All texts of the source: what is set into one is `…`. */
const SOURCE = textsOf(SOURCES, /(?<!\.test)\.ts$/)
  .map(([, text]) =>
    text
      .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…')
      .match(LITERAL)
      ?.join('\n')
      .replaceAll("\\'", "'"),
  )
  .join('\n');

/** Messages that other programs print. */
const OF_OTHERS: readonly string[] = [
  "Cannot find module '…/dist/cli/start.js'",
  'Read-only file system',
  '… cannot be used with root/sudo privileges',
];

/** What stands in a quoted message for what is different each time. */
const VALUE = /…|\b(?:NAME|FILE|TASK|ID|T-\d+|INC-\d+|kept\/N)\b|\.ralph\/PRD\.md:7|\.\/mine\.mjs/g;

/** Messages with which an item of the document's lists begins. */
const quoted = [...DOCUMENT.matchAll(/^- ((?:`[^`]+`(?:, | \(exit \d\), )?)+)/gm)].flatMap(([, lead = '']) =>
  [...lead.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
);

/** The words of a message that stand in the source as they are; a plural is made, and a verb has its tense. */
function wordsOf(message: string): string[] {
  return message
    .replace('uncommitted files', 'uncommitted file')
    .replace('Nothing checks', 'Nothing …')
    .split(VALUE)
    .flatMap((part) => part.split(/: /))
    .map((part) => part.replace(/^[\s"(),:.]+|[\s"(),:.]+$/g, ''))
    .filter((part) => part.length > 2);
}

/** Whether source says this in one piece, or in two of at least two words, or with one word set in. */
function isSaid(text: string): boolean {
  if (SOURCE.includes(text)) return true;
  const words = text.split(' ');
  return words.some((_, at) => {
    const [first, second] = [words.slice(0, at), words.slice(at)].map((some) => some.join(' '));
    if (first === '' || first === undefined || second === undefined) return false;
    if (first.includes(' ') && second.includes(' ')) return SOURCE.includes(first) && SOURCE.includes(second);
    return SOURCE.includes(`${first} …`) && SOURCE.includes(`'${second}'`);
  });
}

/** `.ralph/PRD.md:7: …` is a place, and what is said of it anything. */
const spoken = quoted.filter((message) => !OF_OTHERS.includes(message) && wordsOf(message).length > 0);

describe('docs/TROUBLESHOOTING.md', () => {
  it('quotes messages', () => {
    expect(spoken.length).toBeGreaterThan(30);
    expect(quoted).toEqual(expect.arrayContaining([...OF_OTHERS]));
    // Messages that ralph doesn't print aren't found, so the check can fail.
    expect(
      ['no task file was found', 'all remaining tasks are blocked', 'T-3 cannot be taken up'].filter(isSaid),
    ).toEqual([]);
  });

  it.each(spoken)('`%s` is what ralph says', (message) => {
    expect(wordsOf(message).filter((part) => !isSaid(part))).toEqual([]);
  });
});
