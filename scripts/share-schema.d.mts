export type Schema = { readonly [keyword: string]: unknown };

export function shareSchema(schema: Schema): Schema;

export function schemaText(value: unknown): string;
