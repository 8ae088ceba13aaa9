type TokenForm = {
  /** Name in messages, such as "GitHub token". */
  readonly kind: string;
  readonly form: string;
};

/** Token forms unlikely in other text. Bounded or disjoint repetitions keep hostile text cheap. */
const FORMS: readonly TokenForm[] = [
  { kind: 'Anthropic key', form: 'sk-ant-[\\w-]{16,}' },
  { kind: 'API key', form: 'sk-(?:proj|svcacct|admin|or|lf)-[\\w-]{16,}' },
  // OpenAI and others with the same form.
  { kind: 'API key', form: 'sk-[A-Za-z0-9]{20,}' },
  { kind: 'Stripe key', form: '(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}' },
  { kind: 'GitHub token', form: 'gh[pousr]_[A-Za-z0-9]{20,}' },
  { kind: 'GitHub token', form: 'github_pat_\\w{22,}' },
  { kind: 'GitLab token', form: 'gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas|ffct|rtr)-[\\w-]{20,}' },
  { kind: 'AWS access key', form: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b' },
  { kind: 'Google API key', form: 'AIza[\\w-]{35}' },
  { kind: 'Google access token', form: 'ya29\\.[\\w-]{20,}' },
  { kind: 'Google client secret', form: 'GOCSPX-[\\w-]{24,}' },
  { kind: 'DigitalOcean token', form: 'do[opr]_v1_[a-f0-9]{64}\\b' },
  { kind: 'Slack token', form: 'xox[a-z]-[A-Za-z0-9-]{10,}' },
  { kind: 'Slack token', form: 'xapp-\\d-[A-Za-z0-9-]{10,}' },
  { kind: 'npm token', form: 'npm_[A-Za-z0-9]{36,}' },
  { kind: 'PyPI token', form: 'pypi-[\\w-]{50,}' },
  { kind: 'RubyGems key', form: 'rubygems_[a-f0-9]{48}\\b' },
  { kind: 'crates.io token', form: 'cio[A-Za-z0-9]{32}\\b' },
  { kind: 'NuGet key', form: 'oy2[a-z0-9]{43}\\b' },
  { kind: 'Hugging Face token', form: 'hf_[A-Za-z0-9]{30,}' },
  { kind: 'API key', form: '(?:gsk|xai)[_-][A-Za-z0-9]{40,}' },
  { kind: 'API key', form: '(?:pplx-|nvapi-|r8_|tvly-|jina_|fw_)[\\w-]{24,}' },
  { kind: 'SendGrid key', form: 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}' },
  { kind: 'Telegram token', form: '(?:bot)?\\d{8,10}:[\\w-]{35}(?![\\w-])' },
  { kind: 'Discord token', form: '[MNO][\\w-]{22,28}\\.[\\w-]{6,7}\\.[\\w-]{27,38}(?![\\w-])' },
  { kind: 'Vault token', form: 'hv[sbr]\\.[\\w-]{20,}' },
  { kind: 'age key', form: 'AGE-SECRET-KEY-1[A-Z0-9]{58}\\b' },
  { kind: 'Docker token', form: 'dckr_(?:pat|oat)_[\\w-]{16,}' },
  { kind: 'Shopify token', form: 'shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}\\b' },
  { kind: 'Twilio key', form: 'SK[a-f0-9]{32}\\b' },
  { kind: 'Linear key', form: 'lin_(?:api|oauth)_[A-Za-z0-9]{20,}' },
  { kind: 'Atlassian token', form: 'AT(?:ATT3|CTT3|BB)[\\w=.-]{20,}' },
  { kind: 'Sentry token', form: 'sntry[su]_[\\w+/=-]{16,}' },
  { kind: 'Databricks token', form: 'dapi[a-f0-9]{32}(?:-\\d)?\\b' },
  { kind: 'Postman key', form: 'PMA[KT]-[\\w-]{20,}' },
  { kind: 'New Relic key', form: 'NR(?:AK|JS|II|IQ)-[A-Za-z0-9-]{16,}' },
  { kind: 'Grafana token', form: 'gl(?:sa|c)_[A-Za-z0-9_+/=]{28,}' },
  { kind: 'Pulumi token', form: 'pul-[a-f0-9]{40}\\b' },
  { kind: 'Notion token', form: '(?:ntn_|secret_)[A-Za-z0-9]{40,}' },
  { kind: 'Figma token', form: 'fig[dour]_[\\w-]{36,}' },
  { kind: 'Doppler token', form: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{36,}' },
  { kind: 'Supabase key', form: 'sb(?:p|_secret)_[\\w-]{20,}' },
  { kind: 'PlanetScale token', form: 'pscale_(?:tkn|pw|oauth)_[\\w.-]{32,}' },
  { kind: 'Brevo key', form: 'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\\b' },
  { kind: 'Square token', form: 'sq0[a-z]{3}-[\\w-]{22,}' },
  { kind: 'PostHog key', form: 'phx_[A-Za-z0-9]{40,}' },
  { kind: 'Heroku key', form: 'HRKU-[\\w-]{40,}' },
  { kind: 'Netlify token', form: 'nf[pcu]_[A-Za-z0-9]{36,}' },
  { kind: 'Fly token', form: 'fm\\d[ar]?_[\\w+/=,-]{60,}' },
  { kind: 'Airtable token', form: 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}\\b' },
  { kind: 'Terraform token', form: 'atlasv1\\.[\\w-]{60,}' },
  { kind: 'CircleCI token', form: 'CCIP(?:AT|RJ)_[A-Za-z0-9]{20,}_[a-f0-9]{40}\\b' },
  { kind: 'Buildkite token', form: 'bk[a-z]{2}_[a-f0-9]{40}\\b' },
  { kind: 'Contentful token', form: 'CFPAT-[\\w-]{40,}' },
  { kind: 'Dynatrace token', form: 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}\\b' },
  { kind: 'Firebase key', form: 'AAAA[\\w-]{7}:[\\w-]{140,}' },
  { kind: 'SonarQube token', form: 'sq[upa]_[a-f0-9]{40}\\b' },
  { kind: 'Artifactory token', form: '(?:AKCp|cmVmdGtu)[A-Za-z0-9]{50,}' },
  { kind: 'Resend key', form: 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}' },
  { kind: 'Mapbox token', form: 'sk\\.eyJ[\\w-]{20,}\\.[\\w-]{20,}' },
  { kind: 'EasyPost key', form: 'EZ[AT]K[A-Za-z0-9]{50,}' },
  { kind: 'Flutterwave key', form: 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}' },
  { kind: 'API key', form: 'sk_[a-f0-9]{48}\\b' },
  { kind: 'API key', form: '(?:lsv2_(?:pt|sk)_|pcsk_|csk-|tgp_v1_|tfp_|rdme_|pn[ub]_|fio-u-)[\\w-]{36,}' },
];

/** A webhook's address is secret; its last part is hidden. */
export const WEBHOOKS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    kind: 'Slack webhook',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[\w/]{20,800})/g,
  },
  {
    kind: 'Discord webhook',
    pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/(?<secret>[\w-]{40,800})/g,
  },
  {
    kind: 'webhook',
    pattern:
      /\b(?:webhook\.office\.com\/webhookb2|hooks\.zapier\.com\/hooks\/catch|maker\.ifttt\.com\/trigger\/\w{1,80}\/with\/key|(?:feishu|larksuite)\.(?:cn|com)\/open-apis\/bot\/v2\/hook|chat\.\w{1,40}\.\w{2,10}\/hooks)\/(?<secret>[\w/@-]{12,800})/g,
  },
];

/** An unbounded repetition needs a stack as deep as the text is long. */
const bounded = (form: string): string => form.replace(/\{(\d+),\}/g, '{$1,800}');

/** Groups forms by first letter, so that most texts need a single comparison. */
function byFirstLetter(forms: readonly string[]): string {
  const rests = new Map<string, string[]>();
  for (const form of forms) {
    const [, first = '', rest = ''] = /^([A-Za-z]?)(.*)$/.exec(form) ?? [];
    rests.set(first, [...(rests.get(first) ?? []), rest]);
  }
  return [...rests].map(([first, all]) => `${first}(?:${all.join('|')})`).join('|');
}

export const TOKEN_FORMS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  ...FORMS.map(({ kind, form }) => ({ kind, pattern: new RegExp(`\\b(?:${bounded(form)})`, 'g') })),
  ...WEBHOOKS,
];

/** All forms except webhooks in one pattern, so that a text is read once. */
export const ANY_TOKEN = `\\b(?:${byFirstLetter(FORMS.map(({ form }) => bounded(form)))})`;
