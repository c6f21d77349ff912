/**
 * Load on a stack's console, as a process of its own: streams of one turn and health answers
 * without a token, each asked for again as soon as it is answered, also when it is told to wait.
 * Says when every loop has been answered once, then how many answers there were by status whenever
 * it is asked; ends with its parent.
 */
import { Agent, get } from 'node:http';

const [url = '', token = '', id = '', streams = '0', healths = '0'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const counts: Record<string, number> = {};
const waiting = new Set<number>();

const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    get(`${url}${path}`, { agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text.includes('gave-way') ? 'gave way' : `${answer.statusCode}`));
    }).on('error', () => resolve('failed'));
  });

const loop = async (n: number, path: string, headers: Readonly<Record<string, string>>): Promise<never> => {
  waiting.add(n);
  for (;;) {
    const name = `${path === '/health' ? 'health' : 'stream'} ${await ask(path, headers)}`;
    counts[name] = (counts[name] ?? 0) + 1;
    if (waiting.delete(n) && waiting.size === 0) process.send?.('ready');
  }
};

for (let n = 0; n < Number(streams); n += 1)
  void loop(n, `/api/signals/${id}/stream`, { authorization: `Bearer ${token}` });
for (let n = 0; n < Number(healths); n += 1) void loop(Number(streams) + n, '/health', {});
process.on('message', () => process.send?.(counts));
process.once('disconnect', () => process.exit(0));
