/**
 * Reads the stream of a turn's answers at the console to its end, as a page does: again and again
 * from where it left off.
 */
import { parseEvents } from '../../infra/cli/chat/follow-draft.ts';
import { APPROVER_TOKEN, type TestStack } from './stack.ts';

export interface StreamEvent {
  readonly type: 'text' | 'next' | 'end';
  readonly text?: string;
  readonly chars?: number;
  readonly replies?: readonly string[];
  readonly state?: string;
  readonly turn?: string;
}

export interface Followed {
  readonly events: readonly StreamEvent[];
  /** Ids of the events that have one, in order. */
  readonly ids: readonly string[];
  /** Number of requests. */
  readonly answers: number;
}

const ANSWERS_MAX = 400;
const TYPE = 'text/event-stream; charset=utf-8';

/**
 * Adds the stream's events to `events` as they come.
 * @throws Error if a request fails, or the stream does not end
 */
export const followStream = async ({ stack }: TestStack, id: string, events: StreamEvent[] = []): Promise<Followed> => {
  const ids: string[] = [];
  for (let answers = 1; answers < ANSWERS_MAX; answers += 1) {
    const response = await fetch(`${stack.url}/api/signals/${id}/stream`, {
      headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'last-event-id': ids.at(-1) ?? '' },
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    if (response.status !== 200 || type !== TYPE) throw new Error(`answered with ${response.status} ${type}`);
    events.push(...parseEvents(text).map(({ data }) => JSON.parse(data) as StreamEvent));
    ids.push(...[...text.matchAll(/^id: (\S+)$/gm)].map((match) => match[1] ?? ''));
    if (events.at(-1)?.type === 'end') return { events, ids, answers };
  }
  throw new Error('the stream did not end');
};

/** Gives the streamed text of each answer of the turn, the asked signal's own first. */
export const shownAnswers = (events: readonly StreamEvent[]): readonly string[] => {
  const shown = [''];
  for (const { type, text } of events) {
    if (type === 'next') shown.push('');
    if (type === 'text') shown.push(`${shown.pop() ?? ''}${text ?? ''}`);
  }
  return shown;
};
