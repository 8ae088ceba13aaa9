const QUIET = {
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};

/** A price for tokens, dollars for a million, so that a cost can be told. */
const PRICE = { input: 3, output: 15 };

type Tries = { readonly maxAttempts?: number };

const quiet = (tries: Tries) => ({ ...QUIET, general: { ...QUIET.general, ...tries } });

export function geminiSettings(tries: Tries = {}): string {
  return JSON.stringify({ ...quiet(tries), security: { auth: { selectedType: 'gemini-api-key' } } });
}

export function qwenSettings(tries: Tries = {}): string {
  return JSON.stringify({ ...quiet(tries), security: { auth: { selectedType: 'openai' } } });
}

export function opencodeSettings(url: string, key: string): string {
  const model = (name: string) => ({
    name,
    tool_call: true,
    cost: PRICE,
    limit: { context: 10_000_000, output: 8192 },
  });
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: 'loopback/loopback-model',
    small_model: 'loopback/loopback-model',
    enabled_providers: ['loopback'],
    provider: {
      loopback: {
        npm: '@ai-sdk/openai-compatible',
        name: 'loopback',
        options: { baseURL: `${url}/v1`, apiKey: key },
        models: { 'loopback-model': model('loopback-model'), 'other-model': model('other-model') },
      },
    },
  });
}

export function piModels(url: string, key: string): string {
  const model = (id: string) => ({
    id,
    name: id,
    reasoning: false,
    input: ['text'],
    cost: { ...PRICE, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 10_000_000,
    maxTokens: 8192,
  });
  const models = [model('loopback-model'), model('other-model')];
  return JSON.stringify({
    providers: { loopback: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: key, models } },
  });
}

export function droidSettings(url: string, key: string): string {
  const model = (name: string) => ({
    model: name,
    id: `custom:${name}`,
    displayName: name,
    baseUrl: `${url}/v1`,
    apiKey: key,
    provider: 'generic-chat-completion-api',
    maxOutputTokens: 8192,
    maxContextLimit: 10_000_000,
  });
  return JSON.stringify({
    customModels: [model('loopback-model'), model('other-model')],
    sessionDefaultSettings: { model: 'custom:loopback-model' },
  });
}

export function codexSettings(url: string): string {
  return [
    // It offers its tool for patches to models that it knows.
    ...['model = "gpt-5.5"', 'model_provider = "loopback"', 'check_for_update_on_startup = false'],
    ...['[features]', 'plugins = false', '[analytics]', 'enabled = false'],
    ...['[feedback]', 'enabled = false', '[otel]', 'exporter = "none"'],
    ...['[model_providers.loopback]', 'name = "loopback"', `base_url = "${url}/v1"`],
    ...['env_key = "LOOPBACK_KEY"', 'wire_api = "responses"', ''],
  ].join('\n');
}

export function continueSettings(url: string, key: string): string {
  return JSON.stringify({
    name: 'loopback',
    version: '0.0.1',
    schema: 'v1',
    models: [
      {
        name: 'loopback-model',
        provider: 'openai',
        model: 'loopback-model',
        apiBase: `${url}/v1`,
        apiKey: key,
        roles: ['chat', 'edit', 'apply'],
        capabilities: ['tool_use'],
      },
    ],
  });
}

/** @param key `null`: there is none. */
export function clineSettings(url: string, key: string | null): string {
  return JSON.stringify({
    version: 1,
    lastUsedProvider: 'openai-compatible',
    providers: {
      'openai-compatible': {
        settings: {
          provider: 'openai-compatible',
          model: 'loopback-model',
          baseUrl: `${url}/v1`,
          ...(key === null ? {} : { apiKey: key }),
        },
        updatedAt: '2026-01-01T00:00:00.000Z',
        tokenSource: 'manual',
      },
    },
  });
}
