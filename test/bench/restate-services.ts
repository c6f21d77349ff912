/**
 * A chain of three services on Restate that does what a plain turn does: takes a message in its
 * conversation's order, asks the model in a recorded step, sends the answer in another and keeps
 * the conversation's last turns. A process of its own; it is given its port and the model's
 * address, and tells its parent when it listens and which turns have ended.
 */

/**
 * What is used here of `@restatedev/restate-sdk`, which is no dependency: it is there if somebody
 * has installed it.
 */
interface ObjectContext {
  readonly key: string;
  readonly get: <T>(name: string) => Promise<T | null>;
  readonly set: (name: string, value: unknown) => void;
  readonly run: <T>(name: string, step: () => Promise<T>) => Promise<T>;
  readonly objectSendClient: (service: { readonly name: string }, key: string) => { take: (turn: Turn) => void };
}
interface RestateSdk {
  readonly object: (definition: {
    readonly name: string;
    readonly handlers: { readonly take: (context: ObjectContext, turn: Turn) => Promise<void> };
  }) => { readonly name: string };
  readonly serve: (options: { readonly services: readonly object[]; readonly port: number }) => Promise<number>;
}
interface Turn {
  readonly id: string;
  readonly text: string;
  readonly answer?: string;
}

const SDK: string = '@restatedev/restate-sdk';
const RECENT_MAX = 20;
const [port, modelUrl] = process.argv.slice(2);
const { object, serve } = (await import(SDK)) as RestateSdk;

const askModel = async (text: string): Promise<string> => {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: text }] }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
};

const act = object({
  name: 'act',
  handlers: {
    take: async (context, turn) => {
      await context.run('deliver', () => Promise.resolve('done'));
      const recent = (await context.get<readonly Turn[]>('recent')) ?? [];
      context.set('recent', [...recent, turn].slice(-RECENT_MAX));
      process.send?.({ ended: turn.id });
    },
  },
});
const reason = object({
  name: 'reason',
  handlers: {
    take: async (context, turn) => {
      const answer = await context.run('ask the model', () => askModel(turn.text));
      context.set('decision', { turn: turn.id, answer });
      context.objectSendClient(act, context.key).take({ ...turn, answer });
    },
  },
});
const perceive = object({
  name: 'perceive',
  handlers: {
    take: async (context, turn) => {
      context.set('turn', turn.id);
      context.objectSendClient(reason, context.key).take(turn);
    },
  },
});

await serve({ services: [perceive, reason, act], port: Number(port) });
process.send?.({ listening: true });
process.once('disconnect', () => process.exit(0));
