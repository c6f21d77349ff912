/**
 * A counting proxy in front of a DynamoDB-compatible server: passes every request on unchanged, and
 * counts requests and units as AWS would charge them. Keeps a copy of every item it saw written,
 * since an update is charged by the larger of the old and the new item. Listens on 127.0.0.1. Only
 * for benchmarks: it costs a hop.
 */
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { changeUnits, itemBytes, readUnits, type WireItem, writeUnits } from './item-size.ts';

export interface DynamoCounts {
  readonly requests: Readonly<Record<string, number>>;
  readonly writeUnits: number;
  readonly readUnits: number;
  /** Of the items written, as they are afterwards. */
  readonly writtenBytes: number;
}

/** One request, for reading along: `PutItem signal#…/record 812 B`. */
export interface SeenRequest {
  readonly action: string;
  readonly key: string;
  readonly bytes: number;
  readonly units: number;
}

export interface DynamoCounter {
  readonly endpoint: string;
  readonly counts: () => DynamoCounts;
  /** Every request so far, oldest first. */
  readonly seen: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

interface Body {
  readonly Item?: WireItem;
  readonly Key?: WireItem;
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly WireItem[]; readonly ConsistentRead?: boolean }>
  >;
  readonly ConsistentRead?: boolean;
  readonly ReturnValues?: string;
  readonly TransactItems?: readonly Readonly<
    Record<'Put' | 'Update' | 'ConditionCheck' | 'Delete', Body | undefined>
  >[];
}
interface Answer {
  readonly Item?: WireItem;
  readonly Items?: readonly WireItem[];
  readonly Attributes?: WireItem;
  readonly Responses?: Readonly<Record<string, readonly WireItem[]>>;
}
interface Cost {
  readonly key: string;
  readonly bytes: number;
  readonly reads: number;
  readonly writes: number;
}

const nameOf = (item: WireItem | undefined): string => `${item?.pk?.S ?? ''}/${item?.sk?.S ?? ''}`;

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Half the price where consistency was not asked for. */
const charged = (units: number, isConsistent: boolean | undefined): number =>
  isConsistent === true ? units : units / 2;

const sumBytes = (items: readonly WireItem[]): number => items.reduce((sum, item) => sum + itemBytes(item), 0);

const costOfBatch = (body: Body, answer: Answer): Cost => {
  const tables = Object.entries(body.RequestItems ?? {});
  const found = tables.flatMap(([table]) => answer.Responses?.[table] ?? []);
  const isConsistent = tables.every(([, { ConsistentRead }]) => ConsistentRead === true);
  const keys = tables.reduce((sum, [, { Keys }]) => sum + Keys.length, 0);
  const units = found.reduce((sum, item) => sum + readUnits(itemBytes(item)), keys - found.length);
  return {
    key: `${keys} keys, ${found.length} found`,
    bytes: sumBytes(found),
    reads: charged(units, isConsistent),
    writes: 0,
  };
};

const costOfWrite = (
  items: Map<string, WireItem>,
  action: string,
  body: Body,
  answer: Answer,
  isDone: boolean,
): Cost => {
  const key = nameOf(body.Item ?? body.Key);
  const before = items.get(key);
  // A refused write is charged by the item it found.
  if (!isDone)
    return { key: `${key} (refused)`, bytes: itemBytes(before), reads: 0, writes: writeUnits(itemBytes(before)) };
  const after = action === 'PutItem' ? body.Item : answer.Attributes;
  if (after === undefined)
    throw new Error(`${action} on ${key} did not say what the item is now: it cannot be counted`);
  items.set(key, after);
  return { key, bytes: itemBytes(after), reads: 0, writes: changeUnits(before, after) };
};

/**
 * Updates inside a transaction do not return the item: charged by what was there before, and not
 * remembered.
 */
const costOfTransaction = (items: Map<string, WireItem>, body: Body, isDone: boolean): Cost => {
  let writes = 0;
  for (const each of body.TransactItems ?? []) {
    const part = each.Put ?? each.Update ?? each.ConditionCheck ?? each.Delete;
    const key = nameOf(part?.Item ?? part?.Key);
    const before = items.get(key);
    const after = each.Put?.Item ?? before;
    writes += 2 * changeUnits(before, after);
    if (isDone && each.Put?.Item !== undefined) items.set(key, each.Put.Item);
  }
  return { key: `${body.TransactItems?.length ?? 0} items`, bytes: 0, reads: 0, writes };
};

const costOf = (items: Map<string, WireItem>, action: string, body: Body, answer: Answer, isDone: boolean): Cost => {
  switch (action) {
    case 'PutItem':
    case 'UpdateItem':
      return costOfWrite(items, action, body, answer, isDone);
    case 'GetItem': {
      const bytes = itemBytes(answer.Item);
      return { key: nameOf(body.Key), bytes, reads: charged(readUnits(bytes), body.ConsistentRead), writes: 0 };
    }
    case 'BatchGetItem':
      return costOfBatch(body, answer);
    case 'Query': {
      const bytes = sumBytes(answer.Items ?? []);
      return {
        key: `${answer.Items?.length ?? 0} items`,
        bytes,
        reads: charged(readUnits(bytes), body.ConsistentRead),
        writes: 0,
      };
    }
    case 'TransactWriteItems':
      return costOfTransaction(items, body, isDone);
    default:
      return { key: '', bytes: 0, reads: 0, writes: 0 };
  }
};

/** @param target endpoint of the server behind */
export const startDynamoCounter = async (target: string): Promise<DynamoCounter> => {
  const items = new Map<string, WireItem>();
  const seen: SeenRequest[] = [];
  const requests: Record<string, number> = {};
  const totals = { writes: 0, reads: 0, writtenBytes: 0 };
  const agent = new Agent({ keepAlive: true });

  const note = (action: string, bodyText: string, answerText: string, status: number): void => {
    requests[action] = (requests[action] ?? 0) + 1;
    const cost = costOf(
      items,
      action,
      JSON.parse(bodyText) as Body,
      JSON.parse(answerText || '{}') as Answer,
      status === 200,
    );
    totals.writes += cost.writes;
    totals.reads += cost.reads;
    if (cost.writes > 0) totals.writtenBytes += cost.bytes;
    seen.push({ action, key: cost.key, bytes: cost.bytes, units: cost.writes + cost.reads });
  };

  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = await readBody(incoming);
      const { method, headers } = incoming;
      const passed = httpRequest(target, { method, headers, agent, path: incoming.url }).end(body);
      const [answer] = (await once(passed, 'response')) as [IncomingMessage];
      const answerBody = await readBody(answer);
      const action = String(headers['x-amz-target'] ?? '.other').split('.')[1] ?? 'other';
      note(action, body.toString('utf8'), answerBody.toString('utf8'), answer.statusCode ?? 500);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(answerBody);
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    counts: () => ({
      requests: { ...requests },
      writeUnits: totals.writes,
      readUnits: totals.reads,
      writtenBytes: totals.writtenBytes,
    }),
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await once(server, 'close');
    },
  };
};
