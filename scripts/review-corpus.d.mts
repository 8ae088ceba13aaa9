export type LabelledCommand = { readonly command: string; readonly stop: boolean; readonly category: string };
export function labelledCommands(): Readonly<Record<string, readonly LabelledCommand[]>>;
export function listOf(path: string): readonly LabelledCommand[];
export function sessionCommands(): readonly string[];
export const DISGUISES: Readonly<Record<string, (command: string) => string>>;
