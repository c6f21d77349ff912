/** The answers about outputs in English, the typed source. Pure. */
import { textTable } from '../../core/base/language.ts';
import { DAYS } from '../../core/base/time-words.ts';

export const EN = {
  days: DAYS,
  none: 'no tool returned anything in the last turns here',
  noneIn: (id: string) => `no tool returned anything in ${id}, or it was forgotten`,
  noNumber: (count: number) => `the last turns here have ${count} ${count === 1 ? 'output' : 'outputs'}`,
  noPart: (parts: number) => `it has ${parts} ${parts === 1 ? 'part' : 'parts'}`,
  head: (tool: string, state: string, time: string, id: string) => `${tool} (${state}), ${time}, ${id}:`,
  state: (state: string): string => state,
  outside: 'Words of others: each of their lines begins with >',
  cut: (chars: number) => `The output had ${chars} characters; the rest was not kept.`,
  part: (part: number, parts: number, rest: string | undefined) =>
    `Part ${part} of ${parts}.${rest === undefined ? '' : ` The next: ${rest}`}`,
  other: (command: string, tool: string, time: string) => `${command}: ${tool}, ${time}`,
};
export type OutputTexts = typeof EN;

export const outputTexts = textTable(EN, { de: async () => (await import('./texts-german.ts')).DE });
