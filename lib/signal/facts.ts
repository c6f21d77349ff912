/**
 * Facts: all that gates may know about one action, as plain data. Gathered per action before the gates run (in Reason,
 * and again in Act on the very bytes to be performed), stored with the verdicts, and enough to replay them byte for byte.
 */
import * as z from 'zod/mini';
import { Asker, ChatMemory } from './asker.ts';
import { Origin } from './signal.ts';

/** Where an outgoing webhook would really go. Addresses are literal IPs, as resolved at `now`. */
export const NetworkFacts = z.strictObject({
  /** Configured under this name; false means the name is unknown and the URL came from nowhere. */
  isConfigured: z.boolean(),
  /** The URL configuration holds for that name; the action's must equal it. */
  configuredUrl: z.string(),
  addresses: z.array(z.string()),
  isLoopbackAllowed: z.boolean(),
});
export type NetworkFacts = z.infer<typeof NetworkFacts>;

/** How the conversation is doing: only where actions were blocked in it within the hour, or it is stopped. */
export const FloodFacts = z.strictObject({
  blocksLastHour: z.int(),
  /** It is stopped, or was since this was decided: a resume revives nothing. */
  isSessionStopped: z.boolean(),
  /** Why it is stopped; null where it is not, or not any more. */
  because: z.nullable(z.enum(['blocks', 'approvals'])),
});
export type FloodFacts = z.infer<typeof FloodFacts>;

/** What the action costs, and the cap nearest to its end: micro-dollars. */
export const BudgetFacts = z.strictObject({
  cap: z.enum(['turn', 'session', 'job', 'day']),
  limit: z.int(),
  /** Spent or reserved under that cap already. */
  committed: z.int(),
  requested: z.int(),
});
export type BudgetFacts = z.infer<typeof BudgetFacts>;

/** What was found in a shell command, and by which version of the rules (`find-shell-dangers.ts`). */
export const ShellFacts = z.strictObject({
  rulesVersion: z.int(),
  /** Fixed sentences, never a part of the command; empty for a harmless one. */
  dangers: z.array(z.string()),
});
export type ShellFacts = z.infer<typeof ShellFacts>;

/** Languages whose code is parsed before it is handed on. */
export const CodeLanguage = z.enum(['json', 'yaml', 'javascript', 'typescript', 'cedar']);
export type CodeLanguage = z.infer<typeof CodeLanguage>;

/** Where code the action would hand on does not parse, and why: fixed words, never a part of the code (`lib/judge/code`). */
export const CodeProblem = z.strictObject({
  language: CodeLanguage,
  /** From 1. */
  line: z.int(),
  problem: z.string(),
});
export type CodeProblem = z.infer<typeof CodeProblem>;

/** An approval as it stands at the moment of the claim; the transaction that claims the action spends it. */
export const ApprovalFacts = z.strictObject({
  id: z.string(),
  actionHash: z.string(),
  policyVersion: z.string(),
  space: z.string(),
  /** `spent-here`: spent by an earlier claim of this very effect, which lapsed or was given back before it was performed. */
  state: z.enum(['pending', 'approved', 'denied', 'expired', 'spent', 'spent-here']),
  expiresAt: z.int(),
});
export type ApprovalFacts = z.infer<typeof ApprovalFacts>;

/** The grant that covers the action at the last mile; the transaction that claims the action spends one of its uses. */
export const GrantFacts = z.strictObject({
  id: z.string(),
  /** Of the action its bounds were compared with; empty where they do not cover it. */
  actionHash: z.string(),
  policyVersion: z.string(),
  space: z.string(),
  /** `spent-here`: a use was spent by an earlier claim of this very effect. */
  state: z.enum(['live', 'revoked', 'used-up', 'spent-here']),
  expiresAt: z.int(),
  /** Gates whose asking it answers. */
  gates: z.array(z.string()),
  /** Its card named the source of the outside text this action was made from. */
  coversTaint: z.boolean(),
});
export type GrantFacts = z.infer<typeof GrantFacts>;

/** What other models said to the same prompt, where they were asked because the proposal is one of high impact. */
export const ConsensusFacts = z.strictObject({
  /** Models that gave a proposal. */
  votes: z.int(),
  /** Of those, the ones that proposed the same actions. */
  agreeing: z.int(),
  /** Providers that proposed something else. */
  others: z.array(z.string()),
});
export type ConsensusFacts = z.infer<typeof ConsensusFacts>;

/**
 * What a tool does besides answering, as its definition declares it (`lib/tools/tool.ts`). Rules judge
 * these declarations, never a tool's name.
 */
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
  /** Its arguments leave the space, to an address from configuration. */
  leavesSpace: z.optional(z.literal(true)),
});
export type ToolEffects = z.infer<typeof ToolEffects>;

export const Facts = z.strictObject({
  schemaVersion: z.literal(1),
  stage: z.enum(['reason', 'act']),
  /** Epoch milliseconds. */
  now: z.int(),
  space: z.string(),
  /** Canonical hash of the action these facts are about. */
  actionHash: z.string(),
  /** The kill switch (read consistently at Act). */
  isStopped: z.boolean(),
  /** Null in a conversation where nothing was blocked lately. */
  flood: z.nullable(FloodFacts),
  /** The action's tool is registered (text and webhook targets: their actuator is). */
  isKnown: z.boolean(),
  /** Permission tier of the tool, or of the target for texts. */
  tier: z.enum(['allow', 'ask', 'deny']),
  /** The rules of the owner's policy that set the tier, or why it cannot be used; empty where defaults count. */
  policyReason: z.string(),
  /** A text to whoever asked, over the route recorded on the root signal, or unasked to the home chat (I13). */
  isPlainReply: z.boolean(),
  /** What is wrong with the arguments according to the tool's own schema; empty when they fit. */
  argumentProblems: z.array(z.string()),
  /** Configured secrets found in the outgoing bytes: names and fields only, never values (I11). */
  secrets: z.array(z.strictObject({ name: z.string(), field: z.string() })),
  /** Only for `webhook`. */
  network: z.nullable(NetworkFacts),
  /** What the action's tool declares; absent for texts and for tools that declare nothing. */
  effects: z.optional(ToolEffects),
  /** Only for a tool that runs commands. */
  shell: z.nullable(ShellFacts),
  /** Only where the action would hand on code that does not parse. */
  codeProblem: z.optional(CodeProblem),
  /** Privacy tags of the space, beside `personal`. */
  privacyTags: z.array(z.string()),
  /** An earlier attempt of the same signal was blocked with exactly this action. */
  isRefusedBefore: z.boolean(),
  /** A person denied this very action, however it was explained, in this turn, or within the hour and no approver began a turn since. */
  isDeniedBefore: z.boolean(),
  /**
   * The links of a text that may stay tappable: of the turn's event, exactly as read, to a host on
   * its source's list.
   */
  knownUrls: z.array(z.string()),
  /** Null for what costs nothing. */
  budget: z.nullable(BudgetFacts),
  /** Worst origin of what the action was made from. */
  origin: Origin,
  /** Who began the turn, or typed the command. */
  askedBy: Asker,
  /** How the chat that is answered stands to memory. */
  chatMemory: ChatMemory,
  /** The action was made in a group, from what memory or another server's tool gave. */
  isMemoryShown: z.boolean(),
  /** Only at Act, and only when the message names one. */
  approval: z.nullable(ApprovalFacts),
  /** Only at Act, and only where one covers the action and no approval is given. */
  grant: z.optional(GrantFacts),
  /** Only where several models were asked. */
  consensus: z.optional(ConsensusFacts),
  /** Version of gate set, policy and schema now in force. */
  policyVersion: z.string(),
});
export type Facts = z.infer<typeof Facts>;

/**
 * What facts say where a stored item leaves them out. Only for reading what was stored: the engine itself takes no facts
 * that are not whole (I3).
 */
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

/** Facts as they are stored: whole again when read. */
export const StoredFacts = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((stored: Record<string, unknown>): unknown => ({ ...FACT_DEFAULTS, ...stored })),
  ),
  Facts,
);
