/** Says in plain words what a receipt proves, and what it does not. Pure. */
import { makeVisible } from '../base/make-visible.ts';
import type { VerifiedReceipt } from '../evidence/verifier/verify-receipt.ts';

const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

const timeText = (atMs: number | undefined): string =>
  atMs === undefined ? 'at a time it does not say' : new Date(atMs).toISOString();

/** Gates that did not simply pass, with their words. */
const verdictsOf = (trace: readonly unknown[]): string => {
  const words = trace.flatMap((entry) =>
    typeof entry === 'object' && entry !== null && 'gate' in entry && 'verdict' in entry && entry.verdict !== 'pass'
      ? [`${entry.gate}: ${entry.verdict}${'reason' in entry ? ` (${entry.reason})` : ''}`]
      : [],
  );
  return `${countOf(trace.length, 'gate')} judged it; ${words.length === 0 ? 'all let it pass' : words.join('; ')}`;
};

const approvalLine = ({ approval, effect }: VerifiedReceipt): string => {
  if (effect.grant !== undefined) return `a standing grant (${effect.grant}) let it pass`;
  if (approval === undefined) return 'nobody was asked, and no gate asked for it';
  return `${approval.decider} approved exactly this hash ${timeText(approval.decidedAt)}, spent ${timeText(approval.spentAt)}`;
};

export const receiptLines = (found: VerifiedReceipt): readonly string[] => {
  const { origin, size, key, action, decision, effect, cosigned, isKeyGiven, missing } = found;
  const { trace = [] } = decision.actions[effect.n] ?? {};
  const proven = [
    `the action has the hash ${effect.actionHash}${action === undefined ? '' : ': it is the one shown here'}`,
    `it was decided ${timeText(decision.at)}: ${verdictsOf(trace)}`,
    approvalLine(found),
    `it ended as "${effect.state}"${effect.resolution === 'done' ? ', because a person said so,' : ''} ${timeText(effect.settledAt ?? effect.claimedAt)}`,
    `the log ${origin} held all of this when it had ${countOf(size, 'leaf', 'leaves')}: the key ${key.id} signed that`,
    ...cosigned.map(({ key: { name }, at }) => `the witness ${name} saw that log ${timeText(at)}`),
  ];
  const open: readonly (readonly [boolean, string])[] = [
    [!isKeyGiven, 'that the key is the one of its owner: whoever wrote the file may have made it: give --key'],
    [action === undefined, 'what the action was: only its hash is here'],
    [cosigned.length === 0, 'that nobody was shown another log: no witness that you named cosigned it'],
    [missing > 0, `that ${countOf(missing, 'more witness', 'more witnesses')} saw it, as --at-least demands`],
    [true, 'what the world did with it: the log holds what the program did and heard'],
    [true, 'what came later, and that no gate was left out: an export shows that (evidence export)'],
  ];
  return [
    ...(action === undefined ? [] : [makeVisible(JSON.stringify(action, null, 1), true)]),
    'proven:',
    ...proven.map((line) => `  ${makeVisible(line)}`),
    'not proven:',
    ...open.flatMap(([applies, line]) => (applies ? [`  ${line}`] : [])),
  ];
};
