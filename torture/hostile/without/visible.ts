export function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}

export function escapeUnseen(json: string): string {
  return json;
}
