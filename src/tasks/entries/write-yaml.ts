import { stringify } from 'yaml';

/** A value as YAML, no line of a text broken. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
