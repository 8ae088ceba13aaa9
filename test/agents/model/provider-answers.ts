import type { CONSEQUENCES } from '../../../src/domain/service.ts';
import type { Failure } from './scenario.ts';

/** Whose interface a program speaks, and so whose words its service uses. */
export type Maker = 'anthropic' | 'openai' | 'google';

/** What a service can answer in place of a model. */
export type Refusal =
  | 'limit'
  | 'throttle'
  | 'credit'
  | 'quota'
  | 'no key'
  | 'bad key'
  | 'model'
  | 'server error'
  | 'overloaded';

/** A model that doesn't exist. */
export const NO_SUCH_MODEL = 'no-such-model';
/** Of limits that say when they end; the providers name minutes to hours. */
const TWO_HOURS = 7200;

type Answers = Readonly<Record<Refusal, Failure>>;

function anthropic(status: number, type: string, message: string, headers: Failure['headers'] = {}): Failure {
  const body = { type: 'error', error: { type, message }, request_id: 'req_011CU0000000000000000000' };
  return { status, message, headers, body };
}

function openai(
  status: number,
  [type, code]: readonly [string, string | null],
  message: string,
  headers: Failure['headers'] = {},
): Failure {
  return { status, message, headers, body: { error: { message, type, param: null, code } } };
}

function google(code: number, status: string, message: string, details: readonly object[] = []): Failure {
  return { status: code, message, body: { error: { code, message, status, details } } };
}

const quotaFailure = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [
    { quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId },
  ],
});

/** Of a plan of ChatGPT, by which most people use codex. */
export const CHATGPT_LIMIT: Failure = {
  status: 429,
  message: 'The usage limit has been reached',
  body: {
    error: {
      type: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: 'plus',
      resets_at: Math.floor(Date.now() / 1000) + TWO_HOURS,
      resets_in_seconds: TWO_HOURS,
    },
  },
};

/** The bodies of the providers, as they send them. */
export const PROVIDER_ANSWERS: Readonly<Record<Maker, Answers>> = {
  anthropic: {
    limit: anthropic(
      429,
      'rate_limit_error',
      "This request would exceed your account's rate limit. Please try again later.",
      {
        'retry-after': String(TWO_HOURS),
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-reset': String(Math.floor(Date.now() / 1000) + TWO_HOURS),
      },
    ),
    throttle: anthropic(
      429,
      'rate_limit_error',
      'This request would exceed the rate limit for your organization of 50 requests per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.',
      { 'retry-after': '2' },
    ),
    credit: anthropic(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
    quota: anthropic(
      400,
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2099-01-01 at 00:00 UTC.',
    ),
    'no key': anthropic(401, 'authentication_error', 'x-api-key header is required'),
    'bad key': anthropic(401, 'authentication_error', 'invalid x-api-key'),
    model: anthropic(404, 'not_found_error', `model: ${NO_SUCH_MODEL}`),
    'server error': anthropic(500, 'api_error', 'Internal server error'),
    overloaded: anthropic(529, 'overloaded_error', 'Overloaded'),
  },
  openai: {
    limit: openai(
      429,
      ['requests', 'rate_limit_exceeded'],
      'Rate limit reached for loopback-model in organization org-x on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 2h0m0s. Visit https://platform.openai.com/account/rate-limits to learn more.',
      { 'retry-after': String(TWO_HOURS) },
    ),
    throttle: openai(
      429,
      ['tokens', 'rate_limit_exceeded'],
      'Rate limit reached for loopback-model in organization org-x on tokens per min (TPM): Limit 30000, Used 29100, Requested 1934. Please try again in 2.068s. Visit https://platform.openai.com/account/rate-limits to learn more.',
      { 'retry-after': '2' },
    ),
    credit: openai(
      400,
      ['invalid_request_error', null],
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
    quota: openai(
      429,
      ['insufficient_quota', 'insufficient_quota'],
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
    ),
    'no key': openai(
      401,
      ['invalid_request_error', null],
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    ),
    'bad key': openai(
      401,
      ['invalid_request_error', 'invalid_api_key'],
      'Incorrect API key provided: sk-test-*****body. You can find your API key at https://platform.openai.com/account/api-keys.',
    ),
    model: openai(
      404,
      ['invalid_request_error', 'model_not_found'],
      `The model \`${NO_SUCH_MODEL}\` does not exist or you do not have access to it.`,
    ),
    'server error': openai(
      500,
      ['server_error', null],
      'The server had an error while processing your request. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if the error persists.',
    ),
    overloaded: openai(
      503,
      ['server_error', null],
      'The engine is currently overloaded, please try again later.',
    ),
  },
  google: {
    limit: google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. \n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 50\nPlease retry in 2h0m0s.',
      [
        quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${TWO_HOURS}s` },
      ],
    ),
    throttle: google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. \n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 2\nPlease retry in 3.1s.',
      [
        quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' },
      ],
    ),
    credit: google(
      429,
      'RESOURCE_EXHAUSTED',
      'Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.',
    ),
    quota: google(
      429,
      'RESOURCE_EXHAUSTED',
      'Your project has exceeded its monthly spending cap. Please go to AI Studio at https://ai.studio/spend to manage your project spend cap.',
    ),
    'no key': google(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    ),
    'bad key': google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
    ]),
    model: google(
      404,
      'NOT_FOUND',
      `models/${NO_SUCH_MODEL} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
    ),
    'server error': google(
      500,
      'INTERNAL',
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ),
    overloaded: google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  },
};

/** What ralph may take each answer for. */
export const KINDS: Readonly<Record<Refusal, readonly (keyof typeof CONSEQUENCES)[]>> = {
  limit: ['rate_limited'],
  // Where a program doesn't hand on the words, one kind of limit can't be told from the other.
  throttle: ['throttled', 'rate_limited'],
  credit: ['credit'],
  quota: ['credit', 'rate_limited'],
  'no key': ['auth'],
  'bad key': ['auth'],
  model: ['model'],
  'server error': ['outage'],
  overloaded: ['outage'],
};
