import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const IGNORE_RULES = '/runs/\n';

export function ensureIgnoreRules({ root }: { readonly root: string }): void {
  const path = join(root, '.ralph', '.gitignore');
  if (!existsSync(path)) writeFileSync(path, IGNORE_RULES);
}
