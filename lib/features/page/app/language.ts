/**
 * The language of the page: the one that a person chose here, or the first of the browser's that
 * the page speaks. Texts, numbers, times and money follow it at once.
 */
import { computed, effect, signal } from '@preact/signals';
import { sensorWordsIn, stateWordIn } from '../../../core/wings/signals/shown-words.ts';
import { LANGUAGES, type Language, phraseIn, sourceWordIn, type TEXTS } from './texts.ts';

const CHOSEN = 'passepartout-language';

/** @param tag such as `de-AT`; some browsers have one that `Intl` refuses, such as `en-US@posix` */
const languageOf = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => new RegExp(`^${language}(?:-[a-z\\d]+)*$`, 'i').test(tag));

const [firstSpoken = 'en'] = [localStorage.getItem(CHOSEN) ?? '', ...navigator.languages].flatMap(
  (tag) => languageOf(tag) ?? [],
);

export const language = signal<Language>(firstSpoken);
effect(() => {
  document.documentElement.lang = language.value;
});

export const otherLanguage = (): Language => (language.value === 'en' ? 'de' : 'en');

export const switchLanguage = (): void => {
  language.value = otherLanguage();
  localStorage.setItem(CHOSEN, language.value);
};

/** The browser's region, if it is one of the language: such as `en-GB`. */
const locale = computed(() => navigator.languages.find((tag) => languageOf(tag) === language.value) ?? language.value);

/** A text of the page; one with values is a function. */
export const phrase = <K extends keyof typeof TEXTS>(key: K) => phraseIn(language.value, key);
export const stateWord = (state: string): string => stateWordIn(language.value, state);
export const sourceWord = (source: string): string => sourceWordIn(language.value, source);
export const sensorWord = (sensor: string): string => sensorWordsIn(language.value, sensor);

/** The time of today, and else the day too. @param ms epoch milliseconds */
export const clock = (ms: number): string => {
  const then = new Date(ms);
  const isToday = then.toDateString() === new Date().toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return then.toLocaleString(locale.value, { ...day, hour: '2-digit', minute: '2-digit' });
};

const show = (amount: number, options?: Intl.NumberFormatOptions): string =>
  amount.toLocaleString(locale.value, options);

/** Such as `340 ms`, `2.5 s`, `12 min` or `3 h`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 90_000) return `${show(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
  return ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${show(Math.round(ms / 3_600_000))} h`;
};

/** All digits that there are, and at least cents. */
export const money = (microDollars: number): string =>
  show(microDollars / 1e6, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** @param day such as `2026-11-28`, in UTC */
export const dayName = (day: string): string =>
  new Date(`${day}T12:00Z`).toLocaleDateString(locale.value, { weekday: 'short', day: 'numeric', timeZone: 'UTC' });

/** Such as `Three pull requests, nothing waits.`: parts with commas, the first letter large. */
export const sentenceOf = (parts: readonly string[]): string => {
  const text = parts.join(', ');
  return `${text.charAt(0).toLocaleUpperCase(locale.value)}${text.slice(1)}.`;
};
