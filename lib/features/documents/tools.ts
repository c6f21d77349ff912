/**
 * Reads a file that came with a message, before a model is asked about the message. Code calls it;
 * the power that reads is Act's. The words of an approver's own recording keep their origin, all
 * else is `outside` (I13).
 */
import { Attachment, READ_ATTACHMENT, type RecordingPower } from '../../core/signal/attachment.ts';
import type { Origin } from '../../core/signal/signal.ts';
import { defineTool, powerOf } from '../../core/tools/tool.ts';

export interface AttachmentPower {
  /** @throws ProtocolError in words for the person; UnavailableError if it may be read later */
  readonly read: (
    attachment: Attachment,
    session: string,
    /** Undefined if nothing here hears. */
    recordings: RecordingPower | undefined,
    noteCost?: (usd: number) => void,
  ) => Promise<{ readonly output: string; readonly origin: Origin }>;
}

declare module '../../core/tools/tool.ts' {
  interface ToolPowers {
    readonly attachments?: AttachmentPower;
  }
}

export const readAttachment = defineTool({
  name: READ_ATTACHMENT,
  sentence: ({ kind }) => `Read ${kind}`,
  args: Attachment,
  tier: 'allow',
  isForPeople: true,
  kind: 'read',
  outputOrigin: 'inputs',
  run: (attachment, { powers, session = '', noteCost }) =>
    powerOf(powers, 'attachments').read(attachment, session, powers.recordings, noteCost),
});

export const DOCUMENT_TOOLS = [readAttachment] as const;
