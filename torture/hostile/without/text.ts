export function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}
