import { h } from 'preact';
import { blockName, type Part } from '../render/page/parts.ts';
import type { Offer } from './offers.ts';

/**
 * Returns forms of the offered actions. @param opensFirst Whether the first form is open, because its question stands
 * right above it.
 */
export function formsPart(offers: readonly Offer[], path: string, opensFirst = false): Part {
  if (offers.length === 0) return null;
  const forms = offers.map((offer, at) => formPart(offer, path, opensFirst && at === 0));
  return h('div', { class: 'acts' }, ...forms);
}

/** Returns options one below the other, each with its meaning. */
export function choicesPart(offers: readonly Offer[], path: string): Part {
  const items = offers.map((offer) =>
    h('li', null, formPart(offer, path, false), h('p', { class: 'small faint' }, offer.note)),
  );
  return items.length === 0 ? null : h('ul', { class: 'plain choices' }, ...items);
}

/**
 * Returns the form of an action. A form with a question is folded, so that you read the question before you press the
 * button.
 */
function formPart(offer: Offer, path: string, isOpen: boolean): Part {
  const { name, about, choice, label, question } = offer;
  const id = blockName('act', `${name} ${about} ${choice}`);
  if (question === null)
    return h('form', { method: 'post', action: path }, hidden(offer), h('button', null, label));
  const form = h(
    'form',
    { method: 'post', action: path, class: 'wide' },
    hidden(offer),
    fieldPart(offer, id, isOpen),
  );
  if (isOpen) return form;
  return h('details', { id }, h('summary', { class: 'button' }, label), form);
}

function hidden({ name, about, choice, check }: Offer): Part {
  const fields = { do: name, about, choice, check };
  return Object.entries(fields).map(([field, value]) =>
    h('input', { type: 'hidden', name: field, value, autocomplete: 'off' }),
  );
}

/** Returns the field for an answer. @param isAsked Whether the question stands right above the form. */
function fieldPart({ question, input, label, name }: Offer, id: string, isAsked: boolean): Part {
  if (input === null) return [h('p', null, question), h('button', { class: 'main' }, `Yes: ${lower(label)}`)];
  const { isLong, value, hint } = input;
  const field = {
    id: `${id}-text`,
    name: 'text',
    placeholder: hint,
    autocomplete: 'off',
    maxLength: MOST_TEXT,
  };
  return [
    h('label', { for: field.id }, isAsked ? `Your ${lower(label)}` : question),
    isLong ? h('textarea', field, value) : h('input', { ...field, value }),
    h('button', { class: 'main' }, SUBMITS[name] ?? label),
  ];
}

const SUBMITS: Readonly<Record<string, string>> = { guide: 'Send', guide_all: 'Send', retitle: 'Save' };

/** Maximum number of characters of an answer; a form may have 64 KB. */
const MOST_TEXT = 10_000;

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
