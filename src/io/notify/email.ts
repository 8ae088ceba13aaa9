import type { Notification } from '../../domain/ports.ts';
import { notificationText } from './notification-document.ts';

/**
 * Bytes of a subject that go into one encoded word: 52 characters of base64 and 12 around them, behind `Subject: ` on
 * the first line, of which RFC 2047 allows 76.
 */
const WORD_BYTES = 39;
/** The longest line of a body in base64 (RFC 2045, section 6.8) and of a header with an encoded word. */
const LINE_CHARS = 76;

/**
 * A message for `sendmail -t -i`, after RFC 5322; `sendmail` itself adds `From`. No text of a notification becomes a
 * header of its own. Lines end with a line feed, as local programs read them.
 */
export function emailMessage(notification: Notification, to: readonly string[]): string {
  return [
    `To: ${to.map(oneLine).join(', ')}`,
    `Subject: ${encodedSubject(`ralph: ${notification.title}`)}`,
    `Date: ${new Date(notification.at).toUTCString().replace(/GMT$/, '+0000')}`,
    // No answer of a program that is away on holiday (RFC 3834).
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...lines(Buffer.from(`${notificationText(notification)}\n`).toString('base64')),
    '',
  ].join('\n');
}

/** One address, or a user of this machine, and nothing that `sendmail -t` would read as more than that. */
export function isAddress(text: string): boolean {
  return /^[!-~]+$/.test(text) && /^[^,;:<>()[\]\\"@]+(@[^,;:<>()[\]\\"@]+)?$/.test(text);
}

function encodedSubject(text: string): string {
  const subject = oneLine(text);
  const plain = /^[ -~]*$/.test(subject) && !subject.includes('=?');
  if (plain && subject.length <= LINE_CHARS - 'Subject: '.length) return subject;
  const words: string[] = [];
  let word = '';
  for (const character of subject) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  words.push(word);
  return words.map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join('\n ');
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function lines(text: string): string[] {
  return text.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? [];
}
