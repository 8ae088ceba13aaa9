import { cutMarkdown } from '../lib/markdown.ts';

/** Text of several lines from outside, with no fence left open behind it. */
export function closed(text: string): string {
  return cutMarkdown(text.replace(/\r\n?/g, '\n').trim(), Number.POSITIVE_INFINITY);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}
