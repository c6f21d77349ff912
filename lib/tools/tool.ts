/**
 * A tool: something the model may ask for, as one small file. It says its name, what it is for, the form of its arguments,
 * what it needs from a person, and where its output comes from; the catalogue, the gates, the prompt and the actuator read
 * all of that from here. A tool of target `tool` also says what it does; one of target `webhook` is performed by the
 * webhook actuator. Tools get their powers through the context and hold none themselves (I2).
 */
import type * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { MemoryStore } from '../memory/memory.ts';
import type { Asker } from '../signal/asker.ts';
import type { ToolEffects } from '../signal/facts.ts';
import type { Origin, Payload, Sensor } from '../signal/signal.ts';
import type { KeptOutput, OutputStore } from './kept-output.ts';
import type { McpServers } from './mcp/servers.ts';

/** An object that is to be forgotten everywhere. */
export interface ForgetTraces {
  readonly id: string;
  /** The signal that asks for it: its own decision stays, it is under way. */
  readonly signalId: string;
  /** Epoch milliseconds; and how far back, if not to the object's beginning. */
  readonly now: number;
  readonly since?: number;
  /** Words to be found again that memory no longer holds: what an earlier reading gave. */
  readonly literals?: readonly string[] | undefined;
  /** Further signals, as a person named them: what their turns said is erased too. */
  readonly signals?: readonly string[] | undefined;
}

export interface ErasedTraces {
  /** Signals of which something was erased. */
  readonly erased: readonly string[];
  /** Records of evidence that lost their content with the object, now and before. */
  readonly covered: number;
  /** Signals, and other objects of memory, that hold the words, for a person to look at. */
  readonly literalSignals: readonly string[];
  readonly literalObjects: readonly string[];
  /** The same of what permits: actions that wait (`<signal>#<n>`), and ids of grants in force. Never touched (I14). */
  readonly approvals: readonly string[];
  readonly grants: readonly string[];
  /** Summaries made from turns in which it was written or shown: forgotten with it. */
  readonly summaries: readonly string[];
  /** Words it was looked for by. */
  readonly literals: readonly string[];
  /** False where there are more signals than were looked through. */
  readonly isWhole: boolean;
}

/** What a summary is to be of. */
export interface Summarised {
  readonly session: string;
  /** Roots of the turns. */
  readonly turns: readonly string[];
  /** Objects of memory those turns were shown: `<id> v<n>`. */
  readonly shown: readonly string[];
  /** The summary there is. */
  readonly previous?: string | undefined;
  /** When it was asked for, epoch milliseconds. */
  readonly askedAt: number;
  /** Some of it was erased since the summary was asked for. */
  readonly isForgotten: boolean;
}

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly memory: MemoryStore;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name of the owner's time zone. */
  readonly zone: string;
  /** The same for every try of one effect, and of no other. */
  readonly effectId: string;
  readonly signalId: string;
  /** Who stands behind the call: a sender's id where a person typed it, else `agent`. */
  readonly actor: string;
  /** Who began the turn, or typed the command. */
  readonly askedBy?: Asker | undefined;
  /** Worst origin of what the call was made from. */
  readonly origin: Origin;
  /** Literal IP addresses the network gate judged, for a tool that connects. */
  readonly addresses?: readonly string[];
  /** MCP servers, where there is a way to reach any. */
  readonly mcp?: McpServers;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  /** 128 random bits in hex. */
  readonly newNonce: () => string;
  /** What a signal of this space came with; undefined when there is none. */
  readonly loadPayload: (signalId: string) => Promise<Payload | undefined>;
  /** A long output that was kept, by its id. */
  readonly loadOutput: (id: string) => Promise<KeptOutput | undefined>;
  /** Lines that name the decisions which were shown one of these objects since a commit, newest first. */
  readonly findSeen: (ids: readonly string[], since: number) => Promise<readonly string[]>;
  /** Erases what the turns in which an object was written or shown said of it; repeating it changes nothing. */
  readonly eraseTraces: (what: ForgetTraces) => Promise<ErasedTraces>;
  /** What the signal that asks for a summary asks to be summarised; undefined where it asks for none. */
  readonly loadSummarised: (signalId: string) => Promise<Summarised | undefined>;
}

/** What the tool actuator looks up for tools, and keeps of them. */
export interface ToolRecords
  extends Pick<ToolContext, 'loadPayload' | 'findSeen' | 'eraseTraces' | 'loadOutput' | 'loadSummarised'> {
  readonly keepOutput: OutputStore['keep'];
}

export interface ToolOutput {
  readonly output: string;
  readonly origin: Origin;
}

interface ToolFacts {
  /** Lower-case words joined by `-`; unique in the catalogue. */
  readonly name: string;
  /** What the model reads to know when and how to call it. */
  readonly description: string;
  /** Permission where no policy says otherwise. */
  readonly tier: 'allow' | 'ask' | 'deny';
  /** What it does besides answering: the gates judge this, so leave nothing out. */
  readonly effects?: ToolEffects;
  /** Called by a person's command only: the model is not told of it, and its calls of it are blocked. */
  readonly isForPeople?: boolean;
  /** Offered to the model in a turn that such a signal began, and known nowhere else. */
  readonly onlyFor?: Sensor;
  /** Asked about even where a person's own command calls it: its card shows what would change. */
  readonly isAlwaysAsked?: boolean;
  /** `once`: a second try could be seen twice. */
  readonly kind: 'idempotent' | 'once';
  /**
   * Whose words its output is made of (I13): `clean` none but code's, `inputs` those the call was made from, `objects` those
   * of the memory objects it shows, `outside` somebody else's.
   */
  readonly outputOrigin: 'clean' | 'inputs' | 'objects' | 'outside';
}

type ArgsSchema<Shape extends z.core.$ZodShape> = z.ZodMiniObject<Shape, z.core.$strict>;

interface Described extends ToolFacts {
  /** Names of the arguments. */
  readonly fields: readonly string[];
}

export interface RunnableTool extends Described {
  readonly target: 'tool';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  /** @throws ProtocolError when the arguments do not fit; errors of the store as they come. */
  readonly run: (args: JsonObject, context: ToolContext) => Promise<ToolOutput>;
}

export interface WebhookTool extends Described {
  readonly target: 'webhook';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
}

export type Tool = RunnableTool | WebhookTool;

/** Defines a tool whose `run` gets its arguments parsed and typed. */
export const defineTool = <Shape extends z.core.$ZodShape>(
  definition: ToolFacts & {
    readonly args: ArgsSchema<Shape>;
    readonly run: (args: z.infer<ArgsSchema<Shape>>, context: ToolContext) => Promise<ToolOutput>;
  },
): RunnableTool => ({
  ...definition,
  fields: Object.keys(definition.args.def.shape),
  target: 'tool',
  run: async (args, context) => {
    const parsed = definition.args.safeParse(args);
    if (!parsed.success) throw new ProtocolError(`the arguments do not fit the tool ${definition.name}`);
    return definition.run(parsed.data, context);
  },
});

/** Defines a tool that the webhook actuator performs. */
export const defineWebhookTool = <Shape extends z.core.$ZodShape>(
  definition: ToolFacts & { readonly args: ArgsSchema<Shape> },
): WebhookTool => ({
  ...definition,
  fields: Object.keys(definition.args.def.shape),
  target: 'webhook',
  effects: { ...definition.effects, leavesSpace: true },
});
