/**
 * A model without latency, as a process of its own so that it takes no time from whoever is measured: answers every chat
 * completion with the same short text. Sends its base URL to the parent, and ends when the parent does.
 */
import { createServer } from 'node:http';

const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 0,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'The backup ran at 04:12 and took eleven minutes; nothing was skipped.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 900, completion_tokens: 20, total_tokens: 920 },
});
const HEADERS = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(ANSWER) };

const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, HEADERS).end(ANSWER));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(`http://127.0.0.1:${address.port}/v1`);
});
process.once('disconnect', () => process.exit(0));
