/** Words of a chat for a person at a shell: its commands as a shell takes them. */
import { nounsIn, operationsIn } from '../../lib/operations/wing.ts';
import { WINGS } from '../../lib/wings/wings.ts';
import { printableLines } from './terminal.ts';

const CHAT_COMMAND = new RegExp(
  `(?<=^|[\\s(])/(${[...nounsIn(operationsIn(WINGS)), 'stop', 'resume'].join('|')})(?=[\\s,.:;)]|$)`,
  'gm',
);

export const shellLines = (text: string): string => printableLines(text).replace(CHAT_COMMAND, 'npx passepartout $1');
