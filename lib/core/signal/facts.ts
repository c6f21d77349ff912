/**
 * Facts: everything gates may know about one action, as plain data. They are gathered before the
 * gates run, in Reason and again in Act, and stored with the verdicts, so that a replay gives the
 * same bytes.
 */
import * as z from 'zod/mini';
import { Asker, ChatMemory } from './asker.ts';
import { Origin } from './signal.ts';

/** Real destination of an outgoing webhook: IP addresses resolved at `now`. */
export const NetworkFacts = z.strictObject({
  /** False if no webhook has this name. */
  isConfigured: z.boolean(),
  /** The configured address: the action's must equal it. */
  configuredUrl: z.string(),
  addresses: z.array(z.string()),
  isLoopbackAllowed: z.boolean(),
});
export type NetworkFacts = z.infer<typeof NetworkFacts>;

/** State of a conversation with blocked actions within the hour, or stopped. */
export const FloodFacts = z.strictObject({
  blocksLastHour: z.int(),
  /** Stopped now, or since the decision: a resume revives nothing. */
  isSessionStopped: z.boolean(),
  /** Null unless stopped now. */
  because: z.nullable(z.enum(['blocks', 'approvals'])),
});
export type FloodFacts = z.infer<typeof FloodFacts>;

/** Cost of the action, and the cap nearest to its end: micro-dollars. */
export const BudgetFacts = z.strictObject({
  cap: z.enum(['turn', 'session', 'job', 'day']),
  limit: z.int(),
  /** Spent or reserved under that cap. */
  committed: z.int(),
  requested: z.int(),
});
export type BudgetFacts = z.infer<typeof BudgetFacts>;

/**
 * - `reads`: changes nothing and sends nothing
 * - `changes`: changes files, and everything it changes can be made again or is named
 * - `destroys`: removes or rewrites what it did not make, or history
 * - `leaves`: sends to, or fetches from, another machine
 * - `unseen`: runs code that nobody has seen, or cannot be read
 */
export const CommandClass = z.enum(['reads', 'changes', 'destroys', 'leaves', 'unseen']);
export type CommandClass = z.infer<typeof CommandClass>;

/** The class of a shell command, and the version of the rules that found it. */
export const ShellFacts = z.strictObject({
  rulesVersion: z.int(),
  /** Findings of earlier releases that no command may have. */
  dangers: z.array(z.string()),
  /** Absent in facts of earlier releases, as all below. */
  class: z.optional(CommandClass),
  /** Something in it destroys, whatever its class. */
  destroys: z.optional(z.literal(true)),
  /** Fixed sentences that say why it is of this class. */
  because: z.optional(z.array(z.string())),
  /** Canonical absolute paths; a pattern stands for the folder it begins in. */
  reads: z.optional(z.array(z.string())),
  writes: z.optional(z.array(z.string())),
  /** The programs that would run: `git push`, `rm`. Sorted, each once. */
  programs: z.optional(z.array(z.string())),
});
export type ShellFacts = z.infer<typeof ShellFacts>;

/** The runner that an action names, as its machine described itself. Paths are canonical. */
export const RunnerFacts = z.strictObject({
  name: z.string(),
  isPaired: z.boolean(),
  isPaused: z.boolean(),
  /** It has named no folders yet. */
  hasNeverStarted: z.optional(z.literal(true)),
  /** The owner's home folder there, which `~` stands for. */
  home: z.string(),
  read: z.array(z.string()),
  /** Each is readable too. */
  write: z.array(z.string()),
  programs: z.array(z.string()),
  hasNetwork: z.boolean(),
});
export type RunnerFacts = z.infer<typeof RunnerFacts>;

/** Languages that are read before a text in them is handed on. */
export const CodeLanguage = z.enum(['json', 'yaml', 'javascript', 'typescript', 'cedar', 'org', 'markdown']);
export type CodeLanguage = z.infer<typeof CodeLanguage>;

/** Fault in code that the action hands on: fixed words, never a part of the code. */
export const CodeProblem = z.strictObject({
  language: CodeLanguage,
  /** From 1. */
  line: z.int(),
  problem: z.string(),
});
export type CodeProblem = z.infer<typeof CodeProblem>;

/** An approval as it stands at the claim, whose transaction spends it. */
export const ApprovalFacts = z.strictObject({
  id: z.string(),
  actionHash: z.string(),
  policyVersion: z.string(),
  space: z.string(),
  /** `spent-here`: spent by an earlier claim of this effect, which lapsed or was given back. */
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent', 'spent-here']),
  expiresAt: z.int(),
});
export type ApprovalFacts = z.infer<typeof ApprovalFacts>;

/** The grant that covers the action; the claim's transaction spends one of its uses. */
export const GrantFacts = z.strictObject({
  id: z.string(),
  /** The action its bounds were compared with; empty if they do not cover it. */
  actionHash: z.string(),
  policyVersion: z.string(),
  space: z.string(),
  /** `spent-here`: an earlier claim of this effect spent a use. */
  state: z.enum(['live', 'revoked', 'used-up', 'spent-here']),
  expiresAt: z.int(),
  /** Gates whose question it answers. */
  gates: z.array(z.string()),
  /** Some of its arguments may differ from those a person saw. */
  isLoosened: z.optional(z.literal(true)),
  /** Its card named the source of the untrusted text this action was made from. */
  coversTaint: z.boolean(),
});
export type GrantFacts = z.infer<typeof GrantFacts>;

/** Answers of other models to the same prompt, asked for proposals of high impact. */
export const ConsensusFacts = z.strictObject({
  /** Models that gave a proposal. */
  votes: z.int(),
  /** Those that proposed the same actions. */
  agreeing: z.int(),
  /** Providers that proposed something else. */
  others: z.array(z.string()),
});
export type ConsensusFacts = z.infer<typeof ConsensusFacts>;

/** A tool's effects besides answering, as it declares. Rules judge these, never its name. */
export const ToolEffects = z.strictObject({
  /** It erases or replaces data for good. */
  destroys: z.optional(z.literal(true)),
  /** It changes who may do what, or which tools there are. */
  changesAuthority: z.optional(z.literal(true)),
  /** It runs a program from its arguments. */
  runsCode: z.optional(z.literal(true)),
  /** Name of the argument with a shell command. */
  runsCommand: z.optional(z.string()),
  /** Names of the arguments with paths of files it reads. */
  readsFiles: z.optional(z.array(z.string())),
  /** Names of the arguments with paths of files it changes. */
  writesFiles: z.optional(z.array(z.string())),
  /** Name of the argument with a URL that it opens, whoever wrote that URL. */
  opensUrl: z.optional(z.string()),
  /** Name of the argument with an address that a person typed and that it connects to. */
  connectsTo: z.optional(z.string()),
  /** Name of the argument with words that a service is asked with, which the owner configured. */
  asksService: z.optional(z.string()),
  /** Its arguments leave the space, to an address from configuration. */
  leavesSpace: z.optional(z.literal(true)),
});
export type ToolEffects = z.infer<typeof ToolEffects>;

/** A read that its owner let pass by name, in a turn that the owner began. */
export const PassingRead = z.strictObject({
  /** Every argument is a part of what the owner typed, a yes or no, or empty. */
  isOwnWords: z.boolean(),
});
export type PassingRead = z.infer<typeof PassingRead>;

export const Facts = z.strictObject({
  schemaVersion: z.literal(1),
  stage: z.enum(['reason', 'act']),
  now: z.int(),
  space: z.string(),
  /** The action these facts are about. */
  actionHash: z.string(),
  /** The kill switch, read consistently at Act. */
  isStopped: z.boolean(),
  /** Null if nothing was blocked lately. */
  flood: z.nullable(FloodFacts),
  /** The tool, or the actuator of a text's target, is registered. */
  isKnown: z.boolean(),
  /** Permission of the tool, or of a text's target. */
  tier: z.enum(['allow', 'ask', 'deny']),
  /** Rules of the owner's policy that set the tier, or its fault; empty for defaults. */
  policyReason: z.string(),
  /** Skills or a job deny it, and no policy. */
  isOffBySkill: z.optional(z.literal(true)),
  /** Only if a rule that permits it names classes or programs of commands. */
  isCommandNamed: z.optional(z.literal(true)),
  /** A text to the person who asked, or unasked to the home chat (I13). */
  isPlainReply: z.boolean(),
  /** Faults of the arguments by the tool's own schema; empty if they fit. */
  argumentProblems: z.array(z.string()),
  /** Configured secrets found in the outgoing bytes: names and fields, never values (I11). */
  secrets: z.array(z.strictObject({ name: z.string(), field: z.string() })),
  /** Only for `webhook`. */
  network: z.nullable(NetworkFacts),
  /** Declaration of the action's tool; absent for texts and for tools that declare nothing. */
  effects: z.optional(ToolEffects),
  /** Only for such a read: the release before cannot read facts with it. */
  passingRead: z.optional(PassingRead),
  /** Only for a tool that runs commands. */
  shell: z.nullable(ShellFacts),
  /** Only for a tool that a runner performs. */
  runner: z.optional(RunnerFacts),
  /** Only if the action hands on code that does not parse. */
  codeProblem: z.optional(CodeProblem),
  /** Privacy tags of the space, beside `personal`. */
  privacyTags: z.array(z.string()),
  /** An earlier attempt of the signal was blocked with this very action. */
  isRefusedBefore: z.boolean(),
  /** A person denied it in this turn, or within the hour and no approver began one since. */
  isDeniedBefore: z.boolean(),
  /** Links that may stay tappable: from the turn's event, to a host on its source's list. */
  knownUrls: z.array(z.string()),
  /** Null if it costs nothing. */
  budget: z.nullable(BudgetFacts),
  /** Worst origin of the action's sources. */
  origin: Origin,
  /** The person or program that began the turn, or typed the command. */
  askedBy: Asker,
  /** Use of memory in the chat that is answered. */
  chatMemory: ChatMemory,
  /** The action was made in a group from memory or from another server's output. */
  isMemoryShown: z.boolean(),
  /** Only at Act, if the message names one. */
  approval: z.nullable(ApprovalFacts),
  /** Only at Act, if a grant covers the action and no approval is given. */
  grant: z.optional(GrantFacts),
  /** Only if several models were asked. */
  consensus: z.optional(ConsensusFacts),
  /** Version of gate set, policy and schema in force. */
  policyVersion: z.string(),
});
export type Facts = z.infer<typeof Facts>;

/** Defaults of stored facts that leave them out. The engine itself takes whole facts only (I3). */
export const FACT_DEFAULTS = {
  isStopped: false,
  flood: null,
  isKnown: true,
  isPlainReply: false,
  policyReason: '',
  argumentProblems: [],
  secrets: [],
  network: null,
  shell: null,
  privacyTags: [],
  isRefusedBefore: false,
  isDeniedBefore: false,
  knownUrls: [],
  budget: null,
  askedBy: 'approver',
  chatMemory: 'open',
  isMemoryShown: false,
  approval: null,
} as const satisfies Partial<Facts>;

/** Facts as stored: whole again when read. */
export const StoredFacts = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((stored: Record<string, unknown>): unknown => ({ ...FACT_DEFAULTS, ...stored })),
  ),
  Facts,
);
