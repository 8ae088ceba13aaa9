import { stringify } from 'yaml';

/** Returns a value as YAML. Lines of texts are never wrapped. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}
