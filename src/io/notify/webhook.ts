import type { Notification } from '../../domain/notification.ts';
import { type HttpAddress, httpAddress, networkErrorCode } from '../http-address.ts';
import {
  type Channel,
  type NotifyOptions,
  notificationDocument,
  notificationText,
  TRY_MS,
  type Try,
} from './channel.ts';

/** Slack takes no longer text, in characters, as one section. */
const SLACK_SECTION = 3000;

/**
 * Posts the notification. The address is a secret, so no error names it. A redirection is not followed: the body
 * would go to a host that isn't configured.
 */
export function webhookChannel(options: Pick<NotifyOptions, 'settings' | 'tryMs'>): Channel {
  const address = httpAddress(options.settings.webhook);
  if (address === null) {
    const error = "the webhook isn't an http:// or https:// address: correct [notify] webhook";
    return { name: 'webhook', attempt: async () => ({ ok: false, error, isRetryable: false }) };
  }
  return { name: 'webhook', attempt: (notification) => post(address, options, notification) };
}

async function post(
  { url, headers }: HttpAddress,
  { tryMs = TRY_MS }: Pick<NotifyOptions, 'tryMs'>,
  notification: Notification,
): Promise<Try> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(tryMs),
      headers: { 'content-type': 'application/json', 'user-agent': 'ralph', ...headers },
      body: isSlack(url) ? slackDocument(notification) : notificationDocument(notification),
    });
    // The body of the answer isn't read: it has no meaning, and may never end.
    response.body?.cancel().catch(() => undefined);
    return outcomeOf(response);
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const why = isLate
      ? `the webhook gave no answer within ${tryMs / 1000} s`
      : `the webhook could not be reached (${networkErrorCode(error)})`;
    return { ok: false, error: why, isRetryable: true };
  }
}

function outcomeOf({ ok, status, statusText }: Response): Try {
  if (ok) return { ok: true };
  const error = `the webhook answered ${status} ${statusText}`.trimEnd();
  if (status >= 300 && status < 400) {
    const redirected = `${error}: redirections are not followed, name the final address`;
    return { ok: false, error: redirected, isRetryable: false };
  }
  return { ok: false, error, isRetryable: status === 429 || status >= 500 };
}

/** Slack's own addresses, and those of services that take its form, which end in `/slack`. */
function isSlack({ hostname, pathname }: URL): boolean {
  return /^hooks\.slack(?:-gov)?\.com$/.test(hostname) || /\/slack\/?$/.test(pathname);
}

/** @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slackDocument(notification: Notification): string {
  const title = slackText(`ralph: ${notification.title}`);
  const body = slackText(notificationText(notification));
  return JSON.stringify({
    text: title,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${title.slice(0, SLACK_SECTION - 2)}*` } },
      { type: 'section', text: { type: 'mrkdwn', text: body.slice(0, SLACK_SECTION) } },
    ],
  });
}

/** The three characters that mean something to Slack: without them a message can't mention anyone. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
