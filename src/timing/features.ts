import type { Task } from '../domain/task.ts';
import { findForms } from './forms.ts';
import { splitWords } from './words.ts';

/** Words that any task may contain: style is no measure of the work. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  [
    'a an the this that these those it its he she they them their we us our you your i me my',
    'is are was were be been being am has have had do does did will would can could may might shall',
    'of in on at by and or but so s t d ll re ve m',
    // Small and large work are checked in the same words.
    'exist exists contain contains pass passes',
  ].flatMap((line) => line.split(' ')),
);

const NUMBER = /^\d+$/;

export type Place = 'title' | 'description' | 'criteria';

/** The parts of a task that describe it in words. */
export type DescribedTask = Pick<Task, 'title' | 'description' | 'acceptance'>;

/** A word or a form of a task that may have weights. */
export type Feature = {
  /** What the weights are found by: a word without its plural `s`, or `form:…`. */
  readonly name: string;
  /** As the task spells it. */
  readonly text: string;
  /** Where it stands first. */
  readonly where: Place;
};

/** Every word and form of a task once, in the order of the text. */
export function featuresOf(task: DescribedTask): Feature[] {
  const features = new Map<string, Feature>();
  const put = (name: string, text: string, where: Place) => {
    if (!features.has(name)) features.set(name, { name, text, where });
  };
  const readWords = (text: string, where: Place) => {
    for (const { text: word, start, end } of splitWords(text)) {
      if (!SAYS_NOTHING.has(word) && !NUMBER.test(word)) put(singular(word), text.slice(start, end), where);
    }
  };
  const readForms = (text: string, where: Place) => {
    for (const form of findForms(text)) put(form.name, form.text, where);
  };
  readWords(task.title, 'title');
  readForms(task.title, 'title');
  readWords(task.description, 'description');
  readForms(task.description, 'description');
  // A file or a command in a criterion shows how the result is checked, not how large the work is.
  readWords(task.acceptance.join('\n'), 'criteria');
  return [...features.values()];
}

/** What a word of the title has weights of its own by, beside those that it has anywhere. */
export function titleName(name: string): string {
  return `title:${name}`;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
