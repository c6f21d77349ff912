/**
 * Reads the stream of a turn's answers at the console to its end, as a page does: again and again
 * from where it left off.
 */
import { parseEvents } from '../../infra/cli/commands/chat.ts';
import { APPROVER_TOKEN, type TestStack } from './stack.ts';

export interface Told {
  readonly type: 'text' | 'next' | 'end';
  readonly text?: string;
  readonly chars?: number;
  readonly replies?: readonly string[];
  readonly state?: string;
  readonly turn?: string;
}

export interface Followed {
  readonly told: readonly Told[];
  /** Ids of the events that have one, in order. */
  readonly ids: readonly string[];
  /** Requests it took. */
  readonly answers: number;
}

const ANSWERS_MAX = 400;
const TYPE = 'text/event-stream; charset=utf-8';

/**
 * Adds to `told` what it is told, as it comes. @throws where a request fails, or the stream does
 * not end.
 */
export const followStream = async ({ stack }: TestStack, id: string, told: Told[] = []): Promise<Followed> => {
  const ids: string[] = [];
  for (let answers = 1; answers < ANSWERS_MAX; answers += 1) {
    const response = await fetch(`${stack.url}/api/signals/${id}/stream`, {
      headers: { authorization: `Bearer ${APPROVER_TOKEN}`, 'last-event-id': ids.at(-1) ?? '' },
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    if (response.status !== 200 || type !== TYPE) throw new Error(`answered with ${response.status} ${type}`);
    told.push(...parseEvents(text).map(({ data }) => JSON.parse(data) as Told));
    ids.push(...[...text.matchAll(/^id: (\S+)$/gm)].map((match) => match[1] ?? ''));
    if (told.at(-1)?.type === 'end') return { told, ids, answers };
  }
  throw new Error('the stream did not end');
};

/**
 * What is shown in the end of each answer of the turn that was streamed, the asked signal's own
 * first.
 */
export const shownAnswers = (told: readonly Told[]): readonly string[] => {
  const shown = [''];
  for (const { type, text } of told) {
    if (type === 'next') shown.push('');
    if (type === 'text') shown.push(`${shown.pop() ?? ''}${text ?? ''}`);
  }
  return shown;
};
