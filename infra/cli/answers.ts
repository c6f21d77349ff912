/** Answers of the console's API. Members that nobody here reads are kept for `--json`. */
import * as z from 'zod/mini';
import { JsonObject } from '../../lib/core/base/json.ts';
import type { RecordKind } from '../../lib/core/evidence/record-hash.ts';
import { GateSetContent } from '../../lib/core/gates/engine/gate-set-content.ts';
import type { LogAnswers } from '../../lib/core/log/http-source.ts';
import { ObjectAttributes } from '../../lib/core/memory/object-parts.ts';

/** Stands in replies where a card asked; the command shows the approval itself instead. */
export const CARD_TEXT = '[approval card]';

export const ShownAction = z.looseObject({
  target: z.string(),
  tool: z.optional(z.string()),
  args: z.optional(JsonObject),
  text: z.optional(z.string()),
  to: z.optional(z.string()),
  url: z.optional(z.string()),
  explanation: z.string(),
  author: z.string(),
});
export type ShownAction = z.infer<typeof ShownAction>;

export const SignalAnswer = z.looseObject({
  id: z.string(),
  state: z.string(),
  stateReason: z.optional(z.string()),
  receivedAt: z.int(),
  replies: z.array(z.string()),
  effects: z.array(
    z.looseObject({
      n: z.int(),
      state: z.string(),
      reason: z.optional(z.string()),
      output: z.optional(z.string()),
    }),
  ),
  /** Messages that wait in its conversation now, and the object in focus there. */
  waiting: z.optional(z.int()),
  focus: z.optional(z.string()),
  turn: z.enum(['running', 'waiting', 'ended']),
  isTurnClosed: z.boolean(),
  outcome: z.optional(z.enum(['done', 'refused', 'failed', 'unknown'])),
  decision: z.nullish(
    z.looseObject({
      attempts: z.array(z.looseObject({ provider: z.string(), model: z.string(), turnUsd: z.optional(z.int()) })),
      actions: z.array(
        z.looseObject({
          action: z.optional(z.looseObject({ tool: z.optional(z.string()) })),
          trace: z.array(z.unknown()),
        }),
      ),
    }),
  ),
});
export type SignalAnswer = z.infer<typeof SignalAnswer>;

const ShownObject = z.looseObject({
  id: z.string(),
  origin: z.optional(z.string()),
  version: z.optional(z.int()),
  hash: z.optional(z.string()),
  parentId: z.optional(z.string()),
  children: z.array(z.string()),
  attributes: ObjectAttributes,
  content: z.string(),
});
export type ShownObject = z.infer<typeof ShownObject>;

export const ObjectsAnswer = z.looseObject({
  commit: z.int(),
  objects: z.array(ShownObject),
  isPartial: z.boolean(),
  after: z.optional(z.string()),
});

export const SeenAnswer = z.looseObject({
  id: z.string(),
  seen: z.array(
    z.looseObject({
      signalId: z.string(),
      at: z.int(),
      session: z.string(),
      state: z.string(),
      objects: z.array(z.looseObject({ id: z.string(), version: z.int() })),
    }),
  ),
  isWhole: z.boolean(),
});

/** Without a token the stack answers with the status alone. */
export const HealthAnswer = z.looseObject({
  status: z.enum(['healthy', 'degraded', 'unhealthy', 'unknown']),
  reasons: z._default(z.array(z.string()), []),
  /** Of each reason, as far as the stack made it. */
  codes: z._default(z.array(z.string()), []),
  /** Why it cannot answer. */
  because: z.optional(z.string()),
  checks: z.optional(
    z.looseObject({
      models: z.array(z.string()),
      /** Absent from stacks of older releases. */
      oddities: z._default(z.array(z.string()), []),
      isStopped: z.nullable(z.boolean()),
    }),
  ),
  release: z.optional(z.looseObject({ version: z.string(), data: z.int(), newer: z.optional(z.string()) })),
});

export const AcceptedAnswer = z.looseObject({ id: z.string() });
const Fact = z.optional(z.string());
const Target = z.looseObject({
  ...{ recipient: Fact, amount: Fact, currency: Fact },
  parts: z.optional(z.array(z.string())),
  write: z.optional(z.looseObject({ recipient: Fact, amount: Fact })),
});
const Targets = z.looseObject({
  webhookCalls: z.record(z.string(), Target),
  tools: z.record(z.string(), z.extend(Target, { server: z.string(), remote: z.string() })),
});
export const PolicyAnswer = z.looseObject({
  text: z.string(),
  hash: z.string(),
  zone: z.optional(z.string()),
  at: z.optional(z.int()),
  endsCards: z.optional(z.int()),
  targets: z._default(Targets, { webhookCalls: {}, tools: {} }),
});
export const PairingAnswer = z.looseObject({ code: z.string(), expiresAt: z.int() });
export const ErrorAnswer = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** All kinds of records but rights, which stand in their leaf alone. */
const LOG_RECORD_KINDS = {
  decision: 'decision',
  effect: 'effect',
  approval: 'approval',
  commit: 'commit',
  tombstone: 'tombstone',
  rotation: 'rotation',
  occurrence: 'occurrence',
  job: 'job',
  skill: 'skill',
  'runner-job': 'runner-job',
  'runner-receipt': 'runner-receipt',
  'runner-result': 'runner-result',
} as const satisfies { readonly [Kind in Exclude<RecordKind, 'right'>]: Kind };

/** A record of an export. The verifier judges its content. */
const LogRecord = z.object({
  kind: z.enum(LOG_RECORD_KINDS),
  id: z.string(),
  fixed: z.record(z.string(), z.unknown()),
  content: z.exactOptional(z.record(z.string(), z.unknown())),
  isForgotten: z.exactOptional(z.literal(true)),
});
const SignalRecords = z.object({
  id: z.string(),
  records: z.array(LogRecord),
  problem: z.exactOptional(z.string()),
});

export const LOG_ANSWERS: { readonly [Name in keyof LogAnswers]: z.ZodMiniType<LogAnswers[Name]> } = {
  standing: z.object({
    ...{ space: z.string(), origin: z.string(), leaves: z.int(), size: z.int(), isWaiting: z.boolean() },
    ...{ problem: z.optional(z.string()), now: z.int() },
  }),
  checkpoints: z.object({ checkpoints: z.array(z.object({ size: z.int(), note: z.string() })) }),
  gateSets: z.object({ gateSets: z.array(GateSetContent) }),
  records: z.object({ signals: z.array(SignalRecords), cursor: z.optional(z.string()) }),
  signalRecords: SignalRecords,
  commits: z.object({ records: z.array(LogRecord), last: z.int(), isAll: z.boolean() }),
};
export const EmptyAnswer = z.looseObject({});
