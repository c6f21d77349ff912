/**
 * A tool that the model may propose: name, purpose, arguments, effects, permission, and the origin
 * of its output. The catalogue, the gates, the prompt and the actuators read all of it here. Tools
 * get their powers through the context and hold none themselves (I2). The room's README says how to
 * add one.
 */

import type * as z from 'zod/mini';
import type { TierOf } from '../approvals/say-reach.ts';
import { ProtocolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { ChatPowers } from '../ledger/chat-powers.ts';
import type { SettingPowers } from '../ledger/chat-rights.ts';
import type { Places } from '../ledger/owner-settings.ts';
import type { WalkedSignal } from '../ledger/walk-feed.ts';
import type { ChosenScope } from '../memory/chosen-scope.ts';
import type { MemoryStore } from '../memory/memory.ts';
import type { Objects } from '../memory/read.ts';
import type { VectorSegment } from '../memory/search/vector-segment.ts';
import type { ActuatorContext } from '../signal/actuator.ts';
import type { RecordingPower } from '../signal/attachment.ts';
import type { Because } from '../signal/because.ts';
import type { ToolEffects } from '../signal/facts.ts';
import type { RunnerToolName } from '../signal/runner-tools.ts';
import type { Origin, Payload, ReplyRoute, Sensor } from '../signal/signal.ts';
import type { Key } from '../store/keys.ts';
import type { Values } from '../store/settings.ts';
import type { Item, Table } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';
import type { LongOutput, OutputStore } from './long-output.ts';
import type { Mark } from './marks.ts';
import type { PlanPowers } from './propose-plan.ts';
import type { ScriptStates } from './script-state.ts';
import type { Webhooks } from './webhooks.ts';

export interface Summarised {
  readonly session: string;
  /** Roots of the turns. */
  readonly turns: readonly string[];
  /** Objects of memory those turns were shown: `<id> v<n>`. */
  readonly shown: readonly string[];
  /** The summary so far. */
  readonly previous?: string | undefined;
  /** When it was asked for, epoch milliseconds. */
  readonly askedAt: number;
  /** Some of it was erased since then. */
  readonly isForgotten: boolean;
}

/** Look-ups that the tool actuator makes for tools. */
export interface ToolRecords {
  readonly keepOutput: OutputStore['keep'];
  /** Variables of the programs of a conversation. */
  readonly scriptStates: ScriptStates;
  /** Id of the object that a conversation looks at. */
  readonly loadFocus: (session: string) => Promise<string | undefined>;
  readonly loadPayload: (signalId: string) => Promise<Payload | undefined>;
  readonly loadOutput: (id: string) => Promise<LongOutput | undefined>;
  /** Lines about decisions that were shown one of these objects since a commit, newest first. */
  readonly findSeen: (ids: readonly string[], since: number) => Promise<readonly string[]>;
  /** Walks all signals since a moment, newest first. @returns false if there are too many */
  readonly walkSignals: (since: number, visit: (signals: readonly WalkedSignal[]) => void) => Promise<boolean>;
  /** The vectors of memory, as they are stored; empty if there are none. */
  readonly loadVectors: () => Promise<readonly VectorSegment[]>;
  /** The turns to summarise; undefined if the signal asks for no summary. */
  readonly loadSummarised: (signalId: string) => Promise<Summarised | undefined>;
}

/**
 * The records that tools may change besides memory. An absent one cannot be reached. A feature adds
 * its own to this interface, in the file of its tools.
 */
export interface ToolPowers {
  readonly plans?: PlanPowers;
  readonly chats?: ChatPowers;
  readonly settings?: SettingPowers;
  readonly recordings?: RecordingPower;
}

/** Forms of tools, and code that performs the larger ones: loaded with the first use of any. */
export const loadParts = () => import('./parts.ts');
/** Those of features. */
export const loadFeatureParts = async () => (await loadParts()).FEATURE_PARTS;
export const loadFileParts = () => import('./file-parts.ts');

/** A power that only Act gives to tools. @throws ProtocolError where it is not given */
export const powerOf = <N extends keyof ToolPowers>(powers: ToolPowers, name: N): NonNullable<ToolPowers[N]> => {
  const power = powers[name];
  if (power === undefined) throw new ProtocolError(`tools cannot change ${name} from here`);
  return power;
};

/** The same for every call of a tool in one process. */
export interface ToolSurroundings {
  readonly memory: MemoryStore;
  readonly records: ToolRecords;
  readonly powers: ToolPowers;
  readonly zone: string;
  /** Privacy tags of the space, beside `personal`. */
  readonly privacyTags?: readonly string[];
  readonly newNonce: () => string;
}

export interface ToolContext
  extends ToolSurroundings,
    Omit<ActuatorContext, 'addresses' | 'sentIds' | 'isForgotten' | 'handOver'> {
  /** Literal IP addresses the network gate judged, for a tool that connects. */
  readonly addresses?: readonly string[];
  /** Says what a priced call has come to so far, micro-dollars; the last word counts. */
  readonly noteCost?: (usd: number) => void;
}

export interface ToolOutput {
  readonly output: string;
  readonly origin: Origin;
  readonly because?: Because;
}

/** Services that tools ask, as the settings name them: tool → service, undefined if none is set. */
export type Services = Readonly<Record<string, string | undefined>>;

/** Settings that name services. */
export type ServiceEnv = Partial<Values<'SEARCH'>>;

/** Look-ups of features for forms. Each adds its own here, in the file of its tools. */
// biome-ignore lint/suspicious/noEmptyInterface: features fill it
export interface FormLookups {}

export type BuildLookups = (table: Pick<Table, 'load'>, space: string) => FormLookups;

/**
 * Knowledge that arguments are completed and described with. A feature adds readers of its own to
 * this interface, in the file of its tools.
 */
export interface FormContext {
  readonly now: number;
  readonly zone: string;
  /** The chat that is answered. */
  readonly reply: ReplyRoute;
  /** Reads a row of the table by its key; forms of features find their own records so. */
  readonly readRow: (keyIn: (space: string) => Key) => Promise<Item | undefined>;
  /** Reads notes; none can be read where memory is not looked at. */
  readonly loadNotes: (ids: readonly string[]) => Promise<Objects>;
  /** Scope of what the owner keeps next in this conversation; absent for `memex`. */
  readonly chosenScope?: ChosenScope | undefined;
  /** Absent at the last mile: the tool itself looks again. */
  readonly loadLookups?: (() => Promise<FormLookups>) | undefined;
  /** The permission of a call as the rules are now; only where a card is written. */
  readonly tierOf?: TierOf | undefined;
  /** The powers of tools, only where a card is written: its lines may need a look at them. */
  readonly loadPowers?: (() => Promise<Partial<ToolPowers>>) | undefined;
  /** Cards that other rules would end. Only if a card is written. */
  readonly countOpenCards?: (() => Promise<number>) | undefined;
  readonly records: TurnRecords;
  /** Places that a text may go to, by name; unknown if absent. */
  readonly places?: Places | undefined;
  /** Why the model has not such a tool here; it has it if absent. */
  readonly whyOff?: ((tool: string) => string | undefined) | undefined;
  /** Conversation of the call. */
  readonly session?: string | undefined;
  /** Configured outgoing webhooks; unknown if absent. */
  readonly webhookUrls?: Readonly<Record<string, string>> | undefined;
  /** The arguments that each takes; any if absent. */
  readonly webhookCalls?: Webhooks['webhookCalls'] | undefined;
  /** Services that tools ask, by tool; none if absent. */
  readonly services?: Services | undefined;
  /** The newest output of a tool in this turn; only where a call is proposed. */
  readonly loadOutput?: ((tool: string) => Promise<string | undefined>) | undefined;
}

/** The work on arguments that a schema cannot do. */
export interface ToolForm {
  /**
   * Fills in every default (I4). An argument that it cannot complete stays as it is, and is a
   * problem.
   */
  readonly complete: (args: JsonObject, context: FormContext) => Promise<JsonObject>;
  /** Faults in plain sentences; empty if the arguments fit. */
  readonly findProblems: (args: JsonObject, context: FormContext) => Promise<readonly string[]>;
  /** The lines of the card in place of the arguments: all of them, in plain words. */
  readonly describe: (args: JsonObject, context: FormContext, mark?: Mark) => Promise<readonly string[]>;
}

interface ToolFacts {
  /** Lower-case words joined by `-`; unique in the catalogue. */
  readonly name: string;
  /** Tells the model when and how to call it; absent if no model is offered it. */
  readonly description?: string;
  /** Permission if no policy says otherwise. */
  readonly tier: 'allow' | 'ask' | 'deny';
  /** Its effects besides answering. The gates judge this, so leave nothing out. */
  readonly effects?: ToolEffects;
  /** Only a person's command calls it. The model is not offered it, and its calls are blocked. */
  readonly isForPeople?: boolean;
  /** The arguments that the model gives, if `loadForm` makes the tool's own of them. */
  readonly draft?: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  /** Loaded with the first call. */
  readonly loadForm?: () => Promise<ToolForm>;
  /** Offered only in a turn that such a signal began. */
  readonly onlyFor?: Sensor;
  /** Called by steps of built-in jobs and runbooks alone, without asking. */
  readonly isMaintenance?: boolean;
  /** A person is asked even if a person typed the command: the card shows what would change. */
  readonly isAlwaysAsked?: boolean;
  /** A question whose answer is the yes itself: no rule and no grant answers it for a person. */
  readonly isQuestion?: true;
  /** `read` changes nothing, a repeat of `idempotent` drops out, one of `once` could be seen. */
  readonly kind: 'read' | 'idempotent' | 'once';
  /**
   * The author of the output's words (I13): `clean` code alone, `inputs` the call's origin,
   * `objects` the memory objects shown, `outside` a stranger.
   */
  readonly outputOrigin: 'clean' | 'inputs' | 'objects' | 'outside';
  /** It changes objects of memory. If its signal fails for good, code takes the changes back. */
  readonly changesMemory?: true;
}

type ArgsSchema<Shape extends z.core.$ZodShape> = z.ZodMiniObject<Shape, z.core.$strict>;

/** Names a call of another tool, for a tool that calls some. */
export type NameCall = (tool: string, args: JsonObject) => string;

/** The sentence that tells a person the effect of a call: no name of a tool, no full stop. */
interface ToolSentence<Shape extends z.core.$ZodShape> {
  readonly sentence: (args: z.infer<ArgsSchema<Shape>>, nameCall: NameCall) => string;
}

interface Described extends ToolFacts {
  readonly fields: readonly string[];
  /** Undefined if the arguments do not fit. */
  readonly sentence: (args: JsonObject, nameCall: NameCall) => string | undefined;
}

export interface RunnableTool extends Described {
  readonly target: 'tool';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  /** @throws ProtocolError if the arguments do not fit. */
  readonly run: (args: JsonObject, context: ToolContext) => Promise<ToolOutput>;
}

/** A tool that the owner's machine performs, in its sandbox. Nothing of it runs here. */
export interface RunnerTool extends Described {
  readonly target: 'tool';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
  readonly run?: never;
}

export interface WebhookTool extends Described {
  readonly target: 'webhook';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
}

/** Becomes a text to the place that it names. */
export interface TextTool extends Described {
  readonly target: 'text';
  readonly args: z.ZodMiniType<Readonly<Record<string, unknown>>>;
}

export type Tool = RunnableTool | RunnerTool | WebhookTool | TextTool;

type Definition<Shape extends z.core.$ZodShape> = ToolSentence<Shape> & { readonly args: ArgsSchema<Shape> };

const describedBy = <Shape extends z.core.$ZodShape>({ args: schema, sentence }: Definition<Shape>) => ({
  fields: Object.keys(schema.def.shape),
  sentence: (args: JsonObject, nameCall: NameCall): string | undefined => {
    const parsed = schema.safeParse(args);
    return parsed.success ? sentence(parsed.data, nameCall) : undefined;
  },
});

/** Defines a tool. Its `run` and its sentence get the arguments parsed and typed. */
export const defineTool = <Shape extends z.core.$ZodShape>(
  definition: ToolFacts &
    Definition<Shape> & {
      readonly run: (args: z.infer<ArgsSchema<Shape>>, context: ToolContext) => Promise<ToolOutput>;
    },
): RunnableTool => ({
  ...definition,
  ...describedBy(definition),
  target: 'tool',
  run: async (args, context) => {
    const parsed = definition.args.safeParse(args);
    if (!parsed.success) throw new ProtocolError(`the arguments do not fit the tool ${definition.name}`);
    return definition.run(parsed.data, context);
  },
});

/** Defines a tool that the webhook actuator performs: it leaves the space. */
export const defineWebhookTool = <Shape extends z.core.$ZodShape>(
  definition: ToolFacts & Definition<Shape>,
): WebhookTool => ({
  ...definition,
  ...describedBy(definition),
  target: 'webhook',
  effects: { ...definition.effects, leavesSpace: true },
});

/** Defines a tool whose call is a text to another place, and is judged as one. */
export const defineTextTool = <Shape extends z.core.$ZodShape>(
  definition: ToolFacts & Definition<Shape>,
): TextTool => ({ ...definition, ...describedBy(definition), target: 'text' });

/** Defines a tool that a runner performs. Its output holds a machine's words, so nobody's here. */
export const defineRunnerTool = <Shape extends z.core.$ZodShape>(
  definition: Omit<ToolFacts, 'name' | 'outputOrigin'> & Definition<Shape> & { readonly name: RunnerToolName },
): RunnerTool => ({
  ...definition,
  ...describedBy(definition),
  target: 'tool',
  outputOrigin: 'outside',
});
