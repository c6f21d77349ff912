/**
 * An operation is one verb that a person or a program may use. It is written once, as data: name,
 * sentence, arguments, right. Chat, command line, HTTP and all help are made from it. A `look`
 * reads the table and answers at once. A `change` goes through the pipeline: Perceive answers it,
 * most often by the call of a tool, which the gates judge like any action. A dry run is a change
 * too, because only Perceive has the gates.
 */
import type * as z from 'zod/mini';
import type { JsonObject } from '../base/json.ts';
import type { Language } from '../base/language.ts';
import type { Standing, Where } from '../gates/rules/access-table.ts';
import type { MemoryReads } from '../memory/memory.ts';
import type { LiveObject } from '../memory/object.ts';
import type { BudgetCaps } from '../money/caps.ts';
import type { SeenObject } from '../signal/decision.ts';
import type { PerceiveMessage } from '../signal/messages.ts';
import type { Signal } from '../signal/signal.ts';
import type { Publish } from '../store/queue.ts';
import type { Variables } from '../store/settings.ts';
import type { Table } from '../store/table.ts';
import type { CodeAnswer, CodeContext } from './code-context.ts';
import { readArgs } from './read-words.ts';

/** The ways in, each made from the catalogue. */
type Door = 'chat' | 'command-line' | 'http';

type Args = z.ZodMiniObject;

interface Row<A extends Args> {
  /** A noun, and a verb if the noun has several: `jobs pause`. */
  readonly name: string;
  /** One sentence, for help and OpenAPI. */
  readonly summary: string;
  readonly args: A;
  /** Arguments that are given by their place. One that ends in `…` takes all further words. */
  readonly words?: readonly string[];
  /** Reads words that have a form of their own. @throws ProtocolError */
  readonly readWords?: (rest: string) => unknown;
  /** How the words are written, if `words` does not say it. */
  readonly form?: string;
  readonly needs: Standing;
  /** Anywhere if absent. */
  readonly where?: Where;
  /** All if absent. */
  readonly doors?: readonly Door[];
  /** The noun alone means this one. */
  readonly isDefault?: true;
}

export interface Look<A extends Args = Args, D extends z.ZodMiniType = z.ZodMiniType> extends Row<A> {
  readonly kind: 'look';
  /** The answer for programs. Members it does not name are passed on. */
  readonly data: D;
}

/** A change of a stored setting, whose field is `<kind>.<name>`. No value is an empty text. */
export interface ChangedSetting {
  readonly kind: string;
  readonly name: string;
  readonly before: string;
  readonly value: string;
}

export interface Change<A extends Args = Args> extends Row<A> {
  readonly kind: 'change';
  /**
   * Done calls that this verb takes back, by their tool (a grant has the verb that gives it): the
   * states in which what they changed must stand, or a sentence if only a person can do it.
   */
  readonly undoes?: Readonly<Record<string, readonly string[] | string>>;
  /** The arguments that give such a setting the value before; undefined if this verb cannot. */
  readonly restores?: (changed: ChangedSetting) => JsonObject | undefined;
  /** Typed on the owner's command line, it is also the yes that its card asks for. */
  readonly isTypedYes?: true;
}

/** A change that the console makes at once: it stops the pipeline, or lets a signal go on there. */
export interface Direct<A extends Args = Args, D extends z.ZodMiniType = z.ZodMiniType> extends Row<A> {
  readonly kind: 'direct';
  readonly data: D;
  /** The answer for a person. */
  said(data: z.output<D>): string;
}

export type Operation = Look | Change | Direct;

/** The sources that a look may read. Perceive and the console both have it. */
export interface LookContext {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex'>;
  readonly space: string;
  /** Epoch milliseconds, one moment for the whole answer. */
  readonly now: number;
  readonly zone: string;
  /** Of the lines for a person. */
  readonly language: Language;
  readonly caps: BudgetCaps;
  readonly assistant: string;
  /** The model providers in order, as `npm start` prints them; not known if absent or empty. */
  readonly providerNames?: readonly string[] | undefined;
  /** The environment's values of the settings that `/config` changes. */
  readonly configured?: Variables | undefined;
  /** Gives the same memory each time. */
  readonly loadMemory: () => Promise<MemoryReads>;
  readonly session: string;
  /** Such an object is not shown there: others read the answer too, and it is private. */
  readonly isHidden: (object: LiveObject) => boolean;
  readonly standing: Standing;
  /** The signal of a chat that asks: others may read the answer. Over HTTP there is none. */
  readonly asker?: Signal;
}

/** The means of the console. */
export interface DirectContext {
  readonly table: Pick<Table, 'load' | 'query' | 'queryIndex' | 'put' | 'update' | 'transact'>;
  readonly space: string;
  readonly language: Language;
  readonly now: () => number;
  readonly publish: Publish<PerceiveMessage>;
}

export interface LookAnswer<D> {
  readonly data: D;
  /** The same for a person; absent where each door shows the data by itself. */
  readonly lines?: readonly string[];
  /** Codes of the numbered choices that the lines end with. */
  readonly choices?: readonly string[];
  readonly seen?: readonly SeenObject[];
}

export interface LookHandler {
  readonly operation: Look;
  /** @throws ProtocolError for arguments that do not fit, and for things that do not exist */
  readonly look: (context: LookContext, args: unknown) => Promise<LookAnswer<unknown>>;
}

export interface ChangeHandler {
  readonly operation: Change;
  /** @throws ProtocolError as a look does: nothing was changed then */
  readonly change: (context: CodeContext, args: unknown) => Promise<CodeAnswer>;
}

export interface DirectHandler {
  readonly operation: Direct;
  /** @throws HttpError, ProtocolError */
  readonly direct: (context: DirectContext, args: unknown) => Promise<object>;
}

export type Handler = LookHandler | ChangeHandler | DirectHandler;

export const look = <A extends Args, D extends z.ZodMiniType>(
  operation: Look<A, D>,
  answer: (context: LookContext, args: z.output<A>) => Promise<LookAnswer<z.output<D>>>,
): LookHandler => ({ operation, look: async (context, args) => answer(context, readArgs(operation, args)) });

export const change = <A extends Args>(
  operation: Change<A>,
  answer: (context: CodeContext, args: z.output<A>) => CodeAnswer | Promise<CodeAnswer>,
): ChangeHandler => ({ operation, change: async (context, args) => answer(context, readArgs(operation, args)) });

export const direct = <A extends Args, D extends z.ZodMiniType>(
  operation: Direct<A, D>,
  answer: (context: DirectContext, args: z.output<A>) => Promise<z.output<D> & object>,
): DirectHandler => ({ operation, direct: async (context, args) => answer(context, readArgs(operation, args)) });
