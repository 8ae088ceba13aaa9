import { isObject } from './is-object.ts';
import { redactor } from './redact.ts';
import { REDACTED } from './secrets/named.ts';
import { isSecretName } from './secrets/names.ts';
import { isPlaceholder } from './secrets/values.ts';
import { stripControl } from './text.ts';

/** Limit of passes: hiding text between a name and a value may bring them together. */
const MOST_PASSES = 6;
/** Shorter values behind a secret's name are settings or placeholders. */
const SHORTEST_VALUE = 4;
const HEADER_NAME = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)$/i;
const SCHEME = /^(?:bearer|basic|token)$/i;

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;
const KEY_END = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;
/**
 * Returns a value without secrets: those given, those that look like one, and those named so by a member (`apiKey`), an
 * option or a header. Lists and members keep their number, and a second pass changes nothing.
 */
export function redactDeep<T>(value: T, secrets: readonly string[]): T {
  const text = redactor(secrets);

  function walk(given: unknown, name: string): unknown {
    if (typeof given === 'string') return isSecretValue(name, given) ? REDACTED : text(given);
    if (Array.isArray(given)) return list(given, name);
    if (!isObject(given)) return given;
    const taken = new Set<string>();
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) => [free(text(key), taken), walk(inner, nameOf(key, given))]),
    );
  }

  function list(given: readonly unknown[], name: string): unknown[] {
    let inKey = false;
    return given.map((item, index) => {
      if (typeof item !== 'string') return walk(item, name);
      const within = inKey;
      inKey = KEY_BEGIN.test(item) ? !KEY_END.test(item) : inKey && !KEY_END.test(item);
      return within || inKey || isArgument(given, index) ? REDACTED : walk(item, name);
    });
  }

  let shown = walk(value, '');
  for (let pass = 1; pass < MOST_PASSES; pass += 1) {
    const before = JSON.stringify(shown);
    shown = walk(shown, '');
    if (JSON.stringify(shown) === before) break;
  }
  return shown as T;
}

function isSecretValue(name: string, value: string): boolean {
  // A plain `key` may be any kind of key.
  const secret = (isSecretName(name) && name !== 'key') || HEADER_NAME.test(name);
  return secret && value.trim().length >= SHORTEST_VALUE && value !== REDACTED && !isPlaceholder(value);
}

/** Returns the name that judges a member: `{"name": "API_TOKEN", "value": "x"}` is a pair. */
function nameOf(key: string, { name }: Record<string, unknown>): string {
  return key === 'value' && typeof name === 'string' ? name : key;
}

/** Whether a list item is the value of the option or header before it. */
function isArgument(list: readonly unknown[], index: number): boolean {
  const [item, before, first] = [list[index], list[index - 1], list[index - 2]];
  if (typeof item !== 'string' || typeof before !== 'string') return false;
  const option = /^--?([a-z][\w-]+)$|^([a-z][\w-]+):$/i.exec(before);
  if (option !== null) return isSecretValue(option[1] ?? option[2] ?? '', item);
  return (
    SCHEME.test(before) && typeof first === 'string' && /:$/.test(first) && item.length >= SHORTEST_VALUE
  );
}

/** Members whose redacted names are equal stay separate. */
function free(name: string, taken: Set<string>): string {
  let own = name;
  for (let number = 2; taken.has(own); number += 1) own = `${name} (${number})`;
  taken.add(own);
  return own;
}

/** Returns data for the screen or other programs, without secrets and invisible characters. */
export function shareable<T>(value: T, secrets: readonly string[]): T {
  return redactDeep(plain(value), [...secrets]) as T;
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return stripControl(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
