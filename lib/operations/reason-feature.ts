/** The type of a feature's part in Reason. */
import type { RecordingEnv } from '../llm/audio-endpoint.ts';
import type { Attachment } from '../signal/attachment.ts';

export interface ReasonFeature {
  /** Micro-dollars that a recording costs at most. */
  readonly recordingPrice?: (env: RecordingEnv, attachment: Attachment) => number;
}
