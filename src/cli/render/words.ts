import { formatDuration } from '../../lib/duration.ts';

/** `no_files` → `no files`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `50 %`; what stands for a share that is not known yet is the reader's. */
export function percent(share: number | null, unknown: string): string {
  return share === null ? unknown : `${Math.round(share * 100)} %`;
}

/** How long an attempt may take. */
export function limitText(seconds: number): string {
  return `limit ${formatDuration(seconds * 1000)}`;
}
