import { formatDuration } from 'ralph-kit/duration';

/** Returns a name as words: `no files` for `no_files`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/**
 * Returns a share such as `50 %`.
 * @param unknown Text for a share that isn't known yet.
 */
export function percent(share: number | null, unknown: string): string {
  return share === null ? unknown : `${Math.round(share * 100)} %`;
}

export function limitText(seconds: number): string {
  return `limit ${formatDuration(seconds * 1000)}`;
}
