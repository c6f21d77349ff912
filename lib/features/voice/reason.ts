/** The part of voice in Reason: the price that is decided with a recording. */
import type { ReasonFeature } from '../../core/operations/reason-feature.ts';
import { recordingPrice } from './recording-price.ts';

export const reasonVoice: ReasonFeature = { recordingPrice };
