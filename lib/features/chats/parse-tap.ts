/** The data of a tapped button, which `buttons.ts` wrote. Pure. */
import { ALL_LISTED, parseListData, parseSimilarData } from '../../core/approvals/similar.ts';
import { CHOICE_TAP, doubtedBy } from '../../core/signal/ids.ts';
import type { Payload } from '../../core/signal/signal.ts';

const CHOICE = /^c:(\d):([A-Za-z0-9_.:/-]{1,60})$/;
const DECISION = /^([adgb]):([0-9a-f]{32})$/;
/** Of the answer that the button stands below. */
const WHY = /^w:([A-Za-z0-9_.:/-]{1,62})$/;
const NEWS = /^n:([A-Za-z0-9_.:-]{1,40})$/;

/** Letters of the buttons; any other letter is a no. */
const DECISIONS: Readonly<Record<string, 'approve' | 'show-similar' | 'hide-similar'>> = {
  a: 'approve',
  g: 'show-similar',
  b: 'hide-similar',
};

/** The signal of the answer below which somebody asks why. */
export const askedWhy = (data: string): string | undefined => WHY.exec(data)?.[1];

/** The payload of a tapped button; undefined for a button that is not ours. */
export const parseTapData = (data: string, chat: string, message: number): Payload | undefined => {
  const doubted = data.startsWith('r:') ? doubtedBy(data.slice(2)) : undefined;
  if (doubted !== undefined) return { sensor: 'send-again', ...doubted, chat, message };
  const [, choice, question = ''] = CHOICE.exec(data) ?? [];
  if (choice !== undefined)
    return { sensor: 'send-again', signalId: question, n: Number(choice), tries: CHOICE_TAP, chat, message };
  const [, source] = NEWS.exec(data) ?? [];
  if (source !== undefined) return { sensor: 'command', name: 'news', rest: source };
  const card = { chat, message };
  const chosen = parseSimilarData(data);
  if (chosen !== undefined) {
    const { approvalId, ...choice } = chosen;
    return { sensor: 'approval-decision', approvalId, decision: 'allow-similar', choice, card };
  }
  const list = parseListData(data);
  if (list !== undefined) {
    const { approvalId, what, hash } = list;
    const choice = { n: typeof what === 'number' ? what : ALL_LISTED, at: hash };
    const decision = typeof what === 'number' ? 'show-similar' : what === 'all' ? 'approve' : 'deny';
    return { sensor: 'approval-decision', approvalId, decision, choice, card };
  }
  const [, letter = '', approvalId] = DECISION.exec(data) ?? [];
  if (approvalId === undefined) return undefined;
  return { sensor: 'approval-decision', approvalId, decision: DECISIONS[letter] ?? 'deny', card };
};
