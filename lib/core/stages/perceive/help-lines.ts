/** The commands a person may give here, for `/help` and misspelt names. Pure. */

import { distance } from '../../base/distance.ts';
import { textTable } from '../../base/language.ts';
import { HELP } from '../../judge/command-notices.ts';
import { COMMANDS, isCommandName } from '../../ledger/command-rights.ts';
import { reaches, type Standing } from '../../ledger/standing.ts';
import { type Feature, nounsIn, operationsIn, summaryOf } from '../../operations/feature.ts';
import type { Operation } from '../../operations/operation.ts';
import { operationsOf, usageOf } from '../../operations/read-words.ts';
import { isTyped, mayDo } from '../../operations/rights.ts';

/** The commands of most days, in this order; the others are named below them. */
const EVERYDAY: readonly string[] = [
  ...['status', 'approvals', 'approve', 'deny', 'why', 'undo'],
  ...['remember', 'recall', 'jobs', 'budget', 'doctor'],
];

/** Words of help beside the sentences of nouns and verbs. */
export interface HelpWords {
  readonly fixed: readonly string[];
  readonly also: string;
  /** The sentence of a noun or a verb. */
  readonly say: (summary: string) => string;
}

export const helpWords = textTable<HelpWords>(
  { fixed: HELP, also: 'Also', say: (summary) => summary },
  { de: async () => (await import('./help-german.ts')).DE },
);

const usage = (operation: Operation): string => `/${usageOf(operation)}`;

/** `/recall <words…> – find notes by their words`; one with several forms has its own help. */
const nounLine = (noun: string, operations: readonly Operation[], summary: string): string => {
  const [only] = operations;
  const isOne = only !== undefined && operations.length === 1 && only.form === undefined;
  return `${isOne ? usage(only) : `/${noun} …`} – ${summary}`;
};

const mayGive = (standing: Standing, name = ''): boolean => !isCommandName(name) || reaches(standing, COMMANDS[name]);

const allowedTo = (features: readonly Feature[], standing: Standing): readonly Operation[] =>
  operationsIn(features).filter((operation) => isTyped(operation) && mayDo(standing, operation));

export const helpLines = (
  features: readonly Feature[],
  standing: Standing,
  { fixed, also, say }: HelpWords,
): readonly string[] => {
  const allowed = allowedTo(features, standing);
  const nouns = nounsIn(allowed);
  const others = nouns.filter((noun) => !EVERYDAY.includes(noun)).sort();
  const lineOf = (noun: string) => nounLine(noun, operationsOf(allowed, noun), say(summaryOf(features, noun)));
  return [
    ...fixed.filter((line) => [...line.matchAll(/\/([a-z-]+)/g)].every(([, name]) => mayGive(standing, name))),
    ...EVERYDAY.filter((noun) => nouns.includes(noun)).map(lineOf),
    ...(others.length === 0 ? [] : ['', `${also}: ${others.join(', ')}`]),
  ];
};

/** Every form of one command; undefined if nobody of this standing may give it. */
export const helpAbout = (
  features: readonly Feature[],
  standing: Standing,
  noun: string,
  { say }: HelpWords,
): readonly string[] | undefined => {
  const operations = operationsOf(allowedTo(features, standing), noun);
  if (operations.length === 0) return undefined;
  return [say(summaryOf(features, noun)), '', ...operations.map((one) => `${usage(one)} – ${say(one.summary)}`)];
};

/**
 * The command that a misspelt name is one letter away from, or the only one with this name as its
 * verb, such as `chats mute` for `mute`; empty if there is none.
 */
export const meantBy = (features: readonly Feature[], name: string): string => {
  const operations = operationsIn(features).filter(isTyped);
  const nouns = [...Object.keys(COMMANDS), ...nounsIn(operations), 'stop'];
  const [meant, other] = operations.filter((operation) => operation.name.split(' ')[1] === name);
  return nouns.find((known) => distance(name, known) === 1) ?? (other === undefined ? (meant?.name ?? '') : '');
};
