import { shortened } from 'ralph-kit/text';
import type { Notification } from '../../domain/notification.ts';
import { notificationText } from './channel.ts';

/** Characters of a subject: beyond this no mail program shows it. */
const LONGEST_SUBJECT = 200;

/**
 * A message for `sendmail -t -i`, which itself adds `From`. Lines end with a line feed, as local programs read them.
 *
 * @param to addresses that `isAddress` has accepted.
 */
export async function emailMessage(notification: Notification, to: readonly string[]): Promise<string> {
  // Loaded when it is needed: few runs send mail.
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message } = await composer.sendMail({
    to: to.map((address) => ({ name: '', address })),
    subject: subjectOf(notification),
    date: new Date(notification.at),
    // No answer of a program that is away on holiday (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: `${notificationText(notification)}\n`,
    textEncoding: 'base64',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return message.toString();
}

/** One address, or a user of this machine, and nothing that `sendmail -t` would read as more than that. */
export function isAddress(text: string): boolean {
  return /^[!-~]+$/.test(text) && /^[^,;:<>()[\]\\"@]+(@[^,;:<>()[\]\\"@]+)?$/.test(text);
}

/** One line, in which nothing reads as an encoded word (RFC 2047) that it isn't. */
function subjectOf({ title }: Notification): string {
  const line = `ralph: ${title}`.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll('=?', '= ?');
  return shortened(line.trim(), LONGEST_SUBJECT);
}
