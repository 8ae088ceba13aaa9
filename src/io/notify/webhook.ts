import type { Notification } from '../../domain/notification.ts';
import { type HttpAddress, httpAddress } from '../http-address.ts';
import {
  type Channel,
  type NotifyOptions,
  notificationDocument,
  notificationText,
  TRY_MS,
  type Try,
} from './channel.ts';
import { failureOf, open } from './request.ts';

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
  const body = isSlack(url) ? slackDocument(notification) : notificationDocument(notification);
  try {
    const signal = AbortSignal.timeout(tryMs);
    const response = await open({ url: url.href, method: 'POST', headers, body, signal });
    // The body of the answer isn't read: it has no meaning, and may never end.
    response.body?.cancel().catch(() => undefined);
    return outcomeOf(response);
  } catch (error) {
    return failureOf('the webhook', error, tryMs);
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
function slackDocument(notification: Notification): object {
  const title = slackText(`ralph: ${notification.title}`);
  const body = slackText(notificationText(notification));
  return {
    text: title,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${title.slice(0, SLACK_SECTION - 2)}*` } },
      { type: 'section', text: { type: 'mrkdwn', text: body.slice(0, SLACK_SECTION) } },
    ],
  };
}

/** The three characters that mean something to Slack: without them a message can't mention anyone. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
