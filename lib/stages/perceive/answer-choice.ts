/**
 * A tap on one of the choices under a question. It begins a turn with these words, as if the person
 * who was asked had typed them: words for the model, whatever they say, and never a command or an
 * approval. They keep the origin of the question. One tap of one person answers a question.
 */
import { type Notice, notices } from '../../judge/notices.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { parseDecision, parseRecord } from '../../ledger/ledger.ts';
import type { CodeContext, PayloadOf } from '../../operations/code-context.ts';
import { rootOf, tappedTurnId } from '../../signal/ids.ts';
import { joinOrigins, type Signal, type TextPiece } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadNamed } from '../../store/load-named.ts';
import { choicesIn } from '../../text/choices.ts';

export const answerChoice = async (
  { table, publishPerceive, signal }: CodeContext,
  { signalId: question, n, chat, message }: PayloadOf<'send-again'>,
): Promise<Notice> => {
  const { space, sender } = signal;
  const items = await loadNamed(table, {
    root: signalKeys.record(space, rootOf(question)),
    decision: signalKeys.decision(space, question),
  });
  if (items.root === undefined || items.decision === undefined) return notices.answeredAlready();
  const { signal: asked, forgottenAt } = parseRecord(rootOf(question), items.root);
  const [judged] = parseDecision(question, items.decision).actions;
  const { author, to, text = '' } = judged?.action ?? {};
  const choice = author === 'model' && to === chat ? choicesIn(text)[n] : undefined;
  if (choice === undefined || forgottenAt !== undefined) return notices.answeredAlready();
  if (asked.sender.id !== sender.id) return notices.notYourQuestion();
  const origins = judged?.facts.map(({ origin }) => origin) ?? ['outside'];
  const origin = sender.isApprover ? joinOrigins(['agent', ...origins]) : 'outside';
  const words: TextPiece = { text: choice, origin, label: 'choice' };
  const id = tappedTurnId('choice', question);
  const turn: Signal = { ...signal, id, root: id, type: 'EVENT', payload: { sensor: 'chat-message', text: [words] } };
  const accepted = await acceptSignal({ table, publish: publishPerceive }, turn);
  return accepted === 'accepted' ? notices.chosen(message, choice) : notices.answeredAlready();
};
