/** The action a model's text becomes: a text to where its signal is answered, every default filled in (I4). Pure. */
import type { Action } from './action.ts';
import type { ReplyRoute } from './signal.ts';

export const replyAction = (text: string, reply: ReplyRoute): Action => ({
  target: reply.target,
  to: reply.to === '' ? 'log' : reply.to,
  text,
  explanation: '',
  author: 'model',
});
