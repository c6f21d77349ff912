/** An action as lines for a person who decides on it: every field of it, nothing invisible. Pure. */
import type { ShownAction, ShownApproval } from './answers.ts';
import { printable, printableLines } from './printable.ts';

const indented = (text: string, indent: string): readonly string[] =>
  printableLines(text)
    .split('\n')
    .map((line) => `${indent}${line}`);

/** `call-webhook to webhook (shop)` */
export const actionTitle = (action: ShownAction): string =>
  printable(`${action.tool ?? 'message'} to ${action.target}${action.to === undefined ? '' : ` (${action.to})`}`);

export const actionLines = (action: ShownAction, indent = '  '): readonly string[] => [
  ...(action.text === undefined ? [] : indented(action.text, indent)),
  ...(action.args === undefined ? [] : [`${indent}with ${printable(JSON.stringify(action.args))}`]),
  ...(action.url === undefined ? [] : [`${indent}address ${printable(action.url)}`]),
  ...(action.author === 'code' ? [] : [`${indent}why, says the model: ${printable(action.explanation)}`]),
];

/** `12 min`, `40 s`; nothing negative. */
export const remainingWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

/** A waiting approval with the commands that decide it, where its id is known. */
export const approvalLines = (approval: ShownApproval, now: number): readonly string[] => [
  `${actionTitle(approval.action)}   expires in ${remainingWords(approval.expiresAt - now)}`,
  ...actionLines(approval.action),
  ...approval.reasons.map((reason) => `  asked because: ${printable(reason)}`),
  `  signal ${printable(approval.signalId)}`,
  ...(approval.id === undefined
    ? ['  deciding needs the approver token (APPROVER_TOKEN)']
    : [
        `  approve: passepartout approve ${printable(approval.id)}`,
        `  deny:    passepartout deny ${printable(approval.id)}`,
      ]),
];
