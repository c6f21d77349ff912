/** Words of a chat for a person at a shell: its commands as a shell takes them. */

import { nounsIn, operationsIn } from '../../lib/core/operations/feature.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { printableLines } from './terminal.ts';

const CHAT_COMMAND = new RegExp(
  `(?<=^|[\\s(])/(${[...nounsIn(operationsIn(FEATURES)), 'stop', 'resume'].join('|')})(?=[\\s,.:;)]|$)`,
  'gm',
);

export const shellLines = (text: string): string => printableLines(text).replace(CHAT_COMMAND, 'npx passepartout $1');
