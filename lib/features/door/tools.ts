/**
 * The tools of the door: one for each operation that the caller's token may use, one that asks the
 * agent in plain words, and one that tells what became of an earlier call. What needs an approver's
 * token is never a tool: a model holds this door, and a model approves nothing (I5). Pure.
 */
import * as z from 'zod/mini';
import { SIGNAL_TEXT_CHARS_MAX } from '../../core/base/limits.ts';
import { needOf, pathOf } from '../../core/edge/console/operation-path.ts';
import { SIGNAL_ID_PATTERN } from '../../core/edge/console/router.ts';
import { isAllowed, type Need, type Scope } from '../../core/edge/console/tokens.ts';
import { type Feature, operationsIn } from '../../core/operations/feature.ts';
import type { Operation } from '../../core/operations/operation.ts';

/** At the address of the console, on this machine. */
export const DOOR_PATH = '/mcp';

/** A request to the console that a call becomes. */
export interface ConsoleRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The last server-sent event that was read. */
  readonly lastEventId?: string;
}

export interface ConsoleAnswer {
  readonly status: number;
  /** Undefined unless it was JSON. */
  readonly value: unknown;
  readonly text?: string;
}

/** Asks the console with the token of the caller. */
export type AskConsole = (request: ConsoleRequest) => Promise<ConsoleAnswer>;

export interface DoorTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: { readonly type: 'object'; readonly [member: string]: unknown };
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
  readonly needs: Need;
  /** A request, or the signal of an earlier call that is followed. @throws z.core.$ZodError */
  readonly build: (args: Readonly<Record<string, unknown>>) => ConsoleRequest | { readonly follow: string };
}

/** Conversations of one token: the console accepts these names (`SESSION_NAME`). */
const conversation = z.optional(
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_.:-]{1,40}$/, { error: 'must be 1-40 of A-Z a-z 0-9 _ . : -' }),
      z.describe('name of a conversation; calls with the same name go on with it'),
    ),
);

/** JSON Schema of an object, for a client. */
export const schemaOf = (args: z.ZodMiniObject): DoorTool['inputSchema'] => {
  const { $schema: _, ...schema } = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
  return { ...schema, type: 'object' };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const AskArgs = z.strictObject({
  text: z.string().check(z.minLength(1), z.maxLength(SIGNAL_TEXT_CHARS_MAX), z.describe('what you say to the agent')),
  conversation,
});

const ResultArgs = z.strictObject({
  id: z
    .string()
    .check(
      z.regex(new RegExp(`^${SIGNAL_ID_PATTERN}$`), { error: 'must be an id that a call gave' }),
      z.describe('the id that an earlier call gave'),
    ),
});

const LOOKS = { readOnlyHint: true, destructiveHint: false } as const;
const CHANGES = { readOnlyHint: false, destructiveHint: true } as const;

const ask: DoorTool = {
  name: 'ask',
  description: 'Ask the agent in plain words, or ask it to do something. It answers once its turn ends.',
  inputSchema: schemaOf(AskArgs),
  annotations: CHANGES,
  needs: 'speak',
  build: (args) => {
    const { text, conversation: session = 'main' } = AskArgs.parse(args);
    return { method: 'POST', path: '/api/messages', body: { text, session } };
  },
};

const result: DoorTool = {
  name: 'result',
  description: 'What became of an earlier call that was still at work, or waited for a person.',
  inputSchema: schemaOf(ResultArgs),
  annotations: LOOKS,
  needs: 'own',
  build: (args) => ({ follow: ResultArgs.parse(args).id }),
};

export const signalPath = (id: string): string => `/api/signals/${id.split('/').map(encodeURIComponent).join('/')}`;

/** `jobs pause` → `jobs_pause`; the second operation of a name is `change_…`, as in OpenAPI. */
const nameOf = ({ name }: Operation, isSecond: boolean): string =>
  `${isSecond ? 'change_' : ''}${name.replace(/[ -]/g, '_')}`;

const toolOf = (operation: Operation, isSecond: boolean): DoorTool => {
  const isLook = operation.kind === 'look';
  const path = pathOf(operation);
  return {
    name: nameOf(operation, isSecond),
    description: operation.summary,
    inputSchema: schemaOf(operation.args),
    annotations: isLook ? LOOKS : CHANGES,
    needs: needOf(operation),
    build: (args) =>
      isLook
        ? {
            method: 'GET',
            path,
            query: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, textOf(value)])),
          }
        : { method: 'POST', path, body: args },
  };
};

/** @throws Error if two tools had one name: a mistake of ours */
export const buildDoorTools = (features: readonly Feature[]): readonly DoorTool[] => {
  const operations = operationsIn(features).filter(({ doors }) => doors === undefined || doors.includes('http'));
  const seen = new Set<string>();
  const tools = operations.map((operation) => {
    const tool = toolOf(operation, seen.has(operation.name));
    seen.add(operation.name);
    return tool;
  });
  const all = [ask, result, ...tools.filter(({ needs }) => needs !== 'approver')];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error('two tools of the door have one name');
  return all;
};

export const toolsFor = (tools: readonly DoorTool[], name: string, scopes: ReadonlySet<Scope>): readonly DoorTool[] =>
  tools.filter(({ needs }) => isAllowed({ kind: 'script', name, scopes }, needs));
