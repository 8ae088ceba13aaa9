const QUIET = {
  general: { disableAutoUpdate: true, enableAutoUpdate: false, maxAttempts: 2 },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};

/** A price for tokens, dollars for a million, so that a cost can be told. */
const PRICE = { input: 3, output: 15 };

export function geminiSettings(): string {
  return JSON.stringify({ ...QUIET, security: { auth: { selectedType: 'gemini-api-key' } } });
}

export function qwenSettings(): string {
  return JSON.stringify({ ...QUIET, security: { auth: { selectedType: 'openai' } } });
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
