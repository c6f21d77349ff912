/** An action as lines for a person who decides on it: every field, and nothing invisible. Pure. */

import { shortIdOf } from '../../lib/approvals/approval.ts';
import { describeSkill } from '../../lib/approvals/describe-skill.ts';
import { canonicalJson } from '../../lib/base/canonical.ts';
import { describeCosts } from '../../lib/money/describe-spending.ts';
import { isRunnerTool } from '../../lib/signal/runner-tools.ts';
import { defang } from '../../lib/text/tappable.ts';
import type { ShownAction, ShownApproval } from './answers.ts';
import { printable, printableLines } from './terminal.ts';

/** In one order always. Arguments without a canonical form are shown as they came. */
const argsText = (args: object): string => {
  try {
    return canonicalJson(args);
  } catch {
    return JSON.stringify(args);
  }
};

const argLines = (tool: string | undefined, args: object): readonly string[] =>
  describeSkill(tool, args, (line) => printableLines(defang(line))) ?? [`with ${printable(argsText(args))}`];

/** A text with its lines indented, and its links written so that a terminal opens none. */
export const indentLines = (text: string, indent: string): readonly string[] =>
  printableLines(defang(text))
    .split('\n')
    .map((line) => `${indent}${line}`);

/** `call-webhook to webhook (shop)`, `remember`, `shell on home` */
export const actionTitle = ({ tool, target, to, args = {} }: ShownAction): string => {
  if (target !== 'tool') return printable(`${tool ?? 'message'} to ${target}${to === undefined ? '' : ` (${to})`}`);
  const machine = isRunnerTool(tool) && 'runner' in args ? ` on ${String(args.runner)}` : '';
  return printable(`${tool ?? 'tool'}${machine}`);
};

/** @param lines the arguments in words, if the stack gives them */
export const actionLines = (action: ShownAction, indent = '  ', lines?: readonly string[]): readonly string[] => [
  ...(action.text === undefined ? [] : indentLines(action.text, indent)),
  ...(action.args === undefined ? [] : (lines?.map(printable) ?? argLines(action.tool, action.args))).map(
    (line) => `${indent}${line}`,
  ),
  ...(action.url === undefined ? [] : [`${indent}address ${printable(action.url)}`]),
  ...(action.author === 'code'
    ? []
    : [`${indent}${action.author === 'model' ? 'why, says the model' : 'why'}: ${printable(action.explanation)}`]),
];

/** `12 min`, `40 s`; nothing negative. */
export const remainingWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

const circumstances = (approval: ShownApproval): readonly string[] => [
  ...(approval.lookalikes ?? []).map((words) => `  look twice: ${printable(words)}`),
  ...(approval.asks ?? approval.reasons.map((reason) => ({ gate: undefined, reason }))).map(
    ({ gate, reason }) => `  asked because: ${printable(reason)}${gate === undefined ? '' : ` (${printable(gate)})`}`,
  ),
  ...(approval.requester === undefined ? [] : [`  came from ${printable(approval.requester)}`]),
  ...(approval.taintSource === undefined ? [] : [`  made from outside text: ${printable(approval.taintSource)}`]),
  ...(approval.costs === undefined ? [] : [`  costs ${describeCosts(approval.costs)}`]),
];

/** A flight plan that is no longer open, with the decision on it. */
export const planLines = (approval: ShownApproval): readonly string[] => {
  const at = approval.decidedAt === undefined ? '' : ` ${new Date(approval.decidedAt).toISOString().slice(0, 16)}Z`;
  const by = approval.decider === undefined ? '' : ` by ${printable(approval.decider)}`;
  return [
    `${printable(approval.stage)}${at}${by}   ${actionTitle(approval.action)}`,
    ...actionLines(approval.action, '  ', approval.lines),
    ...circumstances(approval),
    `  signal ${printable(approval.signalId)}`,
  ];
};

/** A waiting approval, with the commands that decide on it if its id is known. */
export const approvalLines = (approval: ShownApproval, now: number): readonly string[] => [
  `${actionTitle(approval.action)}   expires in ${remainingWords(approval.expiresAt - now)}`,
  ...actionLines(approval.action, '  ', approval.lines),
  ...circumstances(approval),
  `  signal ${printable(approval.signalId)}`,
  ...(approval.id === undefined
    ? ["  deciding needs the approver's token (APPROVER_TOKEN)"]
    : [
        `  approve: npx passepartout approve ${shortIdOf(approval.id)}`,
        `  deny:    npx passepartout deny ${shortIdOf(approval.id)}`,
      ]),
];
