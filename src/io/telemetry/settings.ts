import { type HttpAddress, httpAddress, percentDecoded } from '../http-address.ts';

export type Signal = 'traces' | 'metrics';

export type Target = HttpAddress & { readonly timeoutMs: number };

export type TelemetrySettings = {
  /** Target of traces; `null`: not requested. */
  readonly traces: Target | null;
  readonly metrics: Target | null;
  readonly resource: Readonly<Record<string, string>>;
};

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Returns settings from OpenTelemetry's variables. Without an endpoint nothing is sent; the specification's default
 * isn't used.
 * @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function telemetrySettings(env: Environment, onProblem: (message: string) => void): TelemetrySettings {
  const settings = {
    traces: targetOf('traces', env, onProblem),
    metrics: targetOf('metrics', env, onProblem),
    resource: resourceOf(env),
  };
  const speaksGrpc = (['traces', 'metrics'] as const).some(
    (signal) => settings[signal] !== null && setting(env, signal, 'PROTOCOL') === 'grpc',
  );
  if (speaksGrpc) {
    onProblem(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and ralph sends OTLP as JSON over HTTP alone: name the HTTP endpoint of your collector (in general port 4318).',
    );
  }
  return settings;
}

function targetOf(signal: Signal, env: Environment, onProblem: (message: string) => void): Target | null {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return null;
  const exporters = list(env[`OTEL_${signal.toUpperCase()}_EXPORTER`]);
  if (exporters.length > 0 && !exporters.includes('otlp')) return null;
  const own = env[ownName(signal, 'ENDPOINT')]?.trim() ?? '';
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim() ?? '';
  if (own === '' && common === '') return null;
  // A signal's own endpoint is used unchanged; the common one gets a path.
  const address = httpAddress(own === '' ? `${common.replace(/\/+$/, '')}/v1/${signal}` : own);
  if (address === null) {
    const name = own === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : ownName(signal, 'ENDPOINT');
    onProblem(`${name} isn't an http:// or https:// address: no ${signal} are sent.`);
    return null;
  }
  const timeout = Number(setting(env, signal, 'TIMEOUT') || DEFAULT_TIMEOUT_MS);
  return {
    url: address.url,
    headers: { ...address.headers, ...pairs(setting(env, signal, 'HEADERS'), isHeader) },
    timeoutMs: Number.isFinite(timeout) && timeout > 0 ? timeout : DEFAULT_TIMEOUT_MS,
  };
}

function resourceOf(env: Environment): Record<string, string> {
  const name = env.OTEL_SERVICE_NAME?.trim() ?? '';
  return {
    'service.name': 'ralph',
    ...pairs(env.OTEL_RESOURCE_ATTRIBUTES ?? '', () => true),
    ...(name === '' ? {} : { 'service.name': name }),
  };
}

/** A signal's own setting takes precedence over the common one. */
function setting(env: Environment, signal: Signal, name: string): string {
  return env[ownName(signal, name)]?.trim() || env[`OTEL_EXPORTER_OTLP_${name}`]?.trim() || '';
}

function ownName(signal: Signal, name: string): string {
  return `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`;
}

function list(text = ''): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Parses `key=value,key=value` with percent-encoded values, as in W3C baggage, skipping anything else. */
function pairs(text: string, isFit: (key: string, value: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    list(text).flatMap((entry) => {
      const at = entry.indexOf('=');
      const key = entry.slice(0, Math.max(at, 0)).trim();
      const value = percentDecoded(entry.slice(at + 1).trim());
      return key !== '' && isFit(key, value) ? [[key, value]] : [];
    }),
  );
}

/** `fetch` throws at other headers. */
function isHeader(key: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(key) && /^[\t -~]*$/.test(value);
}
