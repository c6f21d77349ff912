/** Names where the outside text behind an action came from, and never the text itself. Pure. */
import type { Decision } from '../signal/decision.ts';
import type { ActionResult, Payload, Signal } from '../signal/signal.ts';

/** One line on a card. */
export const TAINT_SOURCE_CHARS_MAX = 200;

/** Pieces of a message whose label alone says too little. */
const PIECES = new Map([
  ['display-name', "a person's name"],
  ['member', "a member's message"],
]);

const fromResults = (results: readonly ActionResult[]): readonly string[] =>
  results.filter(({ origin }) => origin === 'outside').map(({ tool }) => `output of ${tool ?? 'an action'}`);

const namesIn = (payload: Payload): readonly string[] => {
  switch (payload.sensor) {
    case 'webhook':
      return [`webhook ${payload.source}`];
    case 'tool-output':
    case 'tool-error':
    case 'approval-decided':
      return fromResults(payload.results);
    case 'chat-message':
      return payload.text
        .filter(({ origin }) => origin === 'outside')
        .map(({ label = 'message of another' }) => PIECES.get(label) ?? label);
    default:
      return [];
  }
};

/** Names the conversation too: a grant for it holds nowhere else. */
const namesOfSeen = (session: string, seen: Decision['seen'] = []): readonly string[] =>
  seen.some(({ origin }) => origin === 'outside') ? [`a note from outside that was shown in ${session}`] : [];

/** @param decision names the objects that its prompt showed */
export const taintSource = (
  { payload, session }: Pick<Signal, 'payload' | 'session'>,
  { seen }: Pick<Decision, 'seen'>,
): string => {
  const names = [...new Set([...namesIn(payload), ...namesOfSeen(session, seen)])].sort();
  return (names.length === 0 ? `earlier text in ${session}` : names.join(', ')).slice(0, TAINT_SOURCE_CHARS_MAX);
};
