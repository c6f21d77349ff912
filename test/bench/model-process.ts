/**
 * A model without latency, as a process of its own so that it takes no time from whoever is
 * measured: answers every chat completion with the same short text, one that asks for it after five
 * seconds, a question for a summary with one, and hears the same in each recording. Sends its base
 * URL to the parent, and ends when the parent does.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOW_WORDS = 'Take five seconds';
const SLOW_MS = 5_000;

const answerOf = (message: object, finishReason: string): string =>
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 0,
    model: 'bench',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 },
  });
const TEXT = 'The backup ran at 04:12 and took eleven minutes; nothing was skipped.';
const ANSWER = answerOf({ content: TEXT }, 'stop');
const HEARD = JSON.stringify({ text: 'Did the backup run last night?', usage: { type: 'duration', seconds: 30 } });
const SUMMARY_TOOL = 'summarise-session';
const callArguments = JSON.stringify({ text: TEXT, explanation: 'The oldest turns leave the conversation.' });
const SUMMARY = answerOf(
  {
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: SUMMARY_TOOL, arguments: callArguments } }],
  },
  'tool_calls',
);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .once('end', async () => {
      const body = Buffer.concat(chunks);
      if (body.includes(SLOW_WORDS)) await sleep(SLOW_MS);
      const isHeard = request.url?.endsWith('/audio/transcriptions') === true;
      const answer = isHeard ? HEARD : body.includes(SUMMARY_TOOL) ? SUMMARY : ANSWER;
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
      response.writeHead(200, headers).end(answer);
    });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(`http://127.0.0.1:${address.port}/v1`);
});
process.once('disconnect', () => process.exit(0));
