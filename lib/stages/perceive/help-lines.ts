/** The commands a person may give here, for `/help` and misspelt names. Pure. */

import { distance } from '../../base/distance.ts';
import { HELP } from '../../judge/command-notices.ts';
import { COMMANDS, isCommandName } from '../../ledger/command-rights.ts';
import { reaches, type Standing } from '../../ledger/standing.ts';
import type { Operation } from '../../operations/operation.ts';
import { operationsOf, usageOf } from '../../operations/read-words.ts';
import { isTyped, mayDo } from '../../operations/rights.ts';
import { nounsIn, operationsIn, summaryOf, type Wing } from '../../operations/wing.ts';

/** `/jobs list|show|history – what runs by itself, and when` */
const nounLine = (noun: string, operations: readonly Operation[], summary: string): string => {
  const verbs = operations.map(({ name }) => name.split(' ')[1] ?? '').filter((verb) => verb !== '');
  if (verbs.length > 0) return `/${noun} ${verbs.join('|')} – ${summary}`;
  const forms = operations.map((one) => `/${one.form === undefined ? usageOf(one) : `${noun} …`}`);
  return `${forms.join(', ')} – ${summary}`;
};

const mayGive = (standing: Standing, name = ''): boolean => !isCommandName(name) || reaches(standing, COMMANDS[name]);

export const helpLines = (wings: readonly Wing[], standing: Standing): readonly string[] => {
  const allowed = operationsIn(wings).filter((operation) => isTyped(operation) && mayDo(standing, operation));
  return [
    ...HELP.filter((line) => [...line.matchAll(/\/([a-z-]+)/g)].every(([, name]) => mayGive(standing, name))),
    ...nounsIn(allowed).map((noun) => nounLine(noun, operationsOf(allowed, noun), summaryOf(wings, noun))),
  ];
};

/** The command that a misspelt name is one letter away from; empty if there is none. */
export const meantBy = (wings: readonly Wing[], name: string): string =>
  [...Object.keys(COMMANDS), ...nounsIn(operationsIn(wings)), 'stop'].find((known) => distance(name, known) === 1) ??
  '';
