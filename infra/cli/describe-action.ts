/** An action and an approval as lines of a terminal, in the words of a card. Pure. */

import { shortIdOf } from '../../lib/core/approvals/approval.ts';
import { utcMinute } from '../../lib/core/base/utc-minute.ts';
import { onReadersClock } from '../../lib/core/channels/moments.ts';
import { defang } from '../../lib/core/text/tappable.ts';
import { actionSentence } from '../../lib/core/tools/action-sentence.ts';
import type { ShownApproval } from '../../lib/core/verbs/approvals/operations.ts';
import { fieldOf } from '../../lib/core/verbs/signals/story-lines.ts';
import type { ShownAction } from './answers.ts';
import { printable } from './terminal.ts';

/** Links in a text are written so that a terminal opens none. */
const showSentence = (sentence: string, tool: string | undefined): string =>
  printable(tool === undefined ? defang(sentence) : sentence);

/** The sentence that names it on every channel. */
export const actionTitle = (action: ShownAction): string => showSentence(actionSentence(action), action.tool);

/** `12 min`, `40 s`; nothing negative. */
export const remainingWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

const fieldLine = (line: string): string => `  ${printable(fieldOf(line))}`;

const detailLines = ({ unusual, rest, signalId }: ShownApproval, hasAll: boolean): readonly string[] => [
  ...unusual.map(fieldLine),
  ...(hasAll ? [...rest.map(fieldLine), `  signal ${printable(signalId)}`] : []),
];

const stateOf = ({ stage, expiresAt, decidedAt, decider }: ShownApproval, now: number): string => {
  if (stage === 'PLAN') return `expires in ${remainingWords(expiresAt - now)}`;
  const at = decidedAt === undefined ? '' : ` ${onReadersClock(utcMinute(decidedAt), now)}`;
  return `${printable(stage)}${at}${decider === undefined ? '' : ` by ${printable(decider)}`}`;
};

export const approvalLine = (approval: ShownApproval, now: number, hasWholeId = false): string => {
  const { id, sentence, action, destroys } = approval;
  const name = id === undefined ? '' : `${printable(hasWholeId ? id : shortIdOf(id))}  `;
  return `${name}${destroys === true ? 'DESTROYS: ' : ''}${showSentence(sentence, action.tool)}   ${stateOf(approval, now)}`;
};

/** That line, with what is unusual below it. @param hasAll every field of it is shown too */
export const approvalLines = (approval: ShownApproval, now: number, hasAll: boolean): readonly string[] => [
  approvalLine(approval, now, hasAll),
  ...detailLines(approval, hasAll),
];

/** Says that a person decides elsewhere; a prompt asks by itself. */
type DecisionPlace = 'shell' | 'chat' | 'prompt';

export const decidingLines = (
  { id }: Pick<ShownApproval, 'id'>,
  place: DecisionPlace,
  isShownWhole = false,
): readonly string[] => {
  if (id === undefined) return ["  deciding needs the approver's token (APPROVER_TOKEN)"];
  if (place === 'prompt') return [];
  const short = printable(shortIdOf(id));
  const command = place === 'shell' ? 'npx passepartout ' : '/';
  return [
    `  approve: ${command}approve ${short}`,
    `  deny:    ${command}deny ${short}`,
    ...(isShownWhole ? [] : [`  all of it: npx passepartout approvals ${short}`]),
  ];
};

/** The reach of the answer `t`, read before it is typed. */
export const aboutTaskLines = ({ aboutTask }: ShownApproval): readonly string[] =>
  aboutTask === '' ? [] : [`  t: ${printable(aboutTask)}`];

const isOneAnswer = (waiting: readonly ShownApproval[]): boolean =>
  waiting.length > 1 && waiting.every(({ signalId }) => signalId === waiting[0]?.signalId);

/** By a prompt, calls of one answer have the numbers that answer it. */
export const waitingCardLines = (waiting: readonly ShownApproval[], place: DecisionPlace): readonly string[] => {
  if (place !== 'prompt' || !isOneAnswer(waiting)) return waiting.flatMap((approval) => cardLines(approval, place));
  return [
    `These ${waiting.length} wait for your yes:`,
    ...waiting.flatMap((approval, n) => {
      const [first = '', ...unusual] = approvalLines(approval, Date.now(), false);
      return [`${n + 1}. ${first}`, ...unusual];
    }),
  ];
};

const cardLines = (approval: ShownApproval, place: DecisionPlace): readonly string[] => [
  'This waits for your yes:',
  ...approvalLines(approval, Date.now(), false),
  ...decidingLines(approval, place),
  ...(place === 'prompt' ? aboutTaskLines(approval) : []),
];
