/** The type of a feature's part in Reason, loaded with the stage: only what most turns need. */
import type { FormReads } from '../judge/fact-sources.ts';
import type { RecordingEnv } from '../llm/audio-endpoint.ts';
import type { Attachment } from '../signal/attachment.ts';
import type { Table } from '../store/table.ts';
import type { TurnRecords } from '../store/turn-records.ts';
import type { Webhooks } from '../tools/webhooks.ts';

/** The signal whose calls are judged. */
export interface ReadContext {
  readonly table: Pick<Table, 'load' | 'put'>;
  readonly space: string;
  readonly signalId: string;
}

export interface ReasonFeature {
  /** False for a tool of the feature that could do nothing in this turn: it is not offered. */
  readonly hasUse?: (tool: string, records: TurnRecords) => boolean;
  /** Further words of a tool's description, of what is configured; empty for none. */
  readonly describeMore?: (tool: string, webhooks: Webhooks) => string;
  /** Standing instructions for a prompt that offers these tools. */
  readonly mandates?: (tools: readonly string[], records: TurnRecords) => readonly string[];
  /** Readers for the forms of the feature's tools; each loads its code when used. */
  readonly buildReads?: (turn: ReadContext) => FormReads;
  /** Micro-dollars that a recording costs at most. */
  readonly recordingPrice?: (env: RecordingEnv, attachment: Attachment) => number;
}
