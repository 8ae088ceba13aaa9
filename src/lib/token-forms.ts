export type TokenForm = {
  /** As messages name it, such as "GitHub token". */
  readonly kind: string;
  /** With the flags `dg`. Where it has a group named `secret`, that alone is the secret. */
  readonly pattern: RegExp;
};

/**
 * Tokens that a service issued, recognised by their form alone: text of these forms is hardly ever anything else. Each repetition
 * is bounded or cannot overlap with its neighbours, so that hostile text stays cheap.
 */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'Anthropic key', pattern: /\bsk-ant-[\w-]{16,}/dg },
  { kind: 'API key', pattern: /\bsk-(?:proj|svcacct|admin|or|lf)-[\w-]{16,}/dg },
  // OpenAI and others that share the form.
  { kind: 'API key', pattern: /\bsk-[A-Za-z0-9]{20,}/dg },
  { kind: 'Stripe key', pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/dg },
  { kind: 'GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{20,}/dg },
  { kind: 'GitHub token', pattern: /\bgithub_pat_\w{22,}/dg },
  { kind: 'GitLab token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,}/dg },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/dg },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}/dg },
  { kind: 'Google access token', pattern: /\bya29\.[\w-]{20,}/dg },
  { kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/dg },
  { kind: 'Slack token', pattern: /\bxox[a-z]-[A-Za-z0-9-]{10,}/dg },
  { kind: 'Slack token', pattern: /\bxapp-\d-[A-Za-z0-9-]{10,}/dg },
  { kind: 'Slack webhook', pattern: /\bhooks\.slack\.com\/services\/(?<secret>[\w/]{20,})/dg },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36,}/dg },
  { kind: 'PyPI token', pattern: /\bpypi-[\w-]{50,}/dg },
  { kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/dg },
  { kind: 'API key', pattern: /\b(?:gsk|xai)[_-][A-Za-z0-9]{40,}/dg },
  { kind: 'SendGrid key', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/dg },
];
