/**
 * The local stack as a process of its own, told by messages: so that what drives it takes no time
 * from it. Ends cleanly when the parent says so, and when the parent is gone.
 */
import type { TableAccess } from '../../infra/local/database.ts';
import { type LocalStack, type StackOptions, startStack } from '../../infra/local/stack.ts';

export type ToStack =
  | { readonly type: 'start'; readonly options: StackOptions }
  | { readonly type: 'counts' }
  | { readonly type: 'invoke'; readonly name: string; readonly event: unknown }
  | { readonly type: 'stop' };

export interface StackReady {
  readonly url: string;
  readonly dynamodb: TableAccess;
  readonly sqs: string;
  readonly tableName: string;
  readonly logFile: string;
}

let stack: LocalStack | undefined;

const started = (): LocalStack => {
  if (stack === undefined) throw new Error('the stack is not started');
  return stack;
};

const obey = async (message: ToStack): Promise<unknown> => {
  switch (message.type) {
    case 'start': {
      stack = await startStack(message.options);
      const { url, endpoints, credentials, tableName, logFile } = stack;
      const dynamodb = { endpoint: endpoints.dynamodb, credentials };
      return { url, dynamodb, sqs: endpoints.sqs, tableName, logFile } satisfies StackReady;
    }
    case 'counts':
      return started().queueRequestCounts();
    case 'invoke':
      return started().invoke(message.name, message.event);
    case 'stop':
      await stack?.stop();
      stack = undefined;
      return null;
    default:
      return message satisfies never;
  }
};

process.on('message', (message: ToStack) => {
  obey(message).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => {
  void (stack?.stop() ?? Promise.resolve()).finally(() => process.exit(0));
});
