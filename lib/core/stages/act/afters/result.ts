/**
 * A person's command, an action that code began by itself, and a job's step that reads are answered
 * with how they ended. No model is asked about them. A runbook says itself what it came to.
 */
import { cardWords } from '../../../judge/card.ts';
import { inLanguage, type Notice, notices } from '../../../judge/notices.ts';
import { outputOf } from '../../../ledger/ledger.ts';
import { type Action, isText } from '../../../signal/action.ts';
import { isTyped } from '../../../signal/ids.ts';
import { actionSentence } from '../../../tools/action-sentence.ts';
import { findTool } from '../../../tools/catalogue.ts';
import { CALL_WEBHOOK } from '../../../tools/webhooks.ts';
import type { ActTurn } from '../act-context.ts';
import type { Acted, EffectNotice } from '../after.ts';
import { isPutOff } from '../put-off.ts';

/** Told at once, as all failures are. */
const COMMAND_FAILED = 'command-failed';

/** A notice that names the action. */
const inEachLanguage = (action: Action, build: (sentence: string) => Notice): Notice => ({
  ...build(actionSentence(action)),
  textIn: async (language) => {
    const { sentence } = await cardWords.in(language);
    return (await inLanguage(build(sentence(action)), language)).text;
  },
});

const isReading = ({ author, tool }: Action): boolean =>
  author === 'model' && tool !== undefined && findTool(tool)?.kind === 'read';

/** @returns undefined of an effect that has not ended, or that nobody is answered with */
export const buildResult = ({ decision, stepRun }: ActTurn, { effect, action }: Acted): Notice | undefined => {
  const { state, outputOrigin = 'agent' } = effect;
  const isAnswered =
    action.author === 'owner' ||
    (action.author === 'code' && !isText(action)) ||
    (decision.attemptCount === 0 && stepRun === undefined && isReading(action));
  if (!isAnswered || state === 'suspended' || state === 'claimed') return undefined;
  // Of what a webhook answers to a text, nobody needs to hear: `why` has it.
  const isSent = isText(action) || (isTyped(action) && action.tool === CALL_WEBHOOK);
  const result = (sentence: string): Notice => notices.commandResult(sentence, state, outputOf(effect), outputOrigin);
  if (state !== 'done') return { ...inEachLanguage(action, result), template: COMMAND_FAILED };
  const isOne = decision.actions.length === 1;
  return isSent && !isPutOff(effect) ? notices.sent(isOne ? undefined : action.to) : result('');
};

export const resultNotice: EffectNotice['build'] = async (_, turn, acted) => {
  const notice = buildResult(turn, acted);
  return notice && { suffix: `result-${acted.effect.n}`, notice };
};
