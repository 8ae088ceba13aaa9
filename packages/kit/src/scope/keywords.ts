const LEAST_LETTERS = 4;

/** Words that don't locate a task's work: common in any text, or in any task. */
const STOP_WORDS = new Set(
  (
    'about above after again against also another before being below between both cannot could does doing done down ' +
    'during each either every exactly first from further have having here into itself just last later least less like ' +
    'make makes making many more most much must neither never next none nothing once only other otherwise over same ' +
    'second several shall should since some still such than that their them then there these they this those three ' +
    'through under until upon very were what whatever when where whether which while whose will with within without ' +
    'would your ' +
    'accept acceptance able add added adds allow allows always build builds change changed changes check checks code ' +
    'complete correct correctly create created creates criteria default description ensure error errors exist exists ' +
    'existing expected fail fails feature file files fix fixed fixes follow folder function good green handle handles ' +
    'help implement implemented implements improve instead issue keep line lines move name names need needs output ' +
    'pass passes path paths possible project provide remove removed repository return returns show shows simple ' +
    'source support supports task tasks test tests text update updated updates used uses using value values work ' +
    'works write writes written'
  ).split(' '),
);

/** Number of characters read; a long task has enough keywords at its beginning. */
const TEXT_READ = 20_000;

/** Returns lower-case words of at least four letters, splitting `parseHTMLTable`, `parse-table` and `parse_table`. */
export function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, TEXT_READ)
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+/gu)
      ?.filter((word) => word.length >= LEAST_LETTERS) ?? []
  );
}

/** Removes endings of plurals, `-ing`, `-ed` or `-ation`: `tables` and `table` are equal. */
export function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|z|ch|sh)es$/, '')
    .replace(/(?<=[^su])s$/, '');
  const bare = singular.replace(/(?:ation|ating|ated|ator|ate|ing|ion|ed|er|or|e)$/, '');
  return bare.length >= LEAST_LETTERS ? bare : singular;
}

/** Returns stems of a task's specific words in title, description and acceptance. */
export function keywordsOf({
  title,
  description,
  acceptance,
}: {
  readonly title: string;
  readonly description: string;
  readonly acceptance: readonly string[];
}): ReadonlySet<string> {
  const words = [title, description, ...acceptance].flatMap(wordsOf);
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
}
