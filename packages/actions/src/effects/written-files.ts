import { placedPath } from 'ralph-kit/paths';
import { type CommandFiles, type Field, fieldText, isNamed, type SimpleCommand } from '../shell/index.ts';
import type { EffectPlace } from './effect.ts';

/** Files that the command itself, or an earlier action, wrote. */
export type WrittenFiles = { readonly place: EffectPlace; readonly files: CommandFiles };

export function textsAt(
  file: Field,
  { cwds }: Pick<SimpleCommand, 'cwds'>,
  { place, files }: WrittenFiles,
): readonly string[] {
  if (!isNamed(file)) return [];
  const named = fieldText(file);
  return cwds.flatMap((cwd) => {
    if (cwd === null && !named.startsWith('/')) return [];
    const path = placedPath(named, cwd ?? '/', (same) => same, false);
    const own =
      files.get(path) ?? [...files].find(([folder]) => folder.endsWith('/') && path.startsWith(folder))?.[1];
    if (own !== undefined) return own;
    const text = place.writtenText(path);
    return text === null || text.slice(0, 4096).includes('\0') ? [] : [text];
  });
}
