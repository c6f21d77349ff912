/**
 * The URLs of all a proposal may have been written from: what people and tools said in this turn, what waits, and earlier
 * turns as people wrote them. What the agent itself wrote is left out: a URL does not become known by being repeated. Pure.
 */
import { urlsIn } from '../../gates/urls-in-text.ts';
import type { LoadedTurn } from './load-turn.ts';

/** A line break inside a string of JSON ends a URL there as it does in the text it stands for. */
const withLineBreaks = (text: string): string => text.replaceAll(/\\[nrt]/g, '\n');

/** Words of others come as JSON too, where they are a webhook's body. */
const urlsRead = (text: string): readonly string[] => [...urlsIn(text), ...urlsIn(withLineBreaks(text))];

export const inputUrls = (turn: Pick<LoadedTurn, 'steps' | 'mailbox' | 'history'>): ReadonlySet<string> => {
  const texts = [
    ...turn.steps.flatMap((step) => {
      if (step.kind === 'input') return step.pieces.map((piece) => piece.text);
      return step.kind === 'results' ? step.results.map((result) => result.output) : [];
    }),
    ...turn.mailbox.flat().map((piece) => piece.text),
    ...turn.history.flatMap((past) => past.user.map((piece) => piece.text)),
  ];
  return new Set(texts.flatMap(urlsRead));
};
